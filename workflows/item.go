package workflows

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// ItemRun is the run of one item: the process of a kind runs its steps through it.
type ItemRun struct {
	core.Item
	tracker *tracker
	gate    *gate
}

// Step is one activity of an item.
type Step struct {
	Stage core.Stage
	// Name is the name of the activity.
	Name string
	// Options determine the queue, time-outs and retries.
	Options workflow.ActivityOptions
}

// Step runs one activity and shows its stage in the progress of the task. A step that would call a model while the task is paused is run
// again after the pause. [FailureOf] reads the error.
func (r *ItemRun) Step(ctx workflow.Context, step Step, input, output any) error {
	r.tracker.enter(ctx, r.Item, step.Stage, false)
	step.Options.Summary = r.summary(step.Stage)
	for {
		known := r.gate.Revision
		err := Execute(ctx, step, input, output)
		if err == nil || FailureOf(err).Code != core.CodePaused {
			return err
		}
		r.gate.hold(ctx, known)
		if err := r.gate.wait(ctx); err != nil {
			return &stepError{step: step, err: err}
		}
	}
}

// Execute runs one activity that the progress does not show. [FailureOf] reads the error.
func Execute(ctx workflow.Context, step Step, input, output any) error {
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, step.Options), step.Name, input).Get(ctx, output)
	if err != nil {
		return &stepError{step: step, err: err}
	}
	return nil
}

// WaitFor shows that the item waits before it requests a stage.
func (r *ItemRun) WaitFor(ctx workflow.Context, stage core.Stage) {
	r.tracker.enter(ctx, r.Item, stage, true)
}

// WaitWhilePaused returns once the task is not paused, or with the cancellation of ctx.
func (r *ItemRun) WaitWhilePaused(ctx workflow.Context) error { return r.gate.wait(ctx) }

// Pauses returns the number of steps of the task that were run again because of a pause.
func (r *ItemRun) Pauses() int { return r.gate.held }

// ReleaseLease frees the lease that a step keeps in the memory of its host, when no other step will use it, so that it does not occupy
// memory until it expires. If the host does not answer, the lease is already lost or expires later.
func (r *ItemRun) ReleaseLease(ctx workflow.Context, lease core.Lease) {
	if lease.LeaseID == "" {
		return
	}
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	options := releaseOptions(lease.HostQueue)
	options.Summary = Clip("release the lease · " + r.Name)
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepReleaseLease,
		core.ReleaseLeaseInput{LeaseID: lease.LeaseID}).Get(ctx, nil)
	if err != nil {
		workflow.GetLogger(ctx).Info("a lease is left to expire", "item", r.Index, "error", err)
	}
}

// run ends the item with a result, or with a failure that it records. It returns false when the task was canceled first; it then records
// nothing, because the end of the task settles the remaining items.
func (r *ItemRun) run(ctx workflow.Context, process Process) bool {
	mode, err := process(ctx)
	if err != nil {
		if ctx.Err() != nil { // the task is canceled, so no step could record how the item ended
			return false
		}
		r.recordFailure(ctx, mode, FailureOf(err))
	}
	r.tracker.end(ctx, r.Item, mode, err != nil)
	return true
}

// recordFailure does not fail the task: the end of the task settles a row that could not be written.
func (r *ItemRun) recordFailure(ctx workflow.Context, mode core.Mode, failure core.Failure) {
	options := RecordStep()
	options.Summary = r.summary(failure.Stage)
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepRecordFailure,
		core.RecordFailureInput{Item: r.Item, Mode: mode, Failure: failure}).Get(ctx, nil)
	var canceled *temporal.CanceledError
	if err != nil && !errors.As(err, &canceled) {
		workflow.GetLogger(ctx).Error("the failure of an item is not recorded", "item", r.Index, "error", err)
	}
}

// summary describes the item and stage of an event for operators: "3 of 12 · detect · 003.png".
func (r *ItemRun) summary(stage core.Stage) string {
	return Clip(fmt.Sprintf("%d of %d · %s · %s", r.Index+1, r.tracker.total, stage, r.Name))
}

// maxSummary is the largest summary of an event or a workflow, in bytes: the server refuses summaries over 400 bytes, and the whole
// workflow task with them.
const maxSummary = 300

// Clip cuts s to maxSummary bytes, at a rune boundary.
func Clip(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	const mark = "…"
	cut := maxSummary - len(mark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
