package mask_test

import (
	"flag"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

var update = flag.Bool("update", false, "write the golden masks")

var (
	teal = color.NRGBA{70, 84, 88, 255}
	soot = color.NRGBA{16, 18, 20, 255}
)

// sound draws a sound effect of three glyphs, 60 pixels high with strokes 8 pixels wide, filled, with an outline 4 pixels wide and a drop
// shadow 4 pixels to the right and down. It returns all their pixels.
func sound(img *image.NRGBA, at image.Point, fills ...color.NRGBA) *bitmap.Bitmap {
	var strokes []image.Rectangle
	for i := range 3 {
		for _, r := range []image.Rectangle{
			image.Rect(0, 0, 8, 60), image.Rect(0, 0, 34, 8), image.Rect(0, 26, 28, 34), image.Rect(0, 52, 34, 60),
		} {
			strokes = append(strokes, r.Add(at).Add(image.Pt(52*i, 0)))
		}
	}
	drawn := bitmap.New(img.Rect)
	for _, s := range strokes {
		for _, r := range []image.Rectangle{s.Inset(-4), s.Inset(-4).Add(image.Pt(4, 4))} {
			fill(img, r, soot)
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					drawn.Add(x, y)
				}
			}
		}
	}
	for i, s := range strokes {
		fill(img, s, fills[i/4%len(fills)])
	}
	return drawn
}

// effect returns a region of a sound effect.
func effect(q raster.Quad) comic.Region {
	return comic.Region{Lines: []raster.Quad{q}, FontSize: q[2][1] - q[0][1], Kind: comic.KindEffect}
}

// requireDrawn fails unless the hole has nearly all drawn pixels and few others.
func requireDrawn(t *testing.T, drawn *bitmap.Bitmap, r mask.Region) {
	t.Helper()
	held, more := 0, 0
	near := drawn.Dilate(3)
	for i, p := range drawn.Pix {
		at := drawn.Point(i)
		switch has := r.Hole.Has(at.X, at.Y); {
		case has && p != 0:
			held++
		case has && near.Pix[i] == 0:
			more++
		}
	}
	require.Greater(t, float64(held), 0.99*float64(drawn.Count()), "of the lettering")
	require.Less(t, float64(more), 0.02*float64(drawn.Count()), "beside the lettering")
}

func TestAnOutlineEndsInDarkArt(t *testing.T) {
	t.Parallel()
	img := noise(320, 200)
	// Art as dark as the outline, which touches it.
	for x := 0; x < 320; x += 16 {
		fill(img, image.Rect(x, 110+x%48, x+14, 200), soot)
	}
	drawn := sound(img, image.Pt(80, 70), white)
	m := glyphs(t, img, []comic.Region{effect(line(70, 60, 240, 145))})
	requireGolden(t, "dark-art", m)
	requireDrawn(t, drawn, m.Regions[0])
}

// A shadow around an outline is erased with it, what is left of one within a wide glow is seen, and art beside lettering is no rest of it.
func TestARestAroundLetteringIsErasedOrSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shadow, glow int32 // their squared widths
		rest         bool
	}{{0, 0, false}, {25, 0, false}, {42, 0, false}, {25, 100, true}} {
		img := noise(320, 200)
		drawn := sound(img, image.Pt(80, 70), white)
		shaded := bitmap.New(img.Rect)
		shaded.Union(drawn)
		for i, d := range drawn.Distance() {
			at := drawn.Point(i)
			for _, reach := range []int32{c.shadow, c.glow} {
				if d > 0 && d <= reach {
					p := img.NRGBAAt(at.X, at.Y)
					img.SetNRGBA(at.X, at.Y, color.NRGBA{p.R - 35, p.G - 35, p.B - 35, 255})
					shaded.Pix[i] = 1
				}
			}
		}
		r := glyphs(t, img, []comic.Region{effect(line(70, 60, 240, 145))}).Regions[0]
		require.Equal(t, c.rest, r.Rest, "%+v", c)
		left := 0
		for i, p := range shaded.Pix {
			if at := shaded.Point(i); p != 0 && !r.Hole.Has(at.X, at.Y) {
				left++
			}
		}
		require.Equal(t, c.rest, left > shaded.Count()/100, "%d pixels are left of %+v", left, c)
	}
}

func TestDrawnSoundsLeaveWhatIsDrawnBesideThem(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 200))
	fill(img, img.Rect, teal)
	// Thin arcs and stars between and beside the glyphs.
	stars := []image.Point{{112, 50}, {172, 52}, {60, 100}, {250, 90}, {150, 150}}
	for _, p := range stars {
		fill(img, image.Rect(p.X-6, p.Y, p.X+7, p.Y+1), cream)
		fill(img, image.Rect(p.X, p.Y-6, p.X+1, p.Y+7), cream)
	}
	drawn := sound(img, image.Pt(80, 70), white)
	m := glyphs(t, img, []comic.Region{effect(line(50, 40, 260, 160))})
	for i, p := range drawn.Pix {
		if at := drawn.Point(i); p != 0 {
			require.True(t, m.Regions[0].Hole.Has(at.X, at.Y), "%v is lettering", at)
		}
	}
	for _, p := range stars {
		require.False(t, m.Regions[0].Hole.Has(p.X, p.Y), "the star at %v stays", p)
	}
}

