package inpaint_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/inpaint"
	"plait/internal/comic/mask"
	"plait/internal/raster"
)

// The dark outline of the title hardly differs from the upper part of the sky. The gradient of the sky must be restored.
func TestAnOutlinedTitleOverASkyLeavesNothing(t *testing.T) {
	t.Parallel()
	sky := page(560, 300, func(_, y int) color.NRGBA {
		return color.NRGBA{uint8(38 + y/7), uint8(38 + y/9), uint8(93 + y/6), 255}
	})
	img := page(560, 300, sky.NRGBAAt)
	var strokes []image.Rectangle
	for i := range 4 { // letters in the form of an E, at alternating heights
		at := image.Pt(70+108*i, 70+9*(i%2))
		for _, r := range []image.Rectangle{
			image.Rect(0, 0, 14, 110), image.Rect(0, 0, 66, 14), image.Rect(0, 48, 54, 62), image.Rect(0, 96, 66, 110),
		} {
			strokes = append(strokes, r.Add(at))
		}
	}
	for _, pass := range []struct {
		wider int
		paint color.NRGBA
	}{{16, color.NRGBA{31, 27, 61, 255}}, {0, color.NRGBA{255, 248, 216, 255}}} {
		for _, s := range strokes {
			draw.Draw(img, s.Inset(-pass.wider), image.NewUniform(pass.paint), image.Point{}, draw.Src)
		}
	}
	title := comic.Region{
		Kind: comic.KindFree, FontSize: 120,
		Lines: []raster.Quad{{{62, 60}, {470, 60}, {470, 196}, {62, 196}}},
	}

	got := erased(t, img, title)
	for y := range 300 {
		for x := range 560 {
			require.LessOrEqual(t, off(sky, got, x, y), 6, "at %d,%d", x, y)
		}
	}
}

// erased returns the page without the lettering of a region.
func erased(t *testing.T, img *image.NRGBA, r comic.Region) *image.NRGBA {
	t.Helper()
	m, err := mask.Glyphs(t.Context(), img, []comic.Region{r}, nil)
	require.NoError(t, err)
	got, err := inpaint.Filler{}.Fill(t.Context(), img, m)
	require.NoError(t, err)
	return got
}

// off returns the difference between two pictures at a pixel, in levels.
func off(a, b *image.NRGBA, x, y int) int {
	p, q := a.NRGBAAt(x, y), b.NRGBAAt(x, y)
	return raster.Difference(raster.RGB{p.R, p.G, p.B}, raster.RGB{q.R, q.G, q.B})
}

// The upper ends of the strokes are on the art above a bubble without an outline. The art must continue behind them, and the bubble must
// keep its edge.
func TestStrokesThatReachBeyondABubble(t *testing.T) {
	t.Parallel()
	const edge = 50
	bare := page(320, 160, func(x, y int) color.NRGBA {
		if y >= edge {
			return color.NRGBA{255, 255, 255, 255}
		}
		return color.NRGBA{uint8(190 + x/16), uint8(150 + y/4), 90, 255}
	})
	img := page(320, 160, bare.NRGBAAt)
	for i := range 12 { // three heights in turn
		top := 60 - i%3*9
		draw.Draw(img, image.Rect(60+16*i, top, 65+16*i, 82), image.Black, image.Point{}, draw.Src)
	}
	text := comic.Region{
		Kind: comic.KindDialogue, FontSize: 30, Lines: []raster.Quad{{{56, 40}, {250, 40}, {250, 86}, {56, 86}}},
	}

	got := erased(t, img, text)
	for y := range 160 {
		for x := range 320 {
			if y < edge-2 || y > edge+2 {
				require.LessOrEqual(t, off(bare, got, x, y), 20, "at %d,%d", x, y)
			}
		}
	}
}

// The ground of the lettering changes from place to place. It must stay as it is between the letters, but for the ringing of compression.
func TestAGroundThatChangesIsKeptBetweenLetters(t *testing.T) {
	t.Parallel()
	bare := page(420, 160, func(x, y int) color.NRGBA {
		v := uint8(190 + 6*math.Sin(float64(x)/16) + 4*math.Sin(float64(y)/21))
		return color.NRGBA{v, v - 10, v - 30, 255}
	})
	img := page(420, 160, bare.NRGBAAt)
	for i := range 14 {
		at := image.Pt(60+21*i, 62)
		for _, r := range []image.Rectangle{
			image.Rect(0, 0, 4, 28), image.Rect(0, 0, 13, 4), image.Rect(0, 12, 13, 16), image.Rect(0, 24, 13, 28),
		} {
			draw.Draw(img, r.Add(at), image.Black, image.Point{}, draw.Src)
		}
	}
	text := comic.Region{Kind: comic.KindFree, FontSize: 36, Lines: []raster.Quad{{{56, 58}, {360, 58}, {360, 94}, {56, 94}}}}
	for name, c := range map[string]struct {
		page *image.NRGBA
		most int
	}{"exact": {img, 2}, "compressed": {compressed(t, img, 75), 14}} {
		got := erased(t, c.page, text)
		for y := range 160 {
			for x := range 420 {
				require.LessOrEqual(t, off(bare, got, x, y), c.most, "%s at %d,%d", name, x, y)
			}
		}
	}
}

// compressed returns a page as it is in a JPEG file.
func compressed(t *testing.T, img *image.NRGBA, quality int) *image.NRGBA {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, jpeg.Encode(&file, img, &jpeg.Options{Quality: quality}))
	decoded, err := jpeg.Decode(&file)
	require.NoError(t, err)
	out := image.NewNRGBA(img.Rect)
	draw.Draw(out, out.Rect, decoded, image.Point{}, draw.Src)
	return out
}
