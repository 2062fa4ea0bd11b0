package main

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

// Upright bars 20 pixels high in the place of bars 40 pixels high. The width of a bar that is as wide as a part of its height, w of 1, is
// measured as w / (1 + w).
func TestWeightIsInUnitsOfTheHeightOfLetters(t *testing.T) {
	t.Parallel()
	bars := func(width, height int) *image.NRGBA {
		var boxes []image.Rectangle
		for x := 20; x < 120; x += 20 {
			boxes = append(boxes, image.Rect(x, 40, x+width, 40+height))
		}
		return painted(0, painted(0, nil), boxes...)
	}
	r := comic.Region{Lines: []raster.Quad{{{15, 35}, {125, 35}, {125, 85}, {15, 85}}}}
	for _, c := range []struct {
		width int
		want  float64
	}{{2, 1}, {3, 0.15 / 1.15 * 1.1 / 0.1}, {4, 0.2 / 1.2 * 1.1 / 0.1}} {
		p := &letteredPage{original: bars(4, 40), erased: painted(0, nil), page: bars(c.width, 20)}
		lettered := letter.Lettered{Box: image.Rect(15, 35, 125, 65), Cap: 20}
		require.InDelta(t, c.want, p.weight(r, lettered), 0.02)
		p.human = map[int][]block{0: {{Box: box{15, 35, 125, 65}}}}
		p.setStrokes(bars(c.width, 20), p.erased)
		require.InDelta(t, 1, p.weight(r, lettered), 0.02)
	}
}
