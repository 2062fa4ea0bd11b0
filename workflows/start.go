package workflows

import (
	"context"
	"errors"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"plait/internal/core"
)

// Start starts the workflow of a task. Starting a task again does nothing, whether it runs or has ended; a retry is another run under the
// same id. It fails with CodeInvalidInput, or with CodeUnavailable when Temporal does not answer or the previous run does not close.
func Start(ctx context.Context, c client.Client, in TaskInput, share Share) error {
	if err := in.validate(); err != nil {
		return err
	}
	attributes := []temporal.SearchAttributeUpdate{
		KeyTenant.ValueSet(in.Tenant),
		keyKind.ValueSet(string(in.Kind)),
		keyStatus.ValueSet(string(core.StatusQueued)),
	}
	// A task runs once: a second start finds the first run, even when it has ended. A retry is another run.
	reuse := enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE
	if in.Retry > 0 {
		reuse = enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE
		attributes = append(attributes, keyRetry.ValueSet(int64(in.Retry)))
	}
	options := client.StartWorkflowOptions{
		ID:                                       in.TaskID,
		TaskQueue:                                QueueControl,
		StaticSummary:                            Clip(in.Title),
		Priority:                                 PriorityOf(in.Tenant, share),
		WorkflowIDReusePolicy:                    reuse,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		TypedSearchAttributes:                    temporal.NewSearchAttributes(attributes...),
	}
	return start(ctx, c, options, in)
}

// Share is how a tenant's steps are served among those of other tenants. The zero value is the key 3 and the weight 1, the defaults of the
// server, which runs that were started without a share have too.
type Share struct {
	// PriorityKey is from 1 (served first) to 5.
	PriorityKey int
	// FairnessWeight is from 0.25 to 1000.
	FairnessWeight float64
}

// PriorityOf is the priority of a tenant's steps in every task queue. The steps of a better priority come first. Within one, tenants take
// turns in proportion to their weights, however many steps each of them has queued. Nothing that runs is preempted. The priority of a task
// orders it only among those of its tenant, by means of the steps (plait/activities). Steps and later runs of a workflow inherit what it
// was started with.
func PriorityOf(tenant string, share Share) temporal.Priority {
	return temporal.Priority{PriorityKey: share.PriorityKey, FairnessKey: fairnessKey(tenant), FairnessWeight: float32(share.FairnessWeight)}
}

// InteractivePriority is for steps that a person waits for. They do not queue behind the tasks of their own tenant, which thereby gets at
// most two shares.
func InteractivePriority(tenant string, share Share) temporal.Priority {
	return PriorityOf("interactive/"+tenant, share)
}

// fairnessKey is the name, cut to maxFairnessKey; names with the same key share their turns.
func fairnessKey(name string) string { return name[:min(len(name), maxFairnessKey)] }

// maxFairnessKey is the server's limit, in bytes.
const maxFairnessKey = 64

// closingTimeout bounds the wait for a run that has recorded its end and only has to close in Temporal.
const closingTimeout = 5 * time.Second

// start starts a run, unless this retry already has one. A second run of an ended retry would find that in the records, and end.
func start(ctx context.Context, c client.Client, options client.StartWorkflowOptions, in TaskInput) error {
	retry := in.Retry
	for {
		_, err := c.ExecuteWorkflow(ctx, options, string(in.Kind), in)
		var started *serviceerror.WorkflowExecutionAlreadyStarted
		if err == nil || (errors.As(err, &started) && retry == 0) {
			return nil
		}
		if started == nil {
			return core.Wrap(core.CodeUnavailable, err, "Temporal does not start the task")
		}
		e, err := ExecutionOf(ctx, c, options.ID, retry)
		if err != nil || e.State == StateRunning || e.State == StateClosed {
			return err
		}
		if err := untilClosed(ctx, c, options.ID, e.RunID); err != nil {
			return err
		}
	}
}

func untilClosed(ctx context.Context, c client.Client, taskID, runID string) error {
	ctx, cancel := context.WithTimeout(ctx, closingTimeout)
	defer cancel()
	err := c.GetWorkflow(ctx, taskID, runID).Get(ctx, nil) // the records contain how it ended
	if ctx.Err() != nil {
		return core.Wrap(core.CodeUnavailable, err, "the run before has not closed yet")
	}
	return nil
}

// Cancel requests the end of a task; the task records its end itself. A task that has ended stays unchanged. It fails with CodeNotFound
// when Temporal does not know the task, and with CodeUnavailable when it does not answer.
func Cancel(ctx context.Context, c client.Client, taskID string) error {
	err := c.CancelWorkflow(ctx, taskID, "")
	var missing *serviceerror.NotFound
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &missing):
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not cancel the task")
	}
	// Temporal answers "not found" for a closed workflow as well as for an unknown one.
	state, err := StateOf(ctx, c, taskID)
	if err == nil && state == StateUnknown {
		return core.NewError(core.CodeNotFound, "Temporal knows no such task")
	}
	return err
}

// ProgressOf queries a worker for the progress of a task. It fails with CodeUnavailable when none answers.
func ProgressOf(ctx context.Context, c client.Client, taskID string) (Progress, error) {
	var p Progress
	value, err := c.QueryWorkflow(ctx, taskID, "", queryProgress)
	if err == nil {
		err = value.Get(&p)
	}
	if err != nil {
		return Progress{}, core.Wrap(core.CodeUnavailable, err, "no worker answers for the progress of the task")
	}
	return p, nil
}

// SignalPause pauses or resumes a running task. It fails with CodeNotFound when Temporal knows no run of it, and with CodeUnavailable when
// it does not answer.
func SignalPause(ctx context.Context, c client.Client, taskID string, p Pause) error {
	name := signalResume
	if p.Paused {
		name = signalPause
	}
	err := c.SignalWorkflow(ctx, taskID, "", name, p.Revision)
	var missing *serviceerror.NotFound
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return core.NewError(core.CodeNotFound, "Temporal knows no run of the task")
	default:
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not take the signal")
	}
}
