package raster_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestColorsOfAHistogram(t *testing.T) {
	t.Parallel()
	var h raster.Histogram
	for color, n := range map[raster.RGB]int{{250, 250, 250}: 1, {128, 100, 100}: 4, {127, 100, 100}: 4, {20, 20, 20}: 6, {0, 0, 0}: 5} {
		for range n {
			h.Add(color)
		}
	}

	mode, found := h.Mode()
	require.True(t, found)
	require.Equal(t, raster.RGB{20, 20, 20}, mode)
	peak, share := h.Peak()
	require.Equal(t, raster.RGB{16, 16, 16}, peak)
	require.InDelta(t, 11.0/20, share, 1e-9)
	require.Equal(t, []raster.RGB{{8, 8, 8}, {248, 248, 248}}, h.Extremes(0.05))
	require.Equal(t, []raster.RGB{{8, 8, 8}, {136, 104, 104}}, h.Extremes(0.2))

	h.Remove(peak, 40)
	peak, share = h.Peak()
	require.LessOrEqual(t, raster.Difference(raster.RGB{128, 100, 100}, peak), 16, "a color at the limit of two bins")
	require.InDelta(t, 8.0/20, share, 1e-9)
	require.Nil(t, (&raster.Histogram{}).Extremes(0.1))
}
