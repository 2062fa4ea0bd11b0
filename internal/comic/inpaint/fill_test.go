package inpaint_test

import (
	"context"
	"image"
	"image/color"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/inpaint"
	"plait/internal/comic/mask"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

func page(w, h int, at func(x, y int) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, at(x, y))
		}
	}
	return img
}

func hole(r image.Rectangle, class mask.Class, ground raster.RGB) mask.Region {
	b := bitmap.New(r.Inset(-8))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			b.Add(x, y)
		}
	}
	return mask.Region{Class: class, Ground: ground, Ink: b, Hole: b}
}

func TestFlatHolesGetTheExactColor(t *testing.T) {
	t.Parallel()
	img := page(80, 60, func(x, y int) color.NRGBA {
		if x > 20 && x < 50 && y > 20 && y < 40 {
			return color.NRGBA{0, 0, 0, 200}
		}
		return color.NRGBA{250, 240, 230, 200}
	})
	m := &mask.Mask{Bounds: img.Rect, Regions: []mask.Region{hole(image.Rect(18, 18, 52, 42), mask.Art, raster.RGB{})}}

	got, err := inpaint.Filler{}.Fill(context.Background(), img, m)

	require.NoError(t, err)
	for y := range 60 {
		for x := range 80 {
			require.Equal(t, color.NRGBA{250, 240, 230, 200}, got.NRGBAAt(x, y))
		}
	}
	require.Equal(t, color.NRGBA{0, 0, 0, 200}, img.NRGBAAt(30, 30), "the page itself is not touched")
}

func TestGradientsContinue(t *testing.T) {
	t.Parallel()
	ramp := func(x, y int) color.NRGBA {
		return color.NRGBA{uint8(40 + x), uint8(200 - y), uint8(60 + (x+y)/2), 255}
	}
	img := page(160, 120, ramp)
	r := hole(image.Rect(40, 30, 120, 90), mask.Smooth, raster.RGB{})
	m := &mask.Mask{Bounds: img.Rect, Regions: []mask.Region{r}}
	for i, p := range r.Hole.Pix {
		if at := r.Hole.Point(i); p != 0 {
			img.SetNRGBA(at.X, at.Y, color.NRGBA{A: 255})
		}
	}

	got, err := inpaint.Filler{}.Fill(context.Background(), img, m)

	require.NoError(t, err)
	for y := range 120 {
		for x := range 160 {
			want, have := ramp(x, y), got.NRGBAAt(x, y)
			d := raster.Difference(raster.RGB{want.R, want.G, want.B}, raster.RGB{have.R, have.G, have.B})
			require.LessOrEqual(t, d, 2, "at %d,%d", x, y)
		}
	}
}

func TestApartIsNoBorder(t *testing.T) {
	t.Parallel()
	img := page(60, 60, func(x, _ int) color.NRGBA {
		if x >= 40 {
			return color.NRGBA{0, 0, 0, 255} // an outline directly beside the hole
		}
		return color.NRGBA{uint8(200 + x%3), 210, 220, 255}
	})
	r := hole(image.Rect(20, 20, 40, 40), mask.Smooth, raster.RGB{})
	r.Apart = bitmap.New(img.Rect)
	for y := range 60 {
		for x := 40; x < 60; x++ {
			r.Apart.Add(x, y)
		}
	}

	got, err := inpaint.Filler{}.Fill(context.Background(), img, &mask.Mask{Bounds: img.Rect, Regions: []mask.Region{r}})

	require.NoError(t, err)
	require.Greater(t, got.NRGBAAt(39, 30).R, uint8(195))
}

func noisyMask(img *image.NRGBA) *mask.Mask {
	m := &mask.Mask{Bounds: img.Rect}
	for i, r := range []image.Rectangle{image.Rect(10, 10, 60, 50), image.Rect(50, 40, 110, 70), image.Rect(0, 80, 128, 96)} {
		m.Regions = append(m.Regions, hole(r.Intersect(img.Rect), mask.Class(i), raster.RGB{9, 9, 9}))
	}
	for i := range m.Regions {
		m.Regions[i].Hole = clipped(m.Regions[i].Hole, img.Rect)
	}
	return m
}

func clipped(b *bitmap.Bitmap, r image.Rectangle) *bitmap.Bitmap {
	out := bitmap.New(b.Rect.Intersect(r))
	out.Union(b)
	return out
}

func TestNothingOutsideTheMaskChangesOnAnyNumberOfThreads(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	img := page(128, 96, func(_, _ int) color.NRGBA {
		return color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256))}
	})
	m := noisyMask(img)
	results := make([]*image.NRGBA, 4)
	var wg sync.WaitGroup
	for i, workers := range []int{0, 1, 2, 8} {
		wg.Go(func() { results[i], _ = inpaint.Filler{Workers: workers}.Fill(context.Background(), img, m) })
	}
	wg.Wait()
	for _, got := range results {
		require.Equal(t, results[0].Pix, got.Pix)
	}
	all := m.Merged()
	for i, p := range all.Pix {
		if at := all.Point(i); p == 0 {
			require.Equal(t, img.NRGBAAt(at.X, at.Y), results[0].NRGBAAt(at.X, at.Y))
		}
	}
}

func TestAHoleWithoutSurroundings(t *testing.T) {
	t.Parallel()
	img := page(20, 20, func(_, _ int) color.NRGBA { return color.NRGBA{1, 2, 3, 255} })
	r := hole(img.Rect, mask.Art, raster.RGB{})
	r.Hole = clipped(r.Hole, img.Rect)
	_, err := inpaint.Filler{}.Fill(context.Background(), img, &mask.Mask{Bounds: img.Rect, Regions: []mask.Region{r}})
	require.NoError(t, err)
}

func TestFillStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	img := page(128, 96, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), uint8(y), 0, 255} })
	_, err := inpaint.Filler{}.Fill(ctx, img, noisyMask(img))
	require.ErrorIs(t, err, context.Canceled)
}
