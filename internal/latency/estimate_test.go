package latency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/latency"
)

func TestAnEstimateFollowsWhatItSees(t *testing.T) {
	t.Parallel()
	var e latency.Estimate
	require.False(t, e.Known())
	require.Zero(t, e.Upper())
	require.Equal(t, 1, e.Within(time.Hour), "nothing is known")
	e.Observe(30 * time.Second)
	require.Equal(t, latency.Estimate{Mean: 30 * time.Second, Deviation: 15 * time.Second, Last: 30 * time.Second}, e, "RFC 6298, 2.2")
	require.Equal(t, 90*time.Second, e.Upper())
	require.Equal(t, 6, e.Within(4*time.Minute))
	for range 50 {
		e.Observe(30 * time.Second)
	}
	require.InDelta(t, (30 * time.Second).Seconds(), e.Upper().Seconds(), 0.01, "what never varies has no deviation")
	require.Equal(t, 7, e.Within(4*time.Minute))
	e.Observe(60 * time.Second)
	require.Greater(t, e.Upper(), 60*time.Second, "one that took twice as long is allowed for at once")
	require.Less(t, e.Within(4*time.Minute), 7)
}

func TestAnEstimateOfNothingButInstantsIsKnown(t *testing.T) {
	t.Parallel()
	var e latency.Estimate
	for range 10 {
		e.Observe(-time.Second)
		require.True(t, e.Known())
	}
	require.Equal(t, 1000, min(e.Within(time.Second), 1000))
}

func TestWhatWasSlowLastMayGoOnSo(t *testing.T) {
	t.Parallel()
	var e latency.Estimate
	require.Equal(t, 1, e.WithinLately(time.Hour), "nothing is known")
	for range 20 {
		e.Observe(time.Second)
	}
	require.Equal(t, e.Within(time.Minute), e.WithinLately(time.Minute))
	before := e.WithinLately(time.Hour)
	e.Observe(20 * time.Minute)
	require.Equal(t, 3, e.WithinLately(time.Hour))
	require.Greater(t, e.Within(time.Hour), 3, "the mean follows slowly")
	e.Observe(time.Second)
	require.Equal(t, e.Within(time.Hour), e.WithinLately(time.Hour), "once was once")
	require.Less(t, e.WithinLately(time.Hour), before)
}
