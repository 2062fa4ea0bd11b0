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

// hatched is a page of colored art with dark lines across it, and in dark frames a row of white windows and one of white corners,
// hollow as what lines that cross leave between them.
func hatched() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 900, 1200))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := color.NRGBA{uint8(60 + x/8), uint8(100 + y/12), 120, 255}
			if (3*x+y)%70 < 6 {
				c = color.NRGBA{20, 30, 30, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	for x := 100; x < 500; x += 50 {
		draw.Draw(img, image.Rect(x, 900, x+40, 990), image.Black, image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(x+6, 906, x+34, 984), image.White, image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(x, 1020, x+50, 1070), image.Black, image.Point{}, draw.Src)
		for i := range 40 * 40 {
			if dx, dy := 40-i%40, 40-i/40; dx*dx+dy*dy > 36*36 {
				img.Set(x+5+i%40, 1025+i/40, color.White)
			}
		}
	}
	return img
}

// writeOutlined writes in white with a black outline.
func writeOutlined(t *testing.T, img *image.NRGBA, text string, size float64, x, y int) {
	t.Helper()
	const outline = 5
	plain := whitePage(img.Rect.Dx(), img.Rect.Dy())
	write(t, plain, text, size, x, y)
	at := func(x, y int) bool { return (image.Point{x, y}).In(plain.Rect) && plain.NRGBAAt(x, y).R < 128 }
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if !at(x, y) {
				continue
			}
			for dy := -outline; dy <= outline; dy++ {
				for dx := -outline; dx <= outline; dx++ {
					if !at(x+dx, y+dy) {
						img.SetNRGBA(x+dx, y+dy, color.NRGBA{10, 10, 10, 255})
					}
				}
			}
			img.SetNRGBA(x, y, color.NRGBA{250, 250, 250, 255})
		}
	}
}

func TestLetteringWithAnOutlineIsToldFromArt(t *testing.T) {
	t.Parallel()
	d := newDetector(t, 1, detect.DefaultParams())
	img := hatched()
	none, lines, err := d.Outlined(t.Context(), img, nil)
	require.NoError(t, err)
	require.Nil(t, none)
	require.Empty(t, lines)
	windows := raster.Quad{{90, 890}, {500, 890}, {500, 1000}, {90, 1000}}
	require.False(t, none.Holds(windows))

	writeOutlined(t, img, "SKRAASH", 120, 200, 500)
	outlined, lines, err := d.Outlined(t.Context(), img, nil)
	require.NoError(t, err)
	require.Len(t, lines, 1)
	x0, y0, x1, y1 := lines[0].Quad.Bounds()
	require.InDelta(t, 200, x0, 40)
	require.InDelta(t, 415, y0, 40)
	require.Greater(t, x1, 600.0)
	require.InDelta(t, 510, y1, 60)
	require.True(t, outlined.Holds(lines[0].Quad))
	require.False(t, outlined.Holds(windows))
	require.Equal(t, color.NRGBA{255, 255, 255, 255}, outlined.Image.NRGBAAt(120, 950), "a window")

	again, lines, err := d.Outlined(t.Context(), img, detect.Quads(lines))
	require.NoError(t, err)
	require.NotNil(t, again)
	require.Empty(t, lines, "found already")

	fast, _, err := newDetector(t, 1, detect.FastParams()).Outlined(t.Context(), img, nil)
	require.NoError(t, err)
	require.Nil(t, fast)
}

func TestLettersWithAnOutlineAreToldFromWhatLooksAlike(t *testing.T) {
	t.Parallel()
	d := newDetector(t, 1, detect.DefaultParams())
	img := hatched()
	writeOutlined(t, img, "SKRAASH", 120, 200, 480)
	sound := raster.Quad{{190, 380}, {720, 380}, {720, 500}, {190, 500}}

	draw.Draw(img, image.Rect(100, 100, 800, 300), image.Black, image.Point{}, draw.Src)
	plain := whitePage(700, 200)
	write(t, plain, "BOOM SNAP", 120, 60, 140)
	for i, v := range plain.Pix {
		if i%4 != 3 {
			plain.Pix[i] = 255 - v
		}
	}
	draw.Draw(img, image.Rect(100, 100, 800, 300), plain, image.Point{}, draw.Src)
	night := raster.Quad{{150, 140}, {760, 140}, {760, 260}, {150, 260}}

	draw.Draw(img, image.Rect(250, 560, 560, 700), image.Black, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(256, 566, 554, 694), image.White, image.Point{}, draw.Src)
	for bold := range 8 {
		write(t, img, "HEART", 100, 260+bold, 665)
	}
	said := raster.Quad{{260, 580}, {545, 580}, {545, 680}, {260, 680}}

	outlined, _, err := d.Outlined(t.Context(), img, nil)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		line            raster.Quad
		holds, outlined bool
	}{"with an outline": {sound, true, true}, "white on black": {night, true, false}, "in a bubble": {said, false, false}} {
		require.Equal(t, c.holds, outlined.Holds(c.line), name)
		require.Equal(t, c.outlined, outlined.Ends(c.line), name)
	}
}