// Marks of the color of the fill are around the glyphs, and their contours are longer. But they go on where there is no lettering.
func TestLetteringAmongMarksOfItsColor(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 240))
	fill(img, img.Rect, color.NRGBA{120, 200, 110, 255})
	for y := 2; y < 240; y += 24 {
		for x := 2; x < 320; x += 10 {
			fill(img, image.Rect(x, y, x+5, y+20), white)
		}
	}
	drawn := sound(img, image.Pt(80, 90), white)
	requireDrawn(t, drawn, glyphs(t, img, []comic.Region{effect(line(70, 80, 240, 165))}).Regions[0])
}

func TestAnOutlineNearlyOfTheColorBehindIt(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 200))
	for y := range 200 { // a night sky
		fill(img, image.Rect(0, y, 320, y+1), color.NRGBA{uint8(34 + y/8), uint8(38 + y/8), uint8(84 + y/5), 255})
	}
	drawn := sound(img, image.Pt(80, 70), cream)
	r := glyphs(t, img, []comic.Region{effect(line(70, 60, 240, 145))}).Regions[0]
	for i, p := range drawn.Pix {
		if at := drawn.Point(i); p != 0 {
			require.True(t, r.Hole.Has(at.X, at.Y), "%v is lettering", at)
		}
	}
	require.NotEqual(t, mask.Flat, r.Class, "the sky is no single color")
}

// A broad outline that hardly differs from the sky is all that is near the glyphs, but not all that is beside the lines.
func TestABroadOutlineNearlyOfTheColorBehindItIsNoGround(t *testing.T) {
	t.Parallel()
	sky, dusk := color.NRGBA{27, 30, 80, 255}, color.NRGBA{31, 27, 61, 255}
	img := image.NewNRGBA(image.Rect(0, 0, 480, 200))
	fill(img, img.Rect, sky)
	var outlines []image.Rectangle
	for i := range 6 {
		for _, r := range []image.Rectangle{image.Rect(0, 0, 8, 60), image.Rect(0, 0, 34, 8), image.Rect(0, 26, 28, 34), image.Rect(0, 52, 34, 60)} {
			outlines = append(outlines, r.Add(image.Pt(80+54*i, 70)).Inset(-9))
		}
	}
	for _, r := range outlines {
		fill(img, r, dusk)
	}
	for _, r := range outlines {
		fill(img, r.Inset(9), cream)
	}
	caption := region(0, line(74, 64, 390, 136))
	caption.Kind, caption.FontSize = comic.KindFree, 64
	r := glyphs(t, img, []comic.Region{caption}).Regions[0]
	for _, outline := range outlines {
		require.True(t, holds(r, outline), "outline %v", outline)
	}
	require.Equal(t, mask.Flat, r.Class)
	require.Equal(t, raster.RGB{27, 30, 80}, r.Ground)
}

func TestDarkArtOfOneColorIsNoGround(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 200))
	rng := rand.New(rand.NewPCG(5, 5))
	for y := range 200 { // the grain of paper
		for x := range 320 {
			v := uint8(rng.IntN(28))
			img.SetNRGBA(x, y, color.NRGBA{60 + v, 72 + v, 76 + v, 255})
		}
	}
	for x := 5; x < 320; x += 23 { // and lines of art, which the outline touches; between two strokes they go with it
		fill(img, image.Rect(x, 0, x+2, 200), soot)
	}
	drawn := sound(img, image.Pt(80, 70), white)
	reg := effect(line(70, 60, 240, 145))
	reg.Kind = comic.KindFree
	r := glyphs(t, img, []comic.Region{reg}).Regions[0]
	require.Equal(t, mask.Art, r.Class)
	for i, p := range drawn.Pix {
		if at := drawn.Point(i); p != 0 {
			require.True(t, r.Hole.Has(at.X, at.Y), "%v is lettering", at)
		}
	}
	require.Less(t, r.Hole.Count(), drawn.Dilate(3).Count()+drawn.Count()/20)
}

func TestGlyphsThatStickOutOfTheirQuad(t *testing.T) {
	t.Parallel()
	img := noise(320, 200)
	drawn := sound(img, image.Pt(80, 70), white)
	// The detected quad is slanted, has only the upper half, and misses the last glyph.
	quad := raster.Quad{{75, 66}, {180, 52}, {186, 112}, {81, 126}}
	requireDrawn(t, drawn, glyphs(t, img, []comic.Region{effect(quad)}).Regions[0])
}

