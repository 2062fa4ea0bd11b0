package descreen_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/descreen"
	"plait/internal/raster"
)

// page is a white page with staggered dots of a side at a pitch in an area, and a heavy cross of strokes, outlined in white, at
// cross.
func page(width, height int, toned image.Rectangle, pitch, side int, cross image.Point) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	dots(img, toned, pitch, side)
	for _, margin := range []int{4, 0} {
		fill(img, image.Rect(cross.X-20, cross.Y-3, cross.X+20, cross.Y+3).Inset(-margin), color.Gray{uint8(min(margin, 1) * 255)})
		fill(img, image.Rect(cross.X-3, cross.Y-20, cross.X+3, cross.Y+20).Inset(-margin), color.Gray{uint8(min(margin, 1) * 255)})
	}
	fill(img, image.Rect(cross.X-20, cross.Y-3, cross.X+20, cross.Y+3), color.Black)
	return img
}

func dots(img draw.Image, toned image.Rectangle, pitch, side int) {
	for y, row := toned.Min.Y, 0; y < toned.Max.Y; y, row = y+pitch/2, row+1 {
		for x := toned.Min.X + row%2*pitch/2; x < toned.Max.X; x += pitch {
			fill(img, image.Rect(x, y, x+side, y+side), color.Black)
		}
	}
}

func fill(img draw.Image, r image.Rectangle, c color.Color) {
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

func dark(img *image.NRGBA, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.NRGBAAt(x, y).R < 128 {
				n++
			}
		}
	}
	return n
}

func TestDotsGoAndStrokesStay(t *testing.T) {
	t.Parallel()
	toned := image.Rect(100, 100, 500, 500)
	img := page(1000, 1400, toned, 8, 3, image.Pt(300, 300))
	before := append([]uint8(nil), img.Pix...)
	cleaned, err := descreen.Clean(t.Context(), img)
	require.NoError(t, err)
	require.Equal(t, before, img.Pix, "the page itself is not changed")
	strokes := 2*40*6 - 6*6
	require.Equal(t, strokes, dark(cleaned.Image, img.Rect))
	for _, part := range []image.Rectangle{image.Rect(0, 0, 1000, 90), image.Rect(0, 510, 1000, 1400)} {
		for y := part.Min.Y; y < part.Max.Y; y++ {
			require.Equal(t, img.Pix[y*img.Stride:(y+1)*img.Stride], cleaned.Image.Pix[y*img.Stride:(y+1)*img.Stride])
		}
	}
	on := func(x0, y0, x1, y1 float64) raster.Quad {
		return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	}
	require.True(t, cleaned.Under(on(150, 150, 250, 180)))
	require.True(t, cleaned.In(480, 480, 900, 900))
	require.False(t, cleaned.Under(on(480, 480, 900, 900)), "tone reaches in at a corner")
	require.False(t, cleaned.In(600, 600, 2000, 2000))
}

func TestToneOfAStripIsCleanedAcrossBands(t *testing.T) {
	t.Parallel()
	img := page(1000, 2200, image.Rect(100, 900, 500, 1200), 8, 3, image.Pt(300, 1024))
	cleaned, err := descreen.Clean(t.Context(), img)
	require.NoError(t, err)
	require.Equal(t, 2*40*6-6*6, dark(cleaned.Image, img.Rect))
}

func TestAStripIsToldByStretchesOfAPage(t *testing.T) {
	t.Parallel()
	const width, height, pages = 1000, 1415, 3
	grainAt := image.Rect(100, 200, 250, 350) // in each stretch too little for tone, in all together enough
	img := page(width, pages*height, grainAt, 8, 3, image.Pt(500, 100))
	for i := range pages {
		dots(img, grainAt.Add(image.Pt(0, i*height)), 8, 3)
	}
	cleaned, err := descreen.Clean(t.Context(), img)
	require.NoError(t, err)
	require.Nil(t, cleaned)

	toned := image.Rect(100, height+500, 800, height+800)
	dots(img, toned, 8, 3)
	cleaned, err = descreen.Clean(t.Context(), img)
	require.NoError(t, err)
	require.Zero(t, dark(cleaned.Image, toned))
	before, after := (height-20)*img.Stride, (2*height+20)*img.Stride
	require.Equal(t, img.Pix[:before], cleaned.Image.Pix[:before])
	require.Equal(t, img.Pix[after:], cleaned.Image.Pix[after:])
	require.True(t, cleaned.In(200, height+600, 300, height+700))
	require.False(t, cleaned.In(100, 200, 250, 350))
}

func TestFineToneIsSmoothed(t *testing.T) {
	t.Parallel()
	img := page(700, 1000, image.Rect(100, 100, 400, 400), 2, 1, image.Pt(250, 250))
	cleaned, err := descreen.Clean(t.Context(), img)
	require.NoError(t, err)
	at := cleaned.Image.NRGBAAt(150, 150)
	require.InDelta(t, 128, int(at.R), 10)
	require.Less(t, cleaned.Image.NRGBAAt(250, 250).R, uint8(20))
}

func TestPageWithoutTone(t *testing.T) {
	t.Parallel()
	small := page(1000, 1400, image.Rect(100, 100, 130, 110), 8, 3, image.Pt(300, 300)) // an ellipsis, no tone
	for name, img := range map[string]*image.NRGBA{
		"a few dots": small, "no dots": page(300, 300, image.Rectangle{}, 8, 3, image.Pt(150, 150)), "one pixel": page(1, 1, image.Rectangle{}, 8, 3, image.Point{}),
	} {
		cleaned, err := descreen.Clean(t.Context(), img)
		require.NoError(t, err, name)
		require.Nil(t, cleaned, name)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := descreen.Clean(ctx, small)
	require.ErrorIs(t, err, context.Canceled)
}
