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

// Start starts the workflow of a task. Starting a task again does nothing, whether it runs or has ended; a retry of
// it is another run under the same id. It fails with CodeInvalidInput, or with CodeUnavailable when Temporal does not answer
// or the run before does not close.
func Start(ctx context.Context, c client.Client, in TaskInput) error {
	if err := in.validate(); err != nil {
		return err
	}
	attributes := []temporal.SearchAttributeUpdate{
		KeyTenant.ValueSet(in.Tenant),
		keyKind.ValueSet(string(in.Kind)),
		keyStatus.ValueSet(string(core.StatusQueued)),
	}
	// A task runs once: a second start finds the first, running or ended. A retry is another run.
	reuse := enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE
	if in.Retry > 0 {
		reuse = enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE
		attributes = append(attributes, keyRetry.ValueSet(int64(in.Retry)))
	}
	options := client.StartWorkflowOptions{
		ID:                                       in.TaskID,
		TaskQueue:                                QueueControl,
		StaticSummary:                            Clip(in.Title),
		Priority:                                 PriorityOf(in.Tenant),
		WorkflowIDReusePolicy:                    reuse,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		TypedSearchAttributes:                    temporal.NewSearchAttributes(attributes...),
	}
	return start(ctx, c, options, in)
}

// PriorityOf is the place of a tenant's steps in every task queue: tenants take turns, whatever each of them has in the queue.
// The server serves a better priority key before it is fair between tenants, so all tasks share one key. The priority of a task
// orders it among those of its tenant alone; the steps see to that (plait/activities).
func PriorityOf(tenant string) temporal.Priority {
	return temporal.Priority{FairnessKey: fairnessKey(tenant)}
}

// InteractivePriority is for steps that a person waits for. They do not queue behind the tasks of their own tenant, which so
// has two shares at most.
func InteractivePriority(tenant string) temporal.Priority {
	return temporal.Priority{FairnessKey: fairnessKey("interactive/" + tenant)}
}

// fairnessKey is a name, or its beginning: those that share it share their turns.
func fairnessKey(name string) string { return name[:min(len(name), maxFairnessKey)] }

// maxFairnessKey is what the server takes, in bytes.
const maxFairnessKey = 64

// closingTimeout bounds the wait for a run that has recorded its end: it has only to say so to Temporal.
const closingTimeout = 5 * time.Second

// start starts a run, unless there is one of this retry. A second run of a retry that has ended already would find so in the
// records, and end.
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
	err := c.GetWorkflow(ctx, taskID, runID).Get(ctx, nil) // how it ended stands in the records
	if ctx.Err() != nil {
		return core.Wrap(core.CodeUnavailable, err, "the run before has not closed yet")
	}
	return nil
}

// Cancel asks a task to end; it records its end by itself. A task that has ended is left alone. It fails with
// CodeNotFound when Temporal knows no such task, and with CodeUnavailable when it does not answer.
func Cancel(ctx context.Context, c client.Client, taskID string) error {
	err := c.CancelWorkflow(ctx, taskID, "")
	var missing *serviceerror.NotFound
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &missing):
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not cancel the task")
	}
	// A closed workflow answers "not found" as well as an unknown one.
	state, err := StateOf(ctx, c, taskID)
	if err == nil && state == StateUnknown {
		return core.NewError(core.CodeNotFound, "Temporal knows no such task")
	}
	return err
}

// ProgressOf asks a worker for the progress of a task. It fails with CodeUnavailable when none answers.
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

// SignalPause pauses a task that runs, or has it go on. It fails with CodeNotFound when Temporal knows no run of it, and
// with CodeUnavailable when it does not answer.
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
