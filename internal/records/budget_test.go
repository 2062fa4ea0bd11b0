package records_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/records/recordstest"
	"plait/internal/translate/ledger"
)

// age moves everything that an account took into the past.
func (f fixture) age(account string, by time.Duration) {
	f.T.Helper()
	f.SQL(`UPDATE provider_call SET taken_at = taken_at - $2 * interval '1 second' WHERE account = $1`, account, by.Seconds())
}

func TestBudgetOfRequests(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	limits := ledger.Limits{Requests: 2}
	for range 2 {
		id, wait, err := f.ReserveCall(ctx, "a", 10, limits)
		require.NoError(t, err)
		require.Positive(t, id)
		require.Zero(t, wait)
		f.age("a", 20*time.Second)
	}
	id, wait, err := f.ReserveCall(ctx, "a", 10, limits)
	require.NoError(t, err)
	require.Zero(t, id)
	require.InDelta(t, 20, wait.Seconds(), 5, "the first was 40 s ago")
	_, wait, err = f.ReserveCall(ctx, "b", 10, limits)
	require.NoError(t, err)
	require.Zero(t, wait, "accounts are apart")
	f.age("a", 21*time.Second)
	_, wait, err = f.ReserveCall(ctx, "a", 10, limits)
	require.NoError(t, err)
	require.Zero(t, wait)
}

func TestBudgetOfTokens(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	limits := ledger.Limits{Tokens: 100}
	first, _, err := f.ReserveCall(ctx, "a", 500, limits)
	require.NoError(t, err)
	require.Positive(t, first, "a call larger than the budget goes alone")
	_, wait, err := f.ReserveCall(ctx, "a", 10, limits)
	require.NoError(t, err)
	require.InDelta(t, 60, wait.Seconds(), 5)
	require.NoError(t, f.SettleCall(ctx, first, 70))
	f.age("a", 30*time.Second)
	_, wait, err = f.ReserveCall(ctx, "a", 20, limits)
	require.NoError(t, err)
	require.Zero(t, wait)
	_, wait, err = f.ReserveCall(ctx, "a", 80, limits)
	require.NoError(t, err)
	require.InDelta(t, 30, wait.Seconds(), 5, "when the first is gone there is room beside the second")
}

func TestBudgetsAreStrictAcrossProcesses(t *testing.T) {
	f := open(t)
	other := recordstest.Join(t, f.URL)
	var taken atomic.Int32
	var group errgroup.Group
	for i := range 24 {
		store := f.Store
		if i%2 == 1 {
			store = other
		}
		group.Go(func() error {
			id, _, err := store.ReserveCall(t.Context(), "a", 1, ledger.Limits{Requests: 5})
			if id != 0 {
				taken.Add(1)
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, 5, taken.Load())
}
