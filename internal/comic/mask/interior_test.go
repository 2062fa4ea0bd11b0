package mask_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster"
)

// around reports whether a pixel is inside a round bubble, and whether it is inside or on the outline of the bubble, which is 3 pixels
// wide.
func around(x, y int) (inside, outline bool) {
	dx, dy := float64(x-150)+0.5, float64(y-100)+0.5
	return math.Hypot(dx/110, dy/70) < 1, math.Hypot(dx/113, dy/73) < 1
}

// roundBubble is a white bubble with a black outline on a pale background.
func roundBubble() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	fill(img, img.Rect, color.NRGBA{242, 220, 208, 255})
	for y := range 200 {
		for x := range 300 {
			switch inside, outline := around(x, y); {
			case inside:
				img.SetNRGBA(x, y, white)
			case outline:
				img.SetNRGBA(x, y, black)
			}
		}
	}
	return img
}

// requireOutlineStays fails if the hole has more than spare pixels of the outline, or any pixel beyond it.
func requireOutlineStays(t *testing.T, r mask.Region, spare int) {
	t.Helper()
	taken := 0
	for y := range 200 {
		for x := range 300 {
			inside, outline := around(x, y)
			if inside || !r.Hole.Has(x, y) {
				continue
			}
			require.True(t, outline, "(%d, %d) is beyond the outline", x, y)
			taken++
		}
	}
	require.LessOrEqual(t, taken, spare)
}

func TestAnOutlineThroughTheCornerOfALine(t *testing.T) {
	t.Parallel()
	img := roundBubble()
	strokes := word(img, image.Pt(118, 49), 6, black, 0) // the last one ends 2 pixels from the outline
	r := glyphs(t, img, []comic.Region{region(0, line(116, 42, 230, 78))}).Regions[0]
	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	requireOutlineStays(t, r, 0)
}

func TestAnOutlineThroughFurigana(t *testing.T) {
	t.Parallel()
	img := roundBubble()
	word(img, image.Pt(90, 90), 7, black, 0)
	ruby := image.Rect(207, 54, 213, 60)
	fill(img, ruby, black)
	with := region(0, line(88, 88, 218, 112))
	with.Ruby = []raster.Quad{line(205, 36, 222, 68)}
	r := glyphs(t, img, []comic.Region{with}).Regions[0]
	require.True(t, holds(r, ruby))
	requireOutlineStays(t, r, 0)
}

func TestAGlyphThatRunsIntoTheOutlineEndsThere(t *testing.T) {
	t.Parallel()
	img := roundBubble()
	strokes := word(img, image.Pt(118, 49), 6, black, 0)
	bar := image.Rect(208, 57, 238, 61)
	fill(img, bar, black)
	r := glyphs(t, img, []comic.Region{region(0, line(116, 42, 242, 78))}).Regions[0]
	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	require.True(t, holds(r, image.Rect(208, 57, 232, 61)), "the bar")
	requireOutlineStays(t, r, 12) // the end of the bar
}

// A caption is hardly larger than its text: its frame and the dots around it are within the reach of the lines, and its frame may be in a
// line.
func TestTheFrameOfASmallCaptionStays(t *testing.T) {
	t.Parallel()
	for name, ground := range map[string]func(*image.NRGBA){
		"paper": func(*image.NRGBA) {},
		"screentone": func(img *image.NRGBA) {
			for y := 3; y < 200; y += 7 {
				for x := 3; x < 200; x += 7 {
					fill(img, image.Rect(x, y, x+3, y+3), black)
				}
			}
		},
	} {
		for marked, quad := range map[string]raster.Quad{"the text": line(81, 87, 118, 113), "its frame above and below": line(79, 81, 120, 119)} {
			t.Run(name+", with "+marked+" in the line", func(t *testing.T) {
				t.Parallel()
				img := image.NewNRGBA(image.Rect(0, 0, 200, 200))
				fill(img, img.Rect, white)
				ground(img)
				inside := image.Rect(77, 83, 122, 117)
				fill(img, inside.Inset(-2), black)
				fill(img, inside, white)
				strokes := word(img, image.Pt(84, 90), 2, black, 0)
				r := glyphs(t, img, []comic.Region{region(0, quad)}).Regions[0]
				for _, s := range strokes {
					require.True(t, holds(r, s), "stroke %v", s)
				}
				for i, p := range r.Hole.Pix {
					at := r.Hole.Point(i)
					require.True(t, p == 0 || at.In(inside), "%v is outside of the caption", at)
				}
			})
		}
	}
}

// The detector marks a line of narrow glyphs more broadly than the bubble that they stand in: most of what is beside the line is beyond it.
func TestABubbleThatIsNarrowerThanItsLineStays(t *testing.T) {
	t.Parallel()
	img := dots(16, 6)
	inside := image.Rect(141, 8, 176, 152)
	bubble(img, inside)
	var strokes []image.Rectangle
	for y := 44; y < 110; y += 26 {
		strokes = append(strokes, word(img, image.Pt(152, y), 1, black, 2)...)
	}
	r := glyphs(t, img, []comic.Region{{Lines: []raster.Quad{line(138, 40, 179, 120)}, FontSize: 54, Direction: comic.Vertical}}).Regions[0]
	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	for i, p := range r.Hole.Pix {
		at := r.Hole.Point(i)
		require.True(t, p == 0 || at.In(inside), "%v is outside of the bubble", at)
	}
}
