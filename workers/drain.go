package workers

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.temporal.io/sdk/worker"

	"plait/internal/lease"
)

// leasesEvery is how often a draining process checks whether its leases are used up.
const leasesEvery = 100 * time.Millisecond

// running are the started workers of a process.
type running struct {
	// shared poll queues that other processes poll too; own polls the host queue, whose steps only this process can run.
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

// drain stops the workers of the shared queues and waits for their running steps. It returns when no lease is left, or ctx has
// ended.
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

// stop ends all polling and waits for running steps. A process that only owns a device first waits, for at most patience, until its
// leases are used: otherwise other hosts would repeat the work on their items. A process with further roles does not wait, because
// its leases may need its other workers; nor does one of which a worker died, which cannot serve them.
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
