package mask_test

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

func TestARegionOfAWholeStripIsLookedAtInParts(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 400, 5600))
	fill(img, img.Rect, white)
	var strokes []image.Rectangle
	for y := 60; y < 5500; y += 120 {
		strokes = append(strokes, word(img, image.Pt(30, y), 18, black, 0)...)
	}
	whole := region(0, line(10, 10, 390, 5590))
	whole.Kind = comic.KindEffect
	r := glyphs(t, img, []comic.Region{whole}).Regions[0]
	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
}

func TestARegionWithoutBoundsHasNoLettering(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 1500, 1500))
	for _, v := range []float64{math.Inf(1), math.NaN(), math.MaxFloat64} {
		require.Zero(t, glyphs(t, img, []comic.Region{region(0, line(-v, -v, v, v))}).Regions[0].Hole.Count())
	}
}
