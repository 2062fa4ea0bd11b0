package activities

import (
	"context"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
)

// StartTask marks a task as running.
func (h *Host) StartTask(ctx context.Context, in core.StartTaskInput) error {
	return h.RecordFailed(ctx, h.Records.StartTask(ctx, in))
}

// RecordFailure marks an item as failed. One that has a result keeps it.
func (h *Host) RecordFailure(ctx context.Context, in core.RecordFailureInput) error {
	return h.RecordFailed(ctx, h.Records.FailItem(ctx, in.Item, in.Mode, in.Failure))
}

// FinishTask ends a task and counts its items. Items that have not ended fail.
func (h *Host) FinishTask(ctx context.Context, in core.FinishTaskInput) (core.TaskResult, error) {
	result, err := h.Records.FinishTask(ctx, in)
	return result, h.RecordFailed(ctx, err)
}

// RecordFailed converts the error of a step that only writes records. Such a step has no fault of an item, so it is retried until
// the rows are written.
func (h *Host) RecordFailed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	info := activity.GetInfo(ctx)
	h.Log.Warn("records not written", "step", info.ActivityType.Name, "task", info.WorkflowExecution.ID, "error", err)
	return h.failure(ctx, false, nil, err)
}
