package records_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// acquireBusy demands that no slot is free.
func (f fixture) acquireBusy(ctx context.Context, name string, n int) {
	f.T.Helper()
	ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, err := f.AcquireSlot(ctx, name, n)
	require.ErrorIs(f.T, err, context.DeadlineExceeded)
}

// noLocks waits until the database has heard of every release.
func (f fixture) noLocks() {
	f.T.Helper()
	require.Eventually(f.T, func() bool {
		return len(f.Rows(`SELECT * FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)) == 0
	}, 10*time.Second, 10*time.Millisecond)
}

func TestSlotsAreStrictAcrossProcesses(t *testing.T) {
	f := open(t)
	other := recordstest.Join(t, f.URL)
	var holding, most, served atomic.Int32
	var group errgroup.Group
	for i := range 16 {
		store := f.Store
		if i%2 == 1 {
			store = other
		}
		group.Go(func() error {
			slot, err := store.AcquireSlot(t.Context(), "translate", 2)
			if err != nil {
				return err
			}
			defer slot.Release()
			now := holding.Add(1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			// Others get every chance to come in meanwhile.
			err = store.Ping(slot.Context())
			holding.Add(-1)
			served.Add(1)
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.Equal(t, int32(16), served.Load())
	require.LessOrEqual(t, most.Load(), int32(2))
}

func TestEveryFreeSlotIsFound(t *testing.T) {
	f := open(t)
	const count = 9
	store, err := records.Open(t.Context(), f.URL, records.Options{Slots: count})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	other := recordstest.Join(t, f.URL)
	first, err := other.AcquireSlot(t.Context(), "translate", count)
	require.NoError(t, err)
	for range count - 1 {
		slot, err := store.AcquireSlot(t.Context(), "translate", count)
		require.NoError(t, err)
		defer slot.Release()
	}
	f.acquireBusy(t.Context(), "translate", count)
	first.Release()
	last, err := store.AcquireSlot(t.Context(), "translate", count)
	require.NoError(t, err)
	last.Release()
}

func TestSlotIsReleasedAndReused(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	for range 3 {
		slot, err := f.AcquireSlot(ctx, "one", 1)
		require.NoError(t, err)
		f.acquireBusy(ctx, "one", 1)
		elsewhere, err := f.AcquireSlot(ctx, "two", 1)
		require.NoError(t, err, "names are apart")
		elsewhere.Release()
		require.NoError(t, slot.Context().Err())
		slot.Release()
		slot.Release()
		require.ErrorIs(t, slot.Context().Err(), context.Canceled)
	}
	_, err := f.AcquireSlot(ctx, "none", 0)
	recordstest.RequireCode(t, core.CodeInvalidInput, err)
	f.noLocks()
}

func TestAMatterHasOneSlot(t *testing.T) {
	f := open(t)
	other := recordstest.Join(t, f.URL)
	first, err := f.AcquireSlotFor(t.Context(), "translate", 3, "page 1")
	require.NoError(t, err)
	_, err = other.AcquireSlotFor(t.Context(), "translate", 3, "page 1")
	recordstest.RequireCode(t, core.CodeUnavailable, err)
	var known *core.Error
	require.ErrorAs(t, err, &known)
	require.Positive(t, known.RetryAfter)
	second, err := other.AcquireSlotFor(t.Context(), "translate", 3, "page 2")
	require.NoError(t, err)
	second.Release()
	first.Release()
	again, err := other.AcquireSlotFor(t.Context(), "translate", 3, "page 1")
	require.NoError(t, err)
	again.Release()
	f.noLocks()
}

// The session of a holder is killed: the holder learns it, and a waiter in another process gets the slot.
func TestSlotOfAKilledSession(t *testing.T) {
	f := open(t)
	other := recordstest.Join(t, f.URL)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	slot, err := f.AcquireSlot(t.Context(), "one", 1)
	require.NoError(t, err)
	var group errgroup.Group
	group.Go(func() error {
		next, err := other.AcquireSlot(ctx, "one", 1)
		if err == nil {
			next.Release()
		}
		return err
	})
	f.SQL(`SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
		WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()`)
	ended(ctx, t, slot.Context().Done())
	recordstest.RequireCode(t, core.CodeUnavailable, context.Cause(slot.Context()))
	require.NoError(t, group.Wait())
	slot.Release()
	again, err := f.AcquireSlot(t.Context(), "one", 1)
	require.NoError(t, err)
	again.Release()
}

// A waiter longer than the server's lock_timeout goes on waiting, and stops with its context.
func TestSlotWaitsLong(t *testing.T) {
	f := open(t)
	slot, err := f.AcquireSlot(t.Context(), "one", 1)
	require.NoError(t, err)
	for _, waiter := range []*records.Store{f.Store, recordstest.Join(t, f.URL)} { // in the same process, and in another one
		ctx, cancel := context.WithTimeout(t.Context(), 1300*time.Millisecond)
		_, err = waiter.AcquireSlot(ctx, "one", 1)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, core.CodeCanceled, core.CodeOf(err))
	}
	slot.Release()
}

// The context of AcquireSlot bounds the waiting. Whoever holds a slot has it until he releases it.
func TestSlotOutlivesTheWaitForIt(t *testing.T) {
	f := open(t)
	waiting, stop := context.WithCancel(t.Context())
	slot, err := f.AcquireSlot(waiting, "one", 1)
	require.NoError(t, err)
	defer slot.Release()
	stop()
	require.NoError(t, slot.Context().Err())
	f.acquireBusy(t.Context(), "one", 1)
	slot.Release()
	require.ErrorIs(t, slot.Context().Err(), context.Canceled)
}

// A lock may be granted in the moment in which its wait times out: the statement fails, and the session has the lock. No slot is
// lost by that, however often it happens.
func TestAWaitThatTimesOutKeepsNoSlot(t *testing.T) {
	f := open(t)
	const waiters, times = 6, 100
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var group errgroup.Group
	for range waiters {
		store, err := records.Open(t.Context(), f.URL+"&lock_timeout=1", records.Options{Slots: 1})
		require.NoError(t, err)
		t.Cleanup(store.Close)
		group.Go(func() error {
			for range times {
				slot, err := store.AcquireSlot(ctx, "translate", 1)
				if err != nil {
					return err
				}
				slot.Release()
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	f.noLocks()
}

// Whoever yields has the place no more, and the matter still.
func TestAYieldedSlotIsAnothersAndKeepsItsMatter(t *testing.T) {
	f := open(t)
	slot, err := f.AcquireSlotFor(t.Context(), "translate", 1, "page 1")
	require.NoError(t, err)
	slot.Yield()
	slot.Yield()
	next, err := f.AcquireSlotFor(t.Context(), "translate", 1, "page 2")
	require.NoError(t, err)
	require.NoError(t, slot.Context().Err())
	next.Release()
	_, err = f.AcquireSlotFor(t.Context(), "translate", 1, "page 1")
	recordstest.RequireCode(t, core.CodeUnavailable, err)
	slot.Release()
	again, err := f.AcquireSlotFor(t.Context(), "translate", 1, "page 1")
	require.NoError(t, err)
	again.Release()
	f.noLocks()
}

func TestASlotThatIsTriedForIsNotWaitedFor(t *testing.T) {
	f := open(t)
	first, err := f.TrySlot(t.Context(), "server", 1)
	require.NoError(t, err)
	require.NotNil(t, first)
	none, err := f.TrySlot(t.Context(), "server", 1)
	require.NoError(t, err)
	require.Nil(t, none)
	other, err := f.TrySlot(t.Context(), "another server", 1)
	require.NoError(t, err)
	require.NotNil(t, other)
	other.Release()
	first.Release()
	f.noLocks()
	again, err := f.TrySlot(t.Context(), "server", 1)
	require.NoError(t, err)
	require.NotNil(t, again)
	again.Release()
}
