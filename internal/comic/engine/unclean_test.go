package engine_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/core"
	"plait/internal/raster"
)

// word is the pixels of a word drawn large into box.
func word(t *testing.T, text string, page, box image.Rectangle) (glyphs []image.Point) {
	t.Helper()
	paper := image.NewNRGBA(page)
	for i := range paper.Pix {
		paper.Pix[i] = 255
	}
	l, err := letter.Open(letter.Config{Assets: assetstest.Location()})
	require.NoError(t, err)
	_, err = l.Draw(t.Context(), letter.Page{
		Erased: paper, Original: paper, Regions: []comic.Region{drawnIn(0, box)}, Lang: "en", Translations: []core.Translation{{Text: text}},
	}, letter.DefaultParams())
	require.NoError(t, err)
	for y := page.Min.Y; y < page.Max.Y; y++ {
		for x := page.Min.X; x < page.Max.X; x++ {
			if paper.NRGBAAt(x, y).R < 128 {
				glyphs = append(glyphs, image.Pt(x, y))
			}
		}
	}
	require.NotEmpty(t, glyphs)
	return glyphs
}

func drawnIn(index int, box image.Rectangle) comic.Region {
	x0, y0, x1, y1 := float64(box.Min.X), float64(box.Min.Y), float64(box.Max.X), float64(box.Max.Y)
	return comic.Region{
		Index: index, Kind: comic.KindEffect, Direction: comic.Horizontal, FontSize: y1 - y0, Text: "sound",
		Lines: []raster.Quad{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}},
	}
}

// twoSounds is a page of waves with two drawn sounds: a black one, and one whose glyphs are of as many colors as they have pixels, which
// no mask tells apart from art.
func twoSounds(t *testing.T) (file []byte, plain, speckled []image.Point) {
	t.Helper()
	page := image.NewNRGBA(image.Rect(0, 0, 800, 1100))
	for i := range page.Pix {
		x, y := float64(i/4%800), float64(i/4/800)
		page.Pix[i] = uint8(190 + 40*math.Sin(x/9+y/23) + 25*math.Sin(y/7))
		if i%4 == 3 {
			page.Pix[i] = 255
		}
	}
	plain = word(t, "BANG", page.Rect, image.Rect(250, 150, 550, 290))
	speckled = word(t, "KNOCK", page.Rect, image.Rect(250, 700, 550, 840))
	for _, p := range plain {
		page.SetNRGBA(p.X, p.Y, color.NRGBA{A: 255})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, p := range speckled {
		c := func() uint8 { return uint8(random.IntN(150)) }
		page.SetNRGBA(p.X, p.Y, color.NRGBA{c(), c(), c(), 255})
	}
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, page))
	return out.Bytes(), plain, speckled
}

// A sound that cannot be erased cleanly stays as drawn, and its translation stands beside it; one that can is replaced.
func TestASoundThatCannotBeErasedIsAnnotated(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	file, plain, speckled := twoSounds(t)
	c, found, err := e.Detect(t.Context(), file, comic.Options{From: "en", To: "de"})
	require.NoError(t, err)
	require.Len(t, found.Regions, 2)
	for _, r := range found.Regions {
		require.NotEqual(t, comic.KindDialogue, r.Kind)
	}
	erased, err := e.Erase(t.Context(), c, c.Regions())
	require.NoError(t, err)
	require.Equal(t, []int{1}, erased.Kept)
	same := func(p image.Point) bool { return c.Picture().Image.NRGBAAt(p.X, p.Y) == erased.Image.NRGBAAt(p.X, p.Y) }
	require.False(t, slices.ContainsFunc(plain, same), "the black sound is erased")
	for _, p := range speckled {
		require.True(t, same(p), "%v was changed", p)
	}

	translations := []core.Translation{{Index: 0, Text: "PENG"}, {Index: 1, Text: "KLOPF"}}
	lettered, report, err := e.Render(t.Context(), c, translations)
	require.NoError(t, err)
	require.Equal(t, []int{1}, report.Annotated)
	_, again, err := e.Detect(t.Context(), lettered, comic.Options{From: "en", To: "de"})
	require.NoError(t, err)
	var texts []string
	for _, r := range again.Regions {
		texts = append(texts, r.Text)
	}
	for _, want := range []string{"PENG", "KNOCK", "KLOPF"} {
		require.Contains(t, strings.Join(texts, " "), want)
	}

	prepared, err := e.Prepare(t.Context(), c, translations)
	require.NoError(t, err)
	fromPrepared, report, err := e.Render(t.Context(), prepared, translations)
	require.NoError(t, err)
	require.Equal(t, lettered, fromPrepared)
	require.Equal(t, []int{1}, report.Annotated)
}