// The paper between the strokes is as wide as those of the glyphs, of their color, and has black on all sides.
func TestThePaperBetweenFocusLinesStays(t *testing.T) {
	t.Parallel()
	for name, panel := range map[string]image.Rectangle{
		"in a wide panel":   image.Rect(4, 60, 516, 400),
		"in a narrow panel": image.Rect(120, 140, 430, 346),
	} {
		img := image.NewNRGBA(image.Rect(0, 0, 520, 460))
		fill(img, img.Rect, white)
		fill(img, panel, black)
		var papers []image.Rectangle
		for x := panel.Min.X + 6; x+12 < panel.Max.X; x += 14 {
			papers = append(papers, image.Rect(x, panel.Min.Y+4, x+9, panel.Max.Y-4))
		}
		for _, r := range papers {
			fill(img, r, white)
		}
		sound(img, image.Pt(200, 210), white)
		r := glyphs(t, img, []comic.Region{effect(line(190, 200, 360, 285))}).Regions[0]
		require.True(t, holds(r, image.Rect(200, 210, 208, 270)), "%s: the lettering", name)
		for _, p := range papers {
			require.False(t, r.Hole.Has(p.Min.X+4, p.Min.Y+6), "%s: the paper at %d", name, p.Min.X)
			require.False(t, r.Hole.Has(p.Min.X+4, p.Max.Y-7), "%s: the paper at %d", name, p.Min.X)
		}
	}
}

func TestFillsThatGoFromColorToColor(t *testing.T) {
	t.Parallel()
	img := noise(320, 200)
	drawn := sound(img, image.Pt(80, 70), white)
	// Each glyph is yellow above and red below, within its outline.
	for y := range 200 {
		for x := range 320 {
			if img.NRGBAAt(x, y) == white {
				img.SetNRGBA(x, y, color.NRGBA{250, uint8(240 - max(0, y-70)*3), 40, 255})
			}
		}
	}
	requireDrawn(t, drawn, glyphs(t, img, []comic.Region{effect(line(70, 60, 240, 145))}).Regions[0])
}

func TestLetteringWithoutAnOutlineOverTone(t *testing.T) {
	t.Parallel()
	for name, tone := range map[string]color.NRGBA{"tone": {90, 90, 90, 255}, "tone of the color of the text": black} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img := image.NewNRGBA(image.Rect(0, 0, 300, 120))
			fill(img, img.Rect, white)
			for y := 0; y < 120; y += 6 {
				for x := y / 6 % 2 * 3; x < 300; x += 6 {
					fill(img, image.Rect(x, y, x+2, y+2), tone)
				}
			}
			strokes := word(img, image.Pt(60, 50), 8, black, 0)
			m := glyphs(t, img, []comic.Region{region(0, line(56, 46, 206, 74))})
			for _, s := range strokes {
				require.True(t, holds(m.Regions[0], s), "stroke %v", s)
			}
			require.Less(t, m.Regions[0].Hole.Count(), 8*17*24+1500, "little of the tone is taken")
			if tone != black {
				requireGolden(t, "tone", m)
			}
		})
	}
}

// requireGolden compares a mask with testdata/NAME.txt, in which each character stands for 4 by 4 pixels: '#' if all are masked, '+' if
// some are, '.' if none is. With -update it writes the file first.
func requireGolden(t *testing.T, name string, m *mask.Mask) {
	t.Helper()
	all := m.Merged()
	var b strings.Builder
	for y := 0; y < m.Bounds.Dy(); y += 4 {
		for x := 0; x < m.Bounds.Dx(); x += 4 {
			n := 0
			for i := range 16 {
				if all.Has(x+i%4, y+i/4) {
					n++
				}
			}
			switch n {
			case 0:
				b.WriteByte('.')
			case 16:
				b.WriteByte('#')
			default:
				b.WriteByte('+')
			}
		}
		b.WriteByte('\n')
	}
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

func BenchmarkGlyphs(b *testing.B) {
	img := noise(1240, 1751)
	var regions []comic.Region
	for i := range 16 {
		at := image.Pt(80+300*(i%4), 100+400*(i/4))
		if i%4 == 0 {
			sound(img, at, white)
			regions = append(regions, effect(line(float64(at.X-10), float64(at.Y-10), float64(at.X+160), float64(at.Y+75))))
			continue
		}
		bubble(img, image.Rect(at.X-20, at.Y-20, at.X+170, at.Y+60))
		word(img, at, 8, black, 0)
		regions = append(regions, region(i, line(float64(at.X-2), float64(at.Y-2), float64(at.X+140), float64(at.Y+22))))
	}
	for b.Loop() {
		if _, err := mask.Glyphs(b.Context(), img, regions, nil); err != nil {
			b.Fatal(err)
		}
	}
}
