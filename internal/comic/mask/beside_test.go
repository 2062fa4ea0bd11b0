package mask_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

// The rim of the panel has the color of the footnote, and the box of the line reaches it.
func TestTheRimOfAPanelAboveAFootnoteStays(t *testing.T) {
	t.Parallel()
	gray := color.NRGBA{150, 150, 150, 255}
	img := image.NewNRGBA(image.Rect(0, 0, 360, 140))
	fill(img, img.Rect, white)
	for x := 20; x < 340; x += 6 {
		fill(img, image.Rect(x, 0, x+6, 60), color.NRGBA{uint8(60 + x%40), uint8(50 + x%25), 40, 255})
	}
	fill(img, image.Rect(20, 60, 340, 61), color.NRGBA{215, 215, 215, 255})
	fill(img, image.Rect(100, 60, 220, 61), gray)
	strokes := word(img, image.Pt(60, 64), 10, gray, 0)

	r := glyphs(t, img, []comic.Region{region(0, line(56, 57, 250, 88))}).Regions[0]

	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	for x := 20; x < 340; x++ {
		require.False(t, r.Hole.Has(x, 60), "the rim at %d", x)
		require.False(t, r.Hole.Has(x, 59), "the panel at %d", x)
	}
}

// A tip of art of one color points into the bubble and touches a glyph.
func TestATipOfArtInALineStays(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 360, 140))
	fill(img, img.Rect, white)
	for x := 217; x < 359; x++ {
		reach := min(2+(x-216)/8, 60)
		fill(img, image.Rect(x, 70-reach, x+1, 70+reach), color.NRGBA{120, 130, 110, 255})
	}
	strokes := word(img, image.Pt(60, 60), 9, black, 0)

	r := glyphs(t, img, []comic.Region{region(0, line(56, 56, 240, 84))}).Regions[0]

	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	for x := 225; x < 240; x++ {
		require.False(t, r.Hole.Has(x, 70), "the art at %d", x)
	}
}
