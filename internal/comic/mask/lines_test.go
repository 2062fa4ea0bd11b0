package mask_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster"
)

func TestAHeadingAboveSmallerLines(t *testing.T) {
	t.Parallel()
	img := noise(420, 220)
	strokes := word(img, image.Pt(40, 140), 18, cream, 0)
	for i := range 5 {
		for _, r := range []image.Rectangle{
			image.Rect(0, 0, 12, 60), image.Rect(0, 0, 39, 12), image.Rect(0, 24, 39, 36), image.Rect(0, 48, 39, 60),
		} {
			at := r.Add(image.Pt(80+54*i, 40))
			fill(img, at, cream)
			strokes = append(strokes, at)
		}
	}
	credits := region(0, line(76, 38, 344, 102), line(38, 138, 362, 162))

	r := glyphs(t, img, []comic.Region{credits}).Regions[0]

	requireStrokes(t, img, strokes, r, 4)
}

func TestALineInAnotherColor(t *testing.T) {
	t.Parallel()
	img := noise(420, 220)
	strokes := word(img, image.Pt(40, 40), 18, cream, 0)
	strokes = append(strokes, word(img, image.Pt(40, 80), 18, cream, 0)...)
	strokes = append(strokes, word(img, image.Pt(130, 120), 8, soot, 0)...)
	credits := region(0, line(38, 38, 362, 62), line(38, 78, 362, 102), line(128, 118, 272, 142))

	r := glyphs(t, img, []comic.Region{credits}).Regions[0]

	requireStrokes(t, img, strokes, r, 4)
}

func TestLinesOfTwoSizesInABubbleHaveOneGround(t *testing.T) {
	t.Parallel()
	img := noise(300, 200)
	bubble(img, image.Rect(30, 30, 270, 160))
	strokes := word(img, image.Pt(60, 110), 8, black, 0)
	large := image.Rect(60, 50, 72, 90)
	fill(img, large, black)

	r := glyphs(t, img, []comic.Region{region(0, line(56, 46, 130, 94), line(58, 108, 204, 132))}).Regions[0]

	require.Equal(t, mask.Flat, r.Class)
	require.Equal(t, raster.RGB{255, 255, 255}, r.Ground)
	for _, s := range append(strokes, large) {
		require.True(t, holds(r, s.Inset(-2)), "stroke %v with its rim", s)
	}
}

func TestALineWithoutHeightDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	img := noise(300, 160)
	bubble(img, image.Rect(40, 40, 260, 110))
	strokes := word(img, image.Pt(60, 60), 8, black, 0)
	flat := region(0, line(60, 50, 200, 50), line(58, 58, 204, 82))
	flat.FontSize = 0

	r := glyphs(t, img, []comic.Region{flat}).Regions[0]

	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
}
