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

// ReleaseLease frees a lease. It does nothing when the lease is gone.
func (h *Host) ReleaseLease(_ context.Context, in core.ReleaseLeaseInput) error {
	h.Leases.Drop(in.LeaseID)
	return nil
}

// queueWait estimates how long steps wait in the host queue of this process. The zero value is ready to use.
type queueWait struct {
	mu       sync.Mutex
	estimate latency.Estimate
}

// see adds the wait of the step of ctx. Both times are of the server. The schedule time of a later attempt is that of the first, so
// it does not count.
func (w *queueWait) see(ctx context.Context) {
	info := activity.GetInfo(ctx)
	if info.Attempt > 1 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.estimate.Observe(info.StartedTime.Sub(info.ScheduledTime))
}

// upper is a wait that steps rarely exceed.
func (w *queueWait) upper() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.estimate.Upper()
}
