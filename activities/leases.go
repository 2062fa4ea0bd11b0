package activities

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
	"plait/internal/latency"
	"plait/internal/lease"
)

// Lease keeps a value in this process for a later step of the same item, which runs on the queue of this process.
func (h *Host) Lease(e lease.Entry) core.Lease {
	return core.Lease{
		LeaseID: h.Leases.Put(e), HostQueue: h.Queue, TTLSeconds: int(h.Leases.TTL().Seconds()),
		QueueWaitMS: h.queueWait.upper().Milliseconds(),
	}
}

// ReleaseLease frees a lease. One that is gone already is as good as freed.
func (h *Host) ReleaseLease(_ context.Context, in core.ReleaseLeaseInput) error {
	h.Leases.Drop(in.LeaseID)
	return nil
}

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
