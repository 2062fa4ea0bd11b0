package inpaint_test

import (
	"context"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/inpaint"
	"plait/internal/comic/mask"
)

// shade returns the gray of a pixel whose middle is inside a black shape by so many pixels.
func shade(inside float64) color.NRGBA {
	v := uint8(255 * (1 - min(max(inside+0.5, 0), 1)))
	return color.NRGBA{v, v, v, 255}
}

// A tone that does not continue in phase looks dirty, and its dots are too fine to be seen at lower resolutions.
func TestATextureContinuesInPhase(t *testing.T) {
	t.Parallel()
	dots := func(pitch, radius float64) func(x, y float64) color.NRGBA {
		return func(x, y float64) color.NRGBA {
			u, v := math.Remainder(x+y, pitch)/2, math.Remainder(x-y, pitch)/2
			return shade(radius - math.Hypot(u+v, u-v))
		}
	}
	for name, texture := range map[string]func(x, y float64) color.NRGBA{
		"fine dots":   dots(4.3, 1.2),
		"coarse dots": dots(9.7, 2.6),
		"dense dots":  dots(5.2, 2.3),
		"hatching":    func(x, y float64) color.NRGBA { return shade(1 - math.Abs(math.Remainder(x+0.7*y, 8.4))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			truth := page(240, 200, func(x, y int) color.NRGBA { return texture(float64(x), float64(y)) })
			hole := word(truth.Rect).Dilate(4)
			lettered := page(240, 200, func(x, y int) color.NRGBA {
				if hole.Has(x, y) {
					return shade(1)
				}
				return truth.NRGBAAt(x, y)
			})
			m := &mask.Mask{Bounds: truth.Rect, Regions: []mask.Region{{Class: mask.Texture, Ink: hole, Hole: hole}}}

			got, err := inpaint.Filler{}.Fill(context.Background(), lettered, m)

			require.NoError(t, err)
			require.Greater(t, likeness(got, truth, hole), 20.0)
		})
	}
}
