package api

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"plait/internal/core"
)

// tenantSlots bounds what each tenant has under way at once, so that one tenant cannot block another. It is safe for concurrent use.
type tenantSlots struct {
	// most is the number of slots of a tenant.
	most int
	// waiting is the largest number of requests of a tenant that wait for a slot, and patience how long each waits.
	waiting  int
	patience time.Duration
	// refusal is what a tenant is told that gets no slot.
	refusal string

	mu sync.Mutex
	of map[string]*slotsOfTenant
}

// slotsOfTenant are given in order of arrival.
type slotsOfTenant struct {
	*semaphore.Weighted
	// requests are those that hold a slot or wait for one.
	requests int
}

// take waits for a slot of a tenant. It fails with RATE_LIMITED when too many wait, or when the wait takes too long.
func (t *tenantSlots) take(ctx context.Context, tenant string) (leave func(), err error) {
	of := t.enter(tenant)
	if of == nil {
		return nil, core.NewError(core.CodeRateLimited, t.refusal)
	}
	if !of.TryAcquire(1) {
		waiting, cancel := context.WithTimeout(ctx, t.patience)
		defer cancel()
		if of.Acquire(waiting, 1) != nil {
			t.exit(tenant)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, core.NewError(core.CodeRateLimited, t.refusal)
		}
	}
	return func() {
		of.Release(1)
		t.exit(tenant)
	}, nil
}

// enter returns nil when too many requests of the tenant wait.
func (t *tenantSlots) enter(tenant string) *slotsOfTenant {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[tenant]
	if of == nil {
		of = &slotsOfTenant{Weighted: semaphore.NewWeighted(int64(t.most))}
		if t.of == nil {
			t.of = map[string]*slotsOfTenant{}
		}
		t.of[tenant] = of
	}
	if of.requests >= t.most+t.waiting {
		return nil
	}
	of.requests++
	return of
}

func (t *tenantSlots) exit(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[tenant].requests--; t.of[tenant].requests == 0 {
		delete(t.of, tenant)
	}
}
