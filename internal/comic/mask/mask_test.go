package mask_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster"
)

var (
	white = color.NRGBA{255, 255, 255, 255}
	black = color.NRGBA{0, 0, 0, 255}
	navy  = color.NRGBA{30, 28, 60, 255}
	cream = color.NRGBA{255, 248, 216, 255}
)

func fill(img *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// noise returns a page of art: patches of random colors.
func noise(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	rng := rand.New(rand.NewPCG(7, 7))
	for y := 0; y < h; y += 6 {
		for x := 0; x < w; x += 6 {
			c := color.NRGBA{uint8(70 + rng.IntN(110)), uint8(70 + rng.IntN(110)), uint8(70 + rng.IntN(110)), 255}
			fill(img, image.Rect(x, y, x+6, y+6), c)
		}
	}
	return img
}

// word draws n glyphs at p in the form of an E, 20 pixels high with strokes 4 pixels wide, and returns their strokes. grow widens the
// strokes on all sides.
func word(img *image.NRGBA, p image.Point, n int, c color.NRGBA, grow int) []image.Rectangle {
	var strokes []image.Rectangle
	for i := range n {
		at := p.Add(image.Pt(18*i, 0))
		for _, r := range []image.Rectangle{
			image.Rect(0, 0, 4, 20), image.Rect(0, 0, 13, 4), image.Rect(0, 8, 13, 12), image.Rect(0, 16, 13, 20),
		} {
			strokes = append(strokes, r.Add(at))
			fill(img, r.Add(at).Inset(-grow), c)
		}
	}
	return strokes
}

func line(x0, y0, x1, y1 float64) raster.Quad {
	return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

func region(index int, lines ...raster.Quad) comic.Region {
	return comic.Region{Index: index, Lines: lines, FontSize: 24}
}

// bubble draws a white box with a black outline 3 pixels wide around r.
func bubble(img *image.NRGBA, r image.Rectangle) {
	fill(img, r.Inset(-3), black)
	fill(img, r, white)
}

func TestGlyphsInABubble(t *testing.T) {
	t.Parallel()
	img := noise(300, 160)
	bubble(img, image.Rect(40, 40, 260, 110))
	strokes := word(img, image.Pt(60, 60), 8, black, 0)
	comma := image.Rect(208, 78, 212, 84) // missed by the detector
	fill(img, comma, black)

	m := glyphs(t, img, []comic.Region{region(3, line(58, 58, 200, 82))})

	require.Len(t, m.Regions, 1)
	r := m.Regions[0]
	require.Equal(t, 3, r.Index)
	require.Equal(t, mask.Flat, r.Class)
	require.Equal(t, raster.RGB{255, 255, 255}, r.Ground)
	for _, s := range append(strokes, comma) {
		require.True(t, holds(r, s.Inset(-2)), "stroke %v with its rim", s)
	}
	all := m.Merged()
	for i, p := range all.Pix {
		if at := all.Point(i); p != 0 && !at.In(image.Rect(42, 42, 258, 108)) {
			t.Fatalf("%v is outline or art", at)
		}
	}
}

func holds(r mask.Region, box image.Rectangle) bool {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if !r.Hole.Has(x, y) {
				return false
			}
		}
	}
	return true
}

func TestFuriganaGoesWithItsText(t *testing.T) {
	t.Parallel()
	img := noise(300, 200)
	bubble(img, image.Rect(30, 40, 270, 160))
	word(img, image.Pt(60, 100), 8, black, 0)
	ruby := image.Rect(64, 76, 130, 84) // too far from the line to count as near it
	for x := ruby.Min.X; x < ruby.Max.X; x += 12 {
		fill(img, image.Rect(x, ruby.Min.Y, x+6, ruby.Max.Y), black)
	}
	with := region(0, line(58, 98, 200, 122))
	with.Ruby = []raster.Quad{line(62, 74, 132, 86)}

	r := glyphs(t, img, []comic.Region{with}).Regions[0]
	for x := ruby.Min.X; x < ruby.Max.X; x += 12 {
		require.True(t, holds(r, image.Rect(x, ruby.Min.Y, x+6, ruby.Max.Y)), "the ruby at %d stays", x)
	}
}

func TestTextThatIsNotGivenStays(t *testing.T) {
	t.Parallel()
	img := noise(300, 200)
	bubble(img, image.Rect(40, 30, 260, 170))
	upper := word(img, image.Pt(60, 50), 8, black, 0)
	lower := word(img, image.Pt(60, 120), 8, black, 0)
	given := region(0, line(58, 48, 200, 72))

	m := glyphs(t, img, []comic.Region{given})

	require.True(t, holds(m.Regions[0], upper[0]))
	for _, s := range lower {
		require.False(t, m.Regions[0].Hole.Has(s.Min.X+1, s.Min.Y+1))
	}
}

func TestAGlyphThatTouchesTheOutline(t *testing.T) {
	t.Parallel()
	img := noise(300, 160)
	bubble(img, image.Rect(40, 40, 260, 110))
	strokes := word(img, image.Pt(60, 60), 8, black, 0)
	stem := image.Rect(60, 60, 64, 112) // down to the outline
	fill(img, stem, black)

	r := glyphs(t, img, []comic.Region{region(0, line(58, 58, 200, 82))}).Regions[0]

	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	require.False(t, r.Hole.Has(100, 111), "the outline stays")
}

func TestASpeckAtTheOutlineStays(t *testing.T) {
	t.Parallel()
	img := noise(300, 160)
	bubble(img, image.Rect(50, 50, 214, 92))
	word(img, image.Pt(60, 60), 8, black, 0)
	speck := image.Rect(210, 87, 213, 90) // beside the outline, without touching it
	fill(img, speck, navy)
	r := glyphs(t, img, []comic.Region{region(0, line(58, 58, 200, 82))}).Regions[0]
	require.Equal(t, mask.Flat, r.Class)
	require.False(t, r.Hole.Has(speck.Min.X+1, speck.Min.Y+1))
}

