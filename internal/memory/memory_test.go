package memory_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/memory"
)

func TestTheLimitIsNoMoreThanTheMachineHas(t *testing.T) {
	limit, err := memory.Limit()
	require.NoError(t, err)
	meminfo, err := os.ReadFile("/proc/meminfo")
	require.NoError(t, err)
	kib, err := strconv.ParseInt(strings.Fields(string(meminfo))[1], 10, 64)
	require.NoError(t, err)
	require.Positive(t, limit)
	require.LessOrEqual(t, limit, kib*1024)
}

// reserved requests memory, and returns a channel that gets the reservation when it is granted.
func reserved(t *testing.T, b *memory.Budget, bytes int64, use memory.Use) <-chan *memory.Reservation {
	t.Helper()
	got := make(chan *memory.Reservation, 1)
	go func() {
		if r, err := b.Reserve(t.Context(), bytes, use); err == nil {
			got <- r
		}
	}()
	synctest.Wait()
	return got
}

func TestNoMoreIsReservedThanThereIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100)
		first, second := reserved(t, b, 60, memory.Admit), reserved(t, b, 60, memory.Admit)
		small := reserved(t, b, 10, memory.Admit)
		require.Empty(t, second)
		require.Empty(t, small, "nobody overtakes")
		(<-first).Release()
		synctest.Wait()
		require.Equal(t, int64(70), b.Used())
		(<-second).Release()
		(<-small).Release()
		require.Zero(t, b.Used())
	})
}

func TestWhatIsLargerThanAllWorksAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100)
		small, huge := reserved(t, b, 1, memory.Admit), reserved(t, b, 1000, memory.Admit)
		require.Empty(t, huge)
		(<-small).Release()
		synctest.Wait()
		r := <-huge
		require.Empty(t, reserved(t, b, 1, memory.Admit))
		r.Release()
	})
}

func TestPagesInMemoryGoFirstAndAlwaysGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100)
		kept := b.Keep(90)
		further := reserved(t, b, 50, memory.Admit)
		one, other := reserved(t, b, 80, memory.Finish), reserved(t, b, 80, memory.Finish)
		require.Len(t, one, 1, "nothing else works")
		require.Empty(t, other)
		(<-one).Release()
		synctest.Wait()
		(<-other).Release()
		require.Empty(t, further)
		kept.Release()
		synctest.Wait()
		require.Len(t, further, 1)
	})
}

func TestPagesThatAreKeptGiveWayOnlyAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100)
		kept := b.Keep(90)
		var asked []int64
		b.OnShortage(func(bytes int64, all bool) {
			if asked = append(asked, bytes); all {
				kept.Release()
			}
		})
		further := reserved(t, b, 30, memory.Admit)
		<-time.After(memory.Patience - 1)
		synctest.Wait()
		require.Empty(t, further)
		<-time.After(1)
		synctest.Wait()
		require.Len(t, further, 1)
		require.Equal(t, []int64{20, 20}, asked, "spare pages are asked for at once")
	})
}

func TestWorkBecomesWhatItLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100)
		r, err := b.Reserve(t.Context(), 100, memory.Admit)
		require.NoError(t, err)
		further := reserved(t, b, 60, memory.Admit)
		r.Keep(40)
		synctest.Wait()
		require.Len(t, further, 1)
		require.False(t, r.Shared())
		r.Retain()
		require.True(t, r.Shared())
		r.Release()
		require.Equal(t, int64(100), b.Used())
		r.Release()
		require.Equal(t, int64(60), b.Used())
	})
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100)
		r, err := b.Reserve(t.Context(), 60, memory.Admit)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := b.Reserve(ctx, 60, memory.Admit)
			ended <- err
		}()
		synctest.Wait()
		behind := reserved(t, b, 40, memory.Admit)
		require.Empty(t, behind)
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		synctest.Wait()
		require.Len(t, behind, 1, "nobody waits for who has left")
		r.Release()
	})
}
