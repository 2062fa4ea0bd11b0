package ranks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every duration is in a count whose longest is at most a quarter longer.
func TestHistogram(t *testing.T) {
	t.Parallel()
	for _, d := range []time.Duration{0, 1, 3, 4, 7, 8, 9, 15, 16, 31, 1000, 1023, 1024, 999_999, time.Millisecond, time.Hour, 1<<63 - 1} {
		end := longest(step(d))
		require.GreaterOrEqual(t, end, d)
		require.LessOrEqual(t, float64(end), float64(d)*1.25)
		if step(d) > 0 {
			require.Less(t, longest(step(d)-1), d)
		}
	}
	var h Histogram
	for range 999 {
		h.add(time.Microsecond)
	}
	h.add(time.Second)
	require.Less(t, h.Quantile(.999), 2*time.Microsecond)
	require.Greater(t, h.Quantile(1), time.Second-1)
	require.Equal(t, uint64(999), h.buckets()[(time.Duration(1)<<30).Seconds()/4])
	require.Equal(t, uint64(1000), h.buckets()[(time.Duration(1)<<30).Seconds()])
}