// What is pale around a bubble without an outline is no ground, and a speck of it that is slightly darker is no dot of the lettering.
func TestASpeckInPaleArtBelowABubbleStays(t *testing.T) {
	t.Parallel()
	img := noise(500, 260)
	fill(img, image.Rect(20, 20, 480, 240), color.NRGBA{217, 231, 226, 255})
	fill(img, image.Rect(40, 40, 460, 174), white)
	var lines []raster.Quad
	for y := 60; y < 160; y += 28 {
		word(img, image.Pt(60, y), 20, black, 0)
		lines = append(lines, line(58, float64(y-2), 420, float64(y+22)))
	}
	speck := image.Rect(120, 178, 124, 181)
	fill(img, speck, color.NRGBA{211, 227, 220, 255})
	r := glyphs(t, img, []comic.Region{region(0, lines...)}).Regions[0]
	require.Equal(t, mask.Flat, r.Class)
	require.False(t, r.Hole.Has(speck.Min.X+1, speck.Min.Y+1))
}

func TestACaptionInACoarseFileIsAGround(t *testing.T) {
	t.Parallel()
	img := noise(300, 160)
	bubble(img, image.Rect(40, 40, 260, 110))
	fill(img, image.Rect(40, 40, 260, 110), cream)
	strokes := word(img, image.Pt(60, 60), 8, black, 0)
	throughJPEG(t, img, 55)

	r := glyphs(t, img, []comic.Region{region(0, line(58, 58, 200, 82))}).Regions[0]
	require.NotEqual(t, mask.Art, r.Class)
	for _, s := range strokes {
		require.True(t, holds(r, s.Inset(-2)), "stroke %v", s)
		around := s.Inset(-4)
		for y := around.Min.Y; y < around.Max.Y; y++ {
			for x := around.Min.X; x < around.Max.X; x++ {
				ringing := raster.Difference(raster.At(img, x, y), raster.RGB{cream.R, cream.G, cream.B}) > 16
				require.True(t, !ringing || r.Hole.Has(x, y), "the ringing at %d,%d", x, y)
			}
		}
	}
}

// throughJPEG replaces img by what remains of it after JPEG compression at this quality.
func throughJPEG(t *testing.T, img *image.NRGBA, quality int) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}))
	decoded, err := jpeg.Decode(&b)
	require.NoError(t, err)
	draw.Draw(img, img.Rect, decoded, image.Point{}, draw.Src)
}

func TestGlyphsThatTouchArt(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 300, 160))
	fill(img, img.Rect, color.NRGBA{160, 172, 138, 255})
	fill(img, image.Rect(40, 40, 202, 110), white) // no outline
	word(img, image.Pt(60, 60), 8, black, 0)
	last := image.Rect(198, 66, 203, 80) // a stroke on the edge
	dot := image.Rect(190, 105, 194, 111)
	fill(img, last, black)
	fill(img, dot, black)
	r := glyphs(t, img, []comic.Region{region(0, line(58, 58, 204, 82), line(58, 90, 197, 113))}).Regions[0]
	require.True(t, holds(r, last), "the stroke")
	require.True(t, holds(r, dot), "the dot")
	require.False(t, r.Hole.Has(207, 70), "the art")
}

func TestGradientsAreSmooth(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 300, 120))
	for y := range 120 {
		fill(img, image.Rect(0, y, 300, y+1), color.NRGBA{uint8(200 + y/8), 180, 230, 255})
	}
	strokes := word(img, image.Pt(60, 50), 8, navy, 0)

	r := glyphs(t, img, []comic.Region{region(0, line(58, 48, 200, 72))}).Regions[0]

	require.Equal(t, mask.Smooth, r.Class)
	require.True(t, holds(r, strokes[0]))
}

func TestOutlinedGlyphsOverArt(t *testing.T) {
	t.Parallel()
	img := noise(320, 120)
	word(img, image.Pt(60, 50), 8, navy, 3)
	strokes := word(img, image.Pt(60, 50), 8, cream, 0)
	reg := region(0, line(54, 44, 206, 76))
	reg.FG = raster.RGB{255, 248, 216}

	r := glyphs(t, img, []comic.Region{reg}).Regions[0]

	require.Equal(t, mask.Art, r.Class)
	for _, s := range strokes {
		require.True(t, holds(r, s.Inset(-3)), "stroke %v with its outline", s)
	}
	require.Less(t, r.Hole.Count(), 8*20*26+2000, "little of the art is taken")
}

func TestRegionsOffThePage(t *testing.T) {
	t.Parallel()
	img := noise(60, 60)
	m := glyphs(t, img, []comic.Region{region(0), region(1, line(-80, -80, -60, -70)), region(2, line(50, 50, 90, 70))})
	require.Len(t, m.Regions, 3)
	require.Zero(t, m.Regions[1].Hole.Count())
	require.Equal(t, img.Rect, m.Merged().Rect)
}

func glyphs(t *testing.T, img *image.NRGBA, regions []comic.Region) *mask.Mask {
	t.Helper()
	m, err := mask.Glyphs(t.Context(), img, regions, nil)
	require.NoError(t, err)
	return m
}

func TestGlyphsStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	_, err := mask.Glyphs(ctx, image.NewNRGBA(image.Rect(0, 0, 100, 100)), []comic.Region{region(0, line(20, 20, 80, 40))}, nil)
	require.ErrorIs(t, err, context.Canceled)
}
