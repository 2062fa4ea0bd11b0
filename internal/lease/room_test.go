package lease_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
)

// claims makes claims until one is refused, and returns how many were granted.
func claims(c *lease.Cache, as lease.Claim) (n int) {
	for granted := true; granted && n < 100; n++ {
		if granted, _ = c.Claim(as); !granted {
			return n
		}
	}
	return n
}

func use(t *testing.T, c *lease.Cache, id string) {
	t.Helper()
	_, err := c.Lookup(id)
	require.NoError(t, err)
	c.Drop(id)
}

func TestThereIsRoomForAsManyLeasesAsAreKept(t *testing.T) {
	t.Parallel()
	cache, _ := newCache(lease.Config{Capacity: 4, Start: 10})
	require.Equal(t, 3, claims(cache, lease.Ordinary), "one place is left to urgent claims")
	require.Equal(t, 1, claims(cache, lease.Urgent))
	cache.Unclaim(lease.Urgent, false)
	for range 3 {
		cache.Put(entry(1))
		cache.Unclaim(lease.Ordinary, false)
	}
	require.Zero(t, claims(cache, lease.Ordinary))
	require.Equal(t, 1, claims(cache, lease.Urgent))
	cache.Put(entry(1))
	cache.Unclaim(lease.Urgent, false)
	require.Zero(t, claims(cache, lease.Urgent))
	require.Zero(t, cache.Stats().Evicted)
}

// A worker that polls for work always holds a claim, which must not prevent ClaimNow. A claim whose lease is being made does.
func TestOnlyClaimsThatHaveBegunStandInTheWayOfWork(t *testing.T) {
	t.Parallel()
	cache, _ := newCache(lease.Config{Capacity: 3})
	require.Equal(t, 2, claims(cache, lease.Ordinary))
	cache.Begin(lease.Ordinary)
	require.True(t, cache.ClaimNow())
	require.False(t, cache.ClaimNow())
	require.Zero(t, claims(cache, lease.Ordinary))
	id := cache.Put(entry(1))
	cache.Unclaim(lease.Ordinary, true)
	require.False(t, cache.ClaimNow(), "its lease has taken its place")
	cache.Drop(id)
	require.True(t, cache.ClaimNow())
}

func TestRoomIsAnnounced(t *testing.T) {
	t.Parallel()
	cache, time0 := newCache(lease.Config{Capacity: 2})
	full := func() <-chan struct{} {
		id := cache.Put(entry(1))
		granted, changed := cache.Claim(lease.Ordinary)
		require.False(t, granted)
		t.Cleanup(func() { cache.Drop(id) })
		return changed
	}
	used := cache.Put(entry(1))
	_, changed := cache.Claim(lease.Ordinary)
	use(t, cache, used)
	<-changed
	changed = full()
	time0.advance(lease.DefaultTTL)
	cache.Sweep()
	<-changed
	require.Equal(t, 1, claims(cache, lease.Ordinary))
	_, changed = cache.Claim(lease.Ordinary)
	cache.Unclaim(lease.Ordinary, false)
	<-changed
}

// Leases that wait for a slow model are used one after another.
func TestNoMoreLeasesThanAreUsedInTime(t *testing.T) {
	t.Parallel()
	cache, time0 := newCache(lease.Config{Capacity: 10, TTL: 300 * time.Second, Start: 2})
	require.Equal(t, 2, cache.Stats().Room)
	rest := []string{cache.Put(entry(1)), cache.Put(entry(1))}
	for range 100 {
		time0.advance(60 * time.Second)
		use(t, cache, rest[0])
		rest = rest[1:]
		for len(rest) < cache.Stats().Room {
			rest = append(rest, cache.Put(entry(1)))
		}
	}
	require.InDelta(t, 4, cache.Stats().Room, 1, "four fifths of 300 s, 60 s each")
	require.Zero(t, cache.Stats().Expired)
	time0.advance(300 * time.Second)
	require.LessOrEqual(t, cache.Stats().Room, 3, "what expired was not used in time")
	for range 60 {
		id := cache.Put(entry(1))
		time0.advance(time.Second)
		use(t, cache, id)
	}
	require.Equal(t, 9, cache.Stats().Room)
}

// A lease that is added while the one before it is processed waits for less than two intervals.
func TestRoomIsNotOverestimatedWhileFewLeasesWait(t *testing.T) {
	t.Parallel()
	cache, time0 := newCache(lease.Config{Capacity: 10, TTL: 300 * time.Second, Start: 2})
	processed := cache.Put(entry(1))
	for range 60 {
		time0.advance(50 * time.Second)
		next := cache.Put(entry(1))
		time0.advance(9 * time.Second)
		use(t, cache, processed)
		processed = next
	}
	require.Equal(t, 4, cache.Stats().Room, "four fifths of 300 s, 59 s each")
}

func TestOneContextOnly(t *testing.T) {
	t.Parallel()
	cache, _ := newCache(lease.Config{Capacity: 1})
	require.Equal(t, 1, claims(cache, lease.Urgent), "a worker asks for urgent steps at all times")
	require.Equal(t, 1, claims(cache, lease.Ordinary))
	cache.Put(entry(1))
	cache.Unclaim(lease.Ordinary, false)
	require.Zero(t, claims(cache, lease.Ordinary))
}

func TestSpareLeasesLeaveAllTheRoom(t *testing.T) {
	t.Parallel()
	cache, _ := newCache(lease.Config{Capacity: 3, Start: 3})
	spare := entry(1)
	spare.Spare = true
	for range 3 {
		cache.Put(spare)
	}
	require.Equal(t, 2, claims(cache, lease.Ordinary))
}

func TestLargeLeasesLeaveLessRoom(t *testing.T) {
	t.Parallel()
	cache, _ := newCache(lease.Config{Capacity: 10, Memory: memory.NewBudget(100), Start: 10})
	id := cache.Put(entry(40))
	require.Equal(t, 1, claims(cache, lease.Ordinary), "two of 40 fit, a third would not")
	cache.Unclaim(lease.Ordinary, false)
	cache.Drop(id)
	require.Equal(t, 9, claims(cache, lease.Ordinary), "how large the next ones are is not known")
}

// Leases and pages in progress share one budget: unused leases are evicted for a page, spare ones at once.
func TestLeasesGiveWayToAPage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		budget := memory.NewBudget(100)
		cache, _ := newCache(lease.Config{Memory: budget})
		spare := entry(20)
		spare.Spare = true
		kept, extra, inUse := cache.Put(entry(30)), cache.Put(spare), cache.Put(entry(30))
		used, err := cache.Lookup(inUse)
		require.NoError(t, err)
		began := time.Now()
		page, err := budget.Reserve(t.Context(), 40, memory.Admit)
		require.NoError(t, err)
		require.Zero(t, time.Since(began))
		require.Equal(t, int64(100), budget.Used())
		page.Release()

		page, err = budget.Reserve(t.Context(), 70, memory.Admit)
		require.NoError(t, err)
		require.Equal(t, memory.Patience, time.Since(began))
		require.Equal(t, map[string]core.Code{kept: core.CodeCacheMiss, extra: core.CodeCacheMiss, inUse: ""}, answers(cache, kept, extra, inUse))
		cache.Drop(inUse)
		used.Memory.Release()
		page.Release()
		require.Zero(t, budget.Used())
	})
}
