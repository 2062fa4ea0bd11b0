package workers

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.temporal.io/sdk/worker"

	"plait/internal/lease"
)

// leasesEvery is how often a process that drains looks whether its leases have been used up.
const leasesEvery = 100 * time.Millisecond

// running are the started workers of a process.
type running struct {
	// shared poll queues that other processes poll too; own polls the host queue, whose steps nobody else can do.
	shared, own []worker.Worker
	drained     sync.Once
}

func (r *running) add(w worker.Worker, q polled) {
	if q.own {
		r.own = append(r.own, w)
		return
	}
	r.shared = append(r.shared, w)
}

// drain takes no more: the shared queues are left, and what was taken from them ends. It returns when no lease
// is left either, or ctx has ended.
func (r *running) drain(ctx context.Context, leases *lease.Cache) {
	r.drained.Do(func() { stop(r.shared) })
	if leases == nil {
		return
	}
	ticker := time.NewTicker(leasesEvery)
	defer ticker.Stop()
	for leases.Stats().Leases > 0 {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// stop ends all polling, and waits for running steps. The leases of a process that only owns a device are used up
// first, for as long as patience allows: their tasks go on elsewhere, and would have to do those items again. A
// process of other roles too may be the one that they wait for, and one of which a worker died cannot use them.
func (r *running) stop(c Config, died bool) {
	if slices.Equal(c.Roles, []Role{RoleGPU}) && !died {
		patience, cancel := context.WithTimeout(context.Background(), c.StopTimeout)
		defer cancel()
		r.drain(patience, c.Host.Leases)
	}
	var all sync.WaitGroup
	all.Go(func() { r.drained.Do(func() { stop(r.shared) }) })
	all.Go(func() { stop(r.own) })
	all.Wait()
}
