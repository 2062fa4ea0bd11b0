package letter_test

import (
	"context"
	"image"
	"image/color"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/core"
	"plait/internal/raster"
)

var open = sync.OnceValues(func() (*letter.Letterer, error) {
	return letter.Open(letter.Config{Assets: assetstest.Location()})
})

func letterer(tb testing.TB) *letter.Letterer {
	tb.Helper()
	l, err := open()
	require.NoError(tb, err)
	return l
}

// art returns a gray striped page of w by h pixels.
func art(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, color.NRGBA{uint8(90 + 60*((x/7+y/5)%2)), uint8(80 + x%40), uint8(110 + y%50), 255})
		}
	}
	return img
}

// oval draws a white bubble with a black outline into box.
func oval(img *image.NRGBA, box image.Rectangle) {
	cx, cy := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	rx, ry := float64(box.Dx())/2, float64(box.Dy())/2
	for y := box.Min.Y - 4; y < box.Max.Y+4; y++ {
		for x := box.Min.X - 4; x < box.Max.X+4; x++ {
			dx, dy := float64(x)+0.5-cx, float64(y)+0.5-cy
			switch {
			case math.Hypot(dx/rx, dy/ry) <= 1:
				img.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
			case math.Hypot(dx/(rx+3), dy/(ry+3)) <= 1:
				img.SetNRGBA(x, y, color.NRGBA{0, 0, 0, 255})
			}
		}
	}
}

// caption draws a cream box with an outline.
func caption(img *image.NRGBA, box image.Rectangle) {
	for y := box.Min.Y - 3; y < box.Max.Y+3; y++ {
		for x := box.Min.X - 3; x < box.Max.X+3; x++ {
			c := color.NRGBA{0, 0, 0, 255}
			if image.Pt(x, y).In(box) {
				c = color.NRGBA{255, 240, 200, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
}

// source returns a region of n lines of Japanese in the middle of box. Its lines cover the given share of box.
func source(index int, box image.Rectangle, part float64, n int) comic.Region {
	r := comic.Region{
		Index: index, Text: "日本語の台詞", Kind: comic.KindDialogue, FontSize: 26,
		Direction: comic.Horizontal, Alignment: comic.AlignCenter, SourceLang: "ja",
	}
	cx, cy := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	half := float64(box.Dx()) * part / 2
	for i := range n {
		y := cy + 34*(float64(i)-float64(n)/2)
		r.Lines = append(r.Lines, raster.Quad{{cx - half, y}, {cx + half, y}, {cx + half, y + 28}, {cx - half, y + 28}})
	}
	return r
}

func vertical(r comic.Region) comic.Region {
	r.Direction = comic.Vertical
	return r
}

func draw(tb testing.TB, page *image.NRGBA, lang string, regions []comic.Region, texts ...string) letter.Report {
	tb.Helper()
	report, err := letterer(tb).Draw(context.Background(), letter.Page{
		Erased: page, Original: clone(page), Regions: regions, Translations: translations(texts), Lang: lang,
	}, letter.DefaultParams())
	require.NoError(tb, err)
	return report
}

func translations(texts []string) []core.Translation {
	out := make([]core.Translation, len(texts))
	for i, text := range texts {
		out[i] = core.Translation{Index: i, Text: text}
	}
	return out
}

func clone(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	return out
}

// changed returns the pixels that differ.
func changed(a, b *image.NRGBA) []image.Point {
	var out []image.Point
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:]) != [4]byte(b.Pix[i:]) {
			out = append(out, image.Pt(i/4%a.Rect.Dx(), i/4/a.Rect.Dx()))
		}
	}
	return out
}
