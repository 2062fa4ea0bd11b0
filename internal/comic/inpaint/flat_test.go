package inpaint_test

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/inpaint"
	"plait/internal/comic/mask"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// Letters stand across the lower edge of a bubble. Between them, within the reach of their rims, the page shows where the edge is: it stays
// there, rather than halfway between the ground above and the art below the letters.
func TestTheEdgeOfABubbleIsContinuedUnderItsLetters(t *testing.T) {
	t.Parallel()
	const edge = 60
	white, sky := color.NRGBA{255, 255, 255, 255}, color.NRGBA{40, 85, 135, 255}
	bare := func(_, y int) color.NRGBA {
		if y < edge {
			return white
		}
		return sky
	}
	img := page(160, 120, bare)
	ink, near := bitmap.New(img.Rect), bitmap.New(image.Rect(0, 0, img.Rect.Dx(), edge))
	for x := 40; x < 120; x += 8 {
		for y := 40; y < edge+8; y++ {
			for dx := range 4 {
				img.SetNRGBA(x+dx, y, color.NRGBA{A: 255})
				ink.Add(x+dx, y)
			}
		}
	}
	holes := ink.Dilate(2)
	near.Union(ink.Dilate(8))
	holes.Union(near)
	m := &mask.Mask{Bounds: img.Rect, Regions: []mask.Region{{
		Class: mask.Flat, Ground: raster.RGB{255, 255, 255}, Ink: ink.Dilate(2), Hole: holes, Apart: bitmap.New(img.Rect),
	}}}

	got, err := inpaint.Filler{}.Fill(context.Background(), img, m)

	require.NoError(t, err)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			want, have := bare(x, y), got.NRGBAAt(x, y)
			off := raster.Difference(raster.RGB{want.R, want.G, want.B}, raster.RGB{have.R, have.G, have.B})
			require.True(t, off <= 48 || y == edge-1 || y == edge, "at %d,%d: %v", x, y, have)
		}
	}
}
