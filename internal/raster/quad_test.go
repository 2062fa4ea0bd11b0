package raster_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestPixelsInsideAnOutline(t *testing.T) {
	t.Parallel()
	diamond := raster.Quad{{4, 0}, {8, 4}, {4, 8}, {0, 4}}
	within := image.Rect(0, 0, 6, 6)
	inside := map[image.Point]bool{}
	for row := range diamond.Rows(within) {
		require.Equal(t, 1, row.Dy())
		for at := range raster.Pixels(row) {
			inside[at] = true
		}
	}
	for at := range raster.Pixels(image.Rect(-1, -1, 9, 9)) {
		center := raster.Point{float64(at.X) + 0.5, float64(at.Y) + 0.5}
		require.Equal(t, at.In(within) && diamond.Contains(center), inside[at], at)
	}
	from, to := diamond.Crossing(2)
	require.Equal(t, [2]float64{2, 6}, [2]float64{from, to})
	from, to = diamond.Crossing(9)
	require.Greater(t, from, to)
}

func TestFrequentColors(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 10, 1))
	for x := range 10 {
		img.Set(x, 0, color.Gray{uint8(200 + x%2)})
	}
	img.Set(0, 0, color.Gray{10})
	img.Set(1, 0, color.Gray{12})
	img.Set(2, 0, color.Gray{100})
	var h raster.Histogram
	_, found := h.Mode()
	require.False(t, found)
	for c := range raster.QuadOf(0, 0, 10, 1).Colors(img) {
		h.Add(c)
	}
	mode, found := h.Mode()
	require.True(t, found)
	require.Equal(t, raster.RGB{200, 200, 200}, mode)
	ink, found := h.ModeBeyond(mode, 100)
	require.True(t, found)
	require.Equal(t, raster.RGB{11, 11, 11}, ink)
	_, found = h.ModeBeyond(mode, 400)
	require.False(t, found)
	require.InDelta(t, raster.Distance(mode, ink), h.Farthest(mode, 0.15), 0.01)
}

func TestInset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, want raster.Quad
		by         float64
	}{
		"upright":          {raster.QuadOf(10, 20, 110, 60), raster.QuadOf(15, 25, 105, 55), 5},
		"a column":         {raster.Quad{{110, 20}, {110, 120}, {70, 120}, {70, 20}}, raster.Quad{{105, 25}, {105, 115}, {75, 115}, {75, 25}}, 5},
		"until sides meet": {raster.QuadOf(0, 0, 100, 10), raster.QuadOf(20, 5, 80, 5), 20},
		"outwards":         {raster.QuadOf(15, 25, 105, 55), raster.QuadOf(10, 20, 110, 60), -5},
		"not at all":       {raster.QuadOf(0, 0, 100, 10), raster.QuadOf(0, 0, 100, 10), 0},
		"nothing to inset": {raster.Quad{}, raster.Quad{}, 5},
		"slanted":          {raster.Quad{{0, 0}, {30, 40}, {-10, 70}, {-40, 30}}, raster.Quad{{-1, 7}, {23, 39}, {-9, 63}, {-33, 31}}, 5},
	} {
		got := c.from.Inset(c.by)
		for i := range got {
			require.InDeltaSlice(t, c.want[i][:], got[i][:], 1e-9, name)
		}
	}
}
