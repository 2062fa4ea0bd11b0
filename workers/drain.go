package workers

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.temporal.io/sdk/worker"

	"plait/activities"
	"plait/internal/lease"
)

// contextsEvery is how often a process that drains looks whether its detect contexts have been used up.
const contextsEvery = 100 * time.Millisecond

// running are the started workers of a process.
type running struct {
	// shared poll queues that other processes poll too; own polls the host queue, whose steps nobody else can do.
	shared, own []worker.Worker
	drained     sync.Once
}

func (r *running) add(w worker.Worker, q queue, a *activities.Activities) {
	if a.Contexts() != nil && q.name == a.HostQueue() {
		r.own = append(r.own, w)
		return
	}
	r.shared = append(r.shared, w)
}

// drain takes no more: the shared queues are left, and what was taken from them ends. It returns when no detect context
// is left either, or ctx has ended.
func (r *running) drain(ctx context.Context, contexts *lease.Cache) {
	r.drained.Do(func() { stop(r.shared) })
	if contexts == nil {
		return
	}
	ticker := time.NewTicker(contextsEvery)
	defer ticker.Stop()
	for contexts.Stats().Contexts > 0 {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// stop ends all polling, and waits for running steps. The contexts of a process that only owns a device are used up
// first, for as long as patience allows: their chapters go on elsewhere, and would have to do those pages again. A
// process of other roles too may be the one that they wait for, and one of which a worker died cannot use them.
func (r *running) stop(c Config, died bool) {
	if slices.Equal(c.Roles, []Role{RoleGPU}) && !died {
		patience, cancel := context.WithTimeout(context.Background(), c.StopTimeout)
		defer cancel()
		r.drain(patience, c.Activities.Contexts())
	}
	var all sync.WaitGroup
	all.Go(func() { r.drained.Do(func() { stop(r.shared) }) })
	all.Go(func() { stop(r.own) })
	all.Wait()
}
