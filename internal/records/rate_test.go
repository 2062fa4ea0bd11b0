package records_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/quota"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// limited puts the tenant of the fixture into a tier with these limits, and returns a key of it.
func (f fixture) limited(l quota.Limits) (plain string) {
	f.T.Helper()
	ctx := f.T.Context()
	tier := records.NewTier("limited")
	tier.Limits = l
	_, err := f.SetTier(ctx, tier)
	require.NoError(f.T, err)
	_, err = f.SetTenant(ctx, tenant, records.TenantChange{Tier: &tier.Name})
	require.NoError(f.T, err)
	plain, _, err = f.CreateKey(ctx, records.NewKey{Tenant: tenant})
	require.NoError(f.T, err)
	return plain
}

// The two properties of package quota, at chosen moments: bursts, pauses, and more than the limit at all times.
func TestAWindowIsNeverOverItsLimitAndLosesLittle(t *testing.T) {
	f := open(t)
	const most, window = 60, 60.0
	f.limited(quota.Limits{RequestsPerMinute: limit(most)})
	conn := recordstest.Connect(t, f.URL)
	defer func() { _ = conn.Close(context.Background()) }()
	charge := func(at float64, amount int) (allowed bool, wait float64) {
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT allowed, wait_seconds FROM charge_rate($1, 'requests', $2, $3, to_timestamp($4))`,
			tenant, amount, most, at).Scan(&allowed, &wait))
		return allowed, wait
	}
	type entry struct {
		at     float64
		amount int
	}
	var admitted []entry
	random := rand.New(rand.NewPCG(17, 1))
	at := 1_800_000_000.25
	begin := at
	for range 1500 {
		amount := 1
		if random.IntN(10) == 0 {
			amount = 1 + random.IntN(20)
		}
		allowed, wait := charge(at, amount)
		if allowed {
			admitted = append(admitted, entry{at, amount})
		} else if random.IntN(8) == 0 {
			again, _ := charge(at+wait-0.001, amount)
			require.False(t, again, "not before the wait is over")
			at += wait + 0.000_01
			again, _ = charge(at, amount)
			require.True(t, again, "there is room when the wait is over")
			admitted = append(admitted, entry{at, amount})
		}
		at += random.Float64() * []float64{0.01, 0.2, 2}[random.IntN(3)]
	}
	sum := 0
	for first, last := 0, 0; last < len(admitted); last++ {
		for sum += admitted[last].amount; admitted[last].at-admitted[first].at >= window; first++ {
			sum -= admitted[first].amount
		}
		require.LessOrEqual(t, sum, most, "in the 60 s to %.2f", admitted[last].at-begin)
	}

	at += 200
	begin, count := at, 0
	for ; at < begin+10*window; at += 0.9 {
		if allowed, _ := charge(at, 1); allowed {
			count++
		}
	}
	require.GreaterOrEqual(t, count, 10*most*99/100, "more is asked for than the limit at all times")
}

func TestManyProcessesTogetherAdmitExactlyTheLimit(t *testing.T) {
	f := open(t)
	const most, processes, each = 100, 4, 40
	plain := f.limited(quota.Limits{RequestsPerMinute: limit(most)})
	var admitted atomic.Int64
	var group sync.WaitGroup
	for range processes {
		store := recordstest.Join(t, f.URL)
		for range 4 {
			group.Go(func() {
				for range each / 4 {
					a, err := store.Admit(t.Context(), plain)
					if err == nil && a.Requests.Allowed {
						admitted.Add(1)
					}
				}
			})
		}
	}
	group.Wait()
	require.EqualValues(t, most, admitted.Load(), "%d were asked for", processes*each)
	refused, err := f.Admit(t.Context(), plain)
	require.NoError(t, err)
	rate := refused.Requests
	require.EqualValues(t, 0, rate.Remaining())
	require.Positive(t, rate.Wait)
	require.LessOrEqual(t, rate.Wait, rate.Reset)
	require.LessOrEqual(t, rate.Reset, 61*time.Second)
	recordstest.RequireCode(t, core.CodeRateLimited, rate.Refusal())
	require.Contains(t, rate.Refusal().Error(), "requests_per_minute")
	seen, err := f.Tenant(t.Context(), tenant)
	require.NoError(t, err)
	require.EqualValues(t, most, seen.Usage.RequestsPerMinute)
}

func TestWithoutALimitNothingIsCounted(t *testing.T) {
	f := open(t)
	plain, _, err := f.CreateKey(t.Context(), records.NewKey{Tenant: tenant})
	require.NoError(t, err)
	a, err := f.Admit(t.Context(), plain)
	require.NoError(t, err)
	require.Equal(t, records.Rates{}, a.Rates)
	require.Equal(t, quota.Limits{}, a.Limits)
	require.Empty(t, f.Rows(`SELECT tenant FROM rate_window`))
}
