package jpegenc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Frequencies that grow like Fibonacci's numbers make the deepest of all trees.
func TestCodesAreNeverLongerThanTheFormatAllows(t *testing.T) {
	t.Parallel()
	var deepest, even, single frequencies
	deepest[0], deepest[1] = 1, 1
	for i := 2; i < 60; i++ {
		deepest[i] = deepest[i-1] + deepest[i-2]
	}
	for i := range even {
		even[i] = 5
	}
	single[9] = 3
	for name, f := range map[string]*frequencies{"deepest": &deepest, "even": &even, "single": &single} {
		c := newCode(f)
		sum, seen := 0, map[[2]uint16]bool{}
		for symbol, n := range f {
			size := c.size[symbol]
			require.Equal(t, n > 0, size > 0, name)
			if n == 0 {
				continue
			}
			require.LessOrEqual(t, int(size), maxLength, name)
			require.NotEqual(t, uint16(1<<size-1), c.bits[symbol], "%s: ones alone are reserved", name)
			require.False(t, seen[[2]uint16{uint16(size), c.bits[symbol]}], name)
			seen[[2]uint16{uint16(size), c.bits[symbol]}] = true
			sum += 1 << (maxLength - int(size))
		}
		require.Less(t, sum, 1<<maxLength, "%s: no code begins another", name)
	}
}
