package detect_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/detect"
	"plait/internal/raster"
)

// speedLines is a page that long strokes cross in two directions.
func speedLines() *image.NRGBA {
	img := whitePage(900, 1200)
	for x := range 900 {
		for k := range 24 {
			draw.Draw(img, image.Rect(x, 300+10*k+x/20, x+1, 303+10*k+x/20), image.Black, image.Point{}, draw.Src)
			draw.Draw(img, image.Rect(x, 300+17*k-x/9, x+1, 302+17*k-x/9), image.Black, image.Point{}, draw.Src)
		}
	}
	return img
}

// writeHaloed writes in black with a white rim.
func writeHaloed(t *testing.T, img *image.NRGBA, text string, size float64, x, y int) {
	t.Helper()
	const rim = 5
	plain := whitePage(img.Rect.Dx(), img.Rect.Dy())
	write(t, plain, text, size, x, y)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if plain.NRGBAAt(x, y).R < 128 {
				draw.Draw(img, image.Rect(x-rim, y-rim, x+rim+1, y+rim+1), image.White, image.Point{}, draw.Src)
			}
		}
	}
	write(t, img, text, size, x, y)
}

func TestLetteringWithARimIsToldFromStrokes(t *testing.T) {
	t.Parallel()
	d := newDetector(t, 1, detect.DefaultParams())
	known := []raster.Quad{{{100, 1000}, {400, 1000}, {400, 1050}, {100, 1050}}}
	look := func(img *image.NRGBA, known []raster.Quad) (*detect.Haloed, []detect.Line) {
		found, lines, err := d.Haloed(t.Context(), img, img, known)
		require.NoError(t, err)
		return found, lines
	}
	img := speedLines()
	none, lines := look(img, known)
	require.Nil(t, none, "strokes alone")
	require.Empty(t, lines)

	writeHaloed(t, img, "WAIT FOR ME", 40, 250, 420)
	found, lines := look(img, known)
	require.Len(t, lines, 1)
	x0, y0, x1, y1 := lines[0].Quad.Bounds()
	require.InDelta(t, 250, x0, 20)
	require.InDelta(t, 390, y0, 20)
	require.Greater(t, x1, 460.0)
	require.InDelta(t, 425, y1, 20)
	require.True(t, found.Holds(lines[0].Quad))
	require.False(t, found.Holds(known[0]))
	for x := range 900 {
		require.Equal(t, color.NRGBA{255, 255, 255, 255}, found.Image.NRGBAAt(x, 440), "strokes are gone")
	}

	_, lines = look(img, append(known, lines[0].Quad))
	require.Empty(t, lines, "known already")
	none, _ = look(img, nil)
	require.Nil(t, none, "nothing tells the size of lettering")
	fast, _, err := newDetector(t, 1, detect.FastParams()).Haloed(t.Context(), img, img, known)
	require.NoError(t, err)
	require.Nil(t, fast)
	draw.Draw(img, image.Rect(0, 0, 900, 250), image.NewUniform(color.NRGBA{90, 160, 220, 255}), image.Point{}, draw.Src)
	none, _ = look(img, known)
	require.Nil(t, none, "a painted page")
}
