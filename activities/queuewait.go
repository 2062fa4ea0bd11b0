package activities

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"plait/internal/latency"
)

// queueWait is how long steps wait in the queue of this process before it takes them. Its zero value has seen none.
type queueWait struct {
	mu       sync.Mutex
	estimate latency.Estimate
}

// see takes the step of ctx into account. Both times are the server's; of a later attempt, the first is not its own.
func (w *queueWait) see(ctx context.Context) {
	info := activity.GetInfo(ctx)
	if info.Attempt > 1 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.estimate.See(info.StartedTime.Sub(info.ScheduledTime))
}

// upper is what a step hardly ever waits longer.
func (w *queueWait) upper() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.estimate.Upper()
}
