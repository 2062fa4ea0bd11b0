package activities

import (
	"context"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
)

// StartTask marks a task as running.
func (a *Activities) StartTask(ctx context.Context, in core.StartTaskInput) error {
	return a.taskFailure(ctx, a.records.StartTask(ctx, in))
}

// RecordFailure marks a page as failed. A page that has a result keeps it.
func (a *Activities) RecordFailure(ctx context.Context, in core.RecordFailureInput) error {
	return a.taskFailure(ctx, a.records.FailPage(ctx, in.Item, in.Mode, in.Failure))
}

// FinishTask ends a task and counts its pages. Those that have not ended are failed by it.
func (a *Activities) FinishTask(ctx context.Context, in core.FinishTaskInput) (core.TaskResult, error) {
	result, err := a.records.FinishTask(ctx, in)
	return result, a.taskFailure(ctx, err)
}

// taskFailure types an error of a step that only writes. Such a step has no fault of a page to give up on: it is tried
// until the rows are written.
func (a *Activities) taskFailure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	info := activity.GetInfo(ctx)
	a.log.Warn("records not written", "step", info.ActivityType.Name, "task", info.WorkflowExecution.ID, "error", err)
	return failure(ctx, "", nil, err)
}
