package inpaint_test

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/inpaint"
	"plait/internal/comic/mask"
	"plait/internal/raster/bitmap"
)

// unframed is a panel without a frame. Its light art changes from place to place and ends at the gutter.
func unframed(x, y int) color.NRGBA {
	if y > 80 {
		return color.NRGBA{255, 255, 255, 255}
	}
	v := 20 * math.Sin(float64(x)/19) * math.Sin(float64(y)/13)
	return color.NRGBA{250, uint8(232 + v/4), uint8(110 + v), 255}
}

func TestTheBorderOfAPanelGoesOn(t *testing.T) {
	t.Parallel()
	truth := page(400, 160, unframed)
	hole := bitmap.New(truth.Rect)
	for x := 20; x < 380; x += 50 { // sound effects that cover most of the border
		for y := 50; y < 120; y++ {
			for k := range 40 {
				hole.Add(x+k+(120-y)/8, y)
			}
		}
	}
	lettered := page(400, 160, func(x, y int) color.NRGBA {
		if hole.Has(x, y) {
			return color.NRGBA{A: 255}
		}
		return truth.NRGBAAt(x, y)
	})
	m := &mask.Mask{Bounds: truth.Rect, Regions: []mask.Region{{Class: mask.Art, Ink: hole, Hole: hole}}}

	got, err := inpaint.Filler{}.Fill(t.Context(), lettered, m)

	require.NoError(t, err)
	for y := range 160 {
		for x := range 400 {
			switch have := got.NRGBAAt(x, y); {
			case y > 82:
				require.GreaterOrEqual(t, have.B, uint8(250), "the gutter at %d,%d", x, y)
			case y < 80:
				require.Less(t, have.B, uint8(200), "the art at %d,%d", x, y)
			}
		}
	}
}
