package workflows

import (
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// beginTask marks the task as running or paused, in the records and for who filters workflows.
func beginTask(ctx workflow.Context, taskID string, retry int, g *gate) error {
	setStatus(ctx, g.status())
	options := recordOptions()
	options.Summary = "task started"
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepStartTask,
		core.StartTaskInput{TaskID: taskID, Retry: retry}).Get(ctx, nil)
}

// endTask records the end, even of a canceled task, and counts it from the page rows.
func endTask(ctx workflow.Context, taskID string, retry int, canceled bool) (core.TaskResult, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	options := recordOptions()
	options.Summary = "task ended"
	var result core.TaskResult
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepFinishTask,
		core.FinishTaskInput{TaskID: taskID, Retry: retry, Canceled: canceled}).Get(ctx, &result)
	if err != nil {
		return result, err
	}
	setStatus(ctx, result.Status)
	if canceled {
		// So that Temporal, too, calls it canceled.
		return result, temporal.NewCanceledError()
	}
	return result, nil
}

func setStatus(ctx workflow.Context, s core.Status) {
	if err := workflow.UpsertTypedSearchAttributes(ctx, keyStatus.ValueSet(string(s))); err != nil {
		workflow.GetLogger(ctx).Error("search attribute not set", "error", err)
	}
}

// refuse ends a workflow whose input no client of this package would send.
func refuse(err error) error {
	return temporal.NewNonRetryableApplicationError(core.PublicMessage(err), string(core.CodeOf(err)), nil)
}
