package lease_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
)

type sized int64

func (s sized) Bytes() int64 { return int64(s) }

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func entry(bytes int64) lease.Entry {
	return lease.Entry{Value: sized(bytes)}
}

func newCache(c lease.Config) (*lease.Cache, *clock) {
	time0 := &clock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	c.Now = time0.Now
	return lease.New(c), time0
}

func TestExpiryIsToldForAsLongAsTheTTLAgain(t *testing.T) {
	t.Parallel()
	steps := []struct {
		after time.Duration
		want  core.Code
	}{
		{0, ""},
		{lease.DefaultTTL - 1, ""},
		{lease.DefaultTTL, core.CodeTaskExpired},
		{2*lease.DefaultTTL - 1, core.CodeTaskExpired},
		{2 * lease.DefaultTTL, core.CodeCacheMiss},
	}
	for _, step := range steps {
		for _, swept := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s swept %t", step.after, swept), func(t *testing.T) {
				t.Parallel()
				cache, time0 := newCache(lease.Config{})
				id := cache.Put(entry(1))
				time0.advance(step.after)
				if swept {
					cache.Sweep()
				}
				_, err := cache.Lookup(id)
				require.Equal(t, step.want, core.CodeOf(err))
			})
		}
	}
}

func TestUseDoesNotProlongLife(t *testing.T) {
	t.Parallel()
	cache, time0 := newCache(lease.Config{TTL: time.Minute})
	id := cache.Put(entry(1))
	time0.advance(59 * time.Second)
	_, err := cache.Lookup(id)
	require.NoError(t, err)
	time0.advance(time.Second)
	_, err = cache.Lookup(id)
	require.Equal(t, core.CodeTaskExpired, core.CodeOf(err))
}

func TestExpiredContextsMakeRoomBeforeLivingOnes(t *testing.T) {
	t.Parallel()
	cache, time0 := newCache(lease.Config{Capacity: 2, TTL: time.Minute})
	old := cache.Put(entry(1))
	time0.advance(30 * time.Second)
	living := cache.Put(entry(1))
	// The old lease is now the most recently used, so without its age the other one would be evicted.
	_, err := cache.Lookup(old)
	require.NoError(t, err)
	time0.advance(30 * time.Second)
	fresh := cache.Put(entry(1))

	require.Equal(t, map[string]core.Code{old: core.CodeTaskExpired, living: "", fresh: ""}, answers(cache, old, living, fresh))
}

func TestLeastRecentlyUsedGoesFirst(t *testing.T) {
	t.Parallel()
	for _, bound := range []lease.Config{{Capacity: 2}, {Memory: memory.NewBudget(25)}} {
		cache, _ := newCache(bound)
		first, second := cache.Put(entry(10)), cache.Put(entry(10))
		_, err := cache.Lookup(first)
		require.NoError(t, err)
		third := cache.Put(entry(10))
		require.Equal(t, map[string]core.Code{first: "", second: core.CodeCacheMiss, third: ""},
			answers(cache, first, second, third))
		require.EqualValues(t, 1, cache.Stats().Evicted)
		require.EqualValues(t, 20, cache.Stats().Bytes)
	}
}

func TestAContextLargerThanTheCacheIsNotKept(t *testing.T) {
	t.Parallel()
	cache, _ := newCache(lease.Config{Memory: memory.NewBudget(100)})
	small, large := cache.Put(entry(60)), cache.Put(entry(101))
	require.Equal(t, map[string]core.Code{small: "", large: core.CodeCacheMiss}, answers(cache, small, large))
}

func TestADroppedContextIsUnknown(t *testing.T) {
	t.Parallel()
	cache, time0 := newCache(lease.Config{})
	id := cache.Put(entry(7))
	cache.Drop(id)
	cache.Drop(id)
	time0.advance(lease.DefaultTTL)
	require.Equal(t, map[string]core.Code{id: core.CodeCacheMiss}, answers(cache, id))
	require.Zero(t, cache.Stats().Bytes)
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	cache := lease.New(lease.Config{Capacity: 4, Memory: memory.NewBudget(30)})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				id := cache.Put(entry(10))
				if _, err := cache.Lookup(id); err == nil {
					cache.Drop(id)
				}
			}
		})
	}
	group.Wait()
	require.Zero(t, cache.Stats().Leases)
	require.Zero(t, cache.Stats().Bytes)
}

func answers(cache *lease.Cache, ids ...string) map[string]core.Code {
	got := make(map[string]core.Code, len(ids))
	for _, id := range ids {
		found, err := cache.Lookup(id)
		found.Memory.Release()
		got[id] = core.CodeOf(err)
	}
	return got
}

// A spare lease is evicted first, and never evicts one that is not spare.
func TestSpareLeasesGiveWay(t *testing.T) {
	t.Parallel()
	cache, _ := newCache(lease.Config{Capacity: 2})
	spare := entry(1)
	spare.Spare = true
	kept := func(id string) bool {
		_, err := cache.Lookup(id)
		return err == nil
	}
	first, extra := cache.Put(entry(1)), cache.Put(spare)
	require.True(t, kept(extra), "used last")
	second := cache.Put(entry(1))
	require.Equal(t, []bool{true, false, true}, []bool{kept(first), kept(extra), kept(second)})
	require.False(t, kept(cache.Put(spare)))
	require.True(t, kept(first))
	require.Equal(t, 2, cache.Stats().Leases)
}

func TestALeaseMakesWayForAFasterOneWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	cache, time0 := newCache(lease.Config{Memory: memory.NewBudget(10)})
	id, other := cache.Put(entry(2)), cache.Put(entry(3))
	kept := func() lease.Value {
		found, err := cache.Lookup(id)
		require.NoError(t, err)
		found.Memory.Release()
		return found.Value
	}
	cache.Exchange(id, sized(7))
	require.Equal(t, sized(7), kept())
	require.Equal(t, int64(10), cache.Stats().Bytes)
	cache.Exchange(id, sized(8))
	require.Equal(t, sized(7), kept(), "nothing gives way to it")
	cache.Drop(other)
	cache.Exchange(other, sized(1))
	require.Equal(t, int64(7), cache.Stats().Bytes, "what is gone stays so")
	time0.advance(lease.DefaultTTL)
	require.Zero(t, cache.Stats().Leases, "it lives no longer")
	require.Zero(t, cache.Stats().Bytes)
}
