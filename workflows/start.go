package workflows

import (
	"context"
	"errors"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
)

// The names under which the workflows are registered. They are part of every started task and never change.
const (
	ChapterWorkflowName = "ChapterWorkflow"
	PageWorkflowName    = "PageWorkflow"
)

// StartChapter starts the workflow of a task. Starting a task again does nothing, whether it runs or has ended; a retry of
// it is another run under the same id. It fails with CodeInvalidInput, or with CodeUnavailable when Temporal does not answer
// or the run before does not close.
func StartChapter(ctx context.Context, c client.Client, in ChapterInput) error {
	if err := in.validate(); err != nil {
		return err
	}
	options := startOptions(in.TaskID, in.Tenant, in.Kind, in.Options, in.Retry)
	options.StaticSummary = clip(in.Title)
	return start(ctx, c, options, in.Retry, ChapterWorkflowName, in)
}

// StartPage starts the workflow of a task of one image, by the rules of [StartChapter].
func StartPage(ctx context.Context, c client.Client, in PageTaskInput) error {
	if err := in.validate(); err != nil {
		return err
	}
	options := startOptions(in.Page.TaskID, in.Page.Tenant, comic.Kind, in.Options, in.Retry)
	options.StaticSummary = clip(in.Page.Name)
	return start(ctx, c, options, in.Retry, PageWorkflowName, in)
}

func startOptions(taskID, tenant string, kind core.Kind, o comic.Options, retry int) client.StartWorkflowOptions {
	attributes := []temporal.SearchAttributeUpdate{
		keyTenant.ValueSet(tenant),
		keyKind.ValueSet(string(kind)),
		keyStatus.ValueSet(string(core.StatusQueued)),
		keyTargetLanguage.ValueSet(o.To),
	}
	// A task runs once: a second start finds the first, running or ended. A retry is another run.
	reuse := enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE
	if retry > 0 {
		reuse = enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE
		attributes = append(attributes, keyRetry.ValueSet(int64(retry)))
	}
	return client.StartWorkflowOptions{
		ID:        taskID,
		TaskQueue: QueueControl,
		// Where tasks queue, tenants take turns, whatever each of them has in the queue.
		Priority: temporal.Priority{PriorityKey: o.Priority, FairnessKey: fairnessKey(tenant)},
		WorkflowIDReusePolicy:                    reuse,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		TypedSearchAttributes:                    temporal.NewSearchAttributes(attributes...),
	}
}

// maxFairnessKey is what the server takes, in bytes.
const maxFairnessKey = 64

// fairnessKey is a tenant, or the beginning of its name: those that share it share their turns.
func fairnessKey(tenant string) string { return tenant[:min(len(tenant), maxFairnessKey)] }

// closingTimeout bounds the wait for a run that has recorded its end: it has only to say so to Temporal.
const closingTimeout = 5 * time.Second

// start starts a run, unless there is one of this retry. A second run of a retry that has ended already would find so in the
// records, and end.
func start(ctx context.Context, c client.Client, options client.StartWorkflowOptions, retry int, name string, in any) error {
	for {
		_, err := c.ExecuteWorkflow(ctx, options, name, in)
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

// CancelChapter asks a task to end; it records its end by itself. A task that has ended is left alone. It fails with
// CodeNotFound when Temporal knows no such task, and with CodeUnavailable when it does not answer.
func CancelChapter(ctx context.Context, c client.Client, taskID string) error {
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

// ChapterProgress asks a worker for the progress of a task. It fails with CodeUnavailable when none answers.
func ChapterProgress(ctx context.Context, c client.Client, taskID string) (Progress, error) {
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
