package activities

import (
	"context"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
)

const (
	// giveWayFor is how long a step leaves its place to others each time.
	giveWayFor = 300 * time.Millisecond
	// giveWayTimes bounds how often it does so. By then the task that it gave way to has been taken, or waits for something else.
	giveWayTimes = 20
)

// giveWay sends a step back into its queue while a task of the same tenant with a better priority waits there. Temporal shares a
// queue between tenants and serves the steps of one tenant in the order of their coming, because the priorities that it knows go
// before tenants. What the records do not tell now is no reason to wait.
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
