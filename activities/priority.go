package activities

import (
	"context"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
)

const (
	// giveWayFor is the delay after which a step that gave way is tried again.
	giveWayFor = 300 * time.Millisecond
	// giveWayTimes bounds how often a step gives way. By then the other task has been taken, or waits for something else.
	giveWayTimes = 20
)

// giveWay returns a step to its queue while a task of the same tenant with a better priority waits there. Temporal shares a queue
// fairly between tenants and serves the steps of one tenant in order of arrival; its own priorities would outrank that fairness. An
// error of the records does not delay the step.
func (h *Host) giveWay(ctx context.Context, item core.Item) error {
	if activity.GetInfo(ctx).Attempt > giveWayTimes {
		return nil
	}
	waits, err := h.Records.BetterTaskWaits(ctx, item.TaskID)
	if err != nil || !waits {
		return nil //nolint:nilerr // the step itself finds out
	}
	h.Log.Debug("a step gives way to a task of a better priority", slog.String("item", item.String()))
	return h.Failure(ctx, core.NewError(core.CodeOutOfTurn, "a task of a better priority comes first").WithRetryAfter(giveWayFor))
}
