package workflows

import (
	"context"
	"errors"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"plait/internal/pipeline"
)

// The names under which the workflows are registered. They are part of every started task and never change.
const (
	ChapterWorkflowName = "ChapterWorkflow"
	PageWorkflowName    = "PageWorkflow"
)

// StartChapter starts the workflow of a task. Starting a task again does nothing, whether it runs or has ended. It
// fails with CodeInvalidInput, or with CodeUnavailable when Temporal does not answer.
func StartChapter(ctx context.Context, c client.Client, in ChapterInput) error {
	if err := in.validate(); err != nil {
		return err
	}
	options := startOptions(in.TaskID, in.Tenant, in.Kind, in.Options)
	options.StaticSummary = clip(in.Title)
	return start(ctx, c, options, ChapterWorkflowName, in)
}

// StartPage starts the workflow of a task of one image, by the rules of [StartChapter].
func StartPage(ctx context.Context, c client.Client, in PageTaskInput) error {
	if err := in.validate(); err != nil {
		return err
	}
	options := startOptions(in.Page.TaskID, in.Page.Tenant, pipeline.KindComic, in.Options)
	options.StaticSummary = clip(in.Page.Name)
	return start(ctx, c, options, PageWorkflowName, in)
}

func startOptions(taskID, tenant string, kind pipeline.Kind, o pipeline.Options) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:        taskID,
		TaskQueue: QueueControl,
		// A task runs once: a second start finds the first, running or ended.
		WorkflowIDReusePolicy:    enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			keyTenant.ValueSet(tenant),
			keyKind.ValueSet(string(kind)),
			keyStatus.ValueSet(string(pipeline.StatusQueued)),
			keyTargetLanguage.ValueSet(o.To),
		),
	}
}

func start(ctx context.Context, c client.Client, options client.StartWorkflowOptions, name string, in any) error {
	_, err := c.ExecuteWorkflow(ctx, options, name, in)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if err != nil && !errors.As(err, &started) {
		return pipeline.Wrap(pipeline.CodeUnavailable, err, "Temporal does not start the task")
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
		return pipeline.Wrap(pipeline.CodeUnavailable, err, "Temporal does not cancel the task")
	}
	// A closed workflow answers "not found" as well as an unknown one.
	state, err := StateOf(ctx, c, taskID)
	if err == nil && state == StateUnknown {
		return pipeline.NewError(pipeline.CodeNotFound, "Temporal knows no such task")
	}
	return err
}

// State is what Temporal knows of a task.
type State string

// The states.
const (
	StateRunning State = "running"
	// StateClosed is any end: completed, failed, canceled, timed out or terminated.
	StateClosed State = "closed"
	// StateUnknown: never started, or closed longer ago than histories are kept.
	StateUnknown State = "unknown"
)

// StateOf asks Temporal for the state of a task. It fails with CodeUnavailable.
func StateOf(ctx context.Context, c client.Client, taskID string) (State, error) {
	description, err := c.DescribeWorkflowExecution(ctx, taskID, "")
	var missing *serviceerror.NotFound
	switch {
	case errors.As(err, &missing):
		return StateUnknown, nil
	case err != nil:
		return "", pipeline.Wrap(pipeline.CodeUnavailable, err, "Temporal does not describe the task")
	case description.GetWorkflowExecutionInfo().GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING:
		return StateRunning, nil
	default:
		return StateClosed, nil
	}
}

// ChapterProgress asks a worker for the progress of a task. It fails with CodeUnavailable when none answers.
func ChapterProgress(ctx context.Context, c client.Client, taskID string) (Progress, error) {
	var p Progress
	value, err := c.QueryWorkflow(ctx, taskID, "", queryProgress)
	if err == nil {
		err = value.Get(&p)
	}
	if err != nil {
		return Progress{}, pipeline.Wrap(pipeline.CodeUnavailable, err, "no worker answers for the progress of the task")
	}
	return p, nil
}
