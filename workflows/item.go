package workflows

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// ItemRun is one item on its way: a kind's process runs its steps through it.
type ItemRun struct {
	core.Item
	tracker *tracker
	gate    *gate
}

// Step is one activity of an item.
type Step struct {
	Stage core.Stage
	// Name is that of the activity.
	Name string
	// Options say on which queue it runs, for how long, and how it is retried.
	Options workflow.ActivityOptions
}

// Step runs one activity under the name of its stage, and shows so in the progress of the task. A step that would ask a model
// while the task pauses is run again when it goes on. [FailureOf] reads the error.
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

// Execute runs one activity that shows in no progress. [FailureOf] reads the error.
func Execute(ctx workflow.Context, step Step, input, output any) error {
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, step.Options), step.Name, input).Get(ctx, output)
	if err != nil {
		return &stepError{step: step, err: err}
	}
	return nil
}

// WaitFor shows that the item waits for a stage that it has not asked for yet.
func (r *ItemRun) WaitFor(ctx workflow.Context, stage core.Stage) {
	r.tracker.enter(ctx, r.Item, stage, true)
}

// WaitWhilePaused returns once the task does not pause, or with the cancellation of ctx.
func (r *ItemRun) WaitWhilePaused(ctx workflow.Context) error { return r.gate.wait(ctx) }

// Pauses is the number of steps of the task that were run again because of a pause.
func (r *ItemRun) Pauses() int { return r.gate.held }

// ReleaseLease frees what a step left in the memory of its host, when nothing is going to use it: so it does not lie there until
// it expires. A host that does not answer has nothing to free, or frees it then.
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

// run ends the item: with a result, or with a failure that is recorded. It returns false when the task was canceled first, and
// then nothing is recorded: the end of the task settles the items that it leaves.
func (r *ItemRun) run(ctx workflow.Context, process Process) bool {
	mode, err := process(ctx)
	if err != nil {
		if ctx.Err() != nil { // however the step ended, by now no step could record it
			return false
		}
		r.recordFailure(ctx, mode, FailureOf(err))
	}
	r.tracker.end(ctx, r.Item, mode, err != nil)
	return true
}

// recordFailure does not fail the task: a row that cannot be written is settled when the task ends.
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

// summary tells an operator which item and stage a line of the history is: "3 of 12 · detect · 003.png".
func (r *ItemRun) summary(stage core.Stage) string {
	return Clip(fmt.Sprintf("%d of %d · %s · %s", r.Index+1, r.tracker.total, stage, r.Name))
}

// maxSummary bounds what is shown beside an event or a workflow: the server refuses summaries over 400 bytes, and with
// them the whole workflow task.
const maxSummary = 300

// Clip cuts s to what may be shown, at a rune.
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
