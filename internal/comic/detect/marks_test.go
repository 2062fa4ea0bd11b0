package detect_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/detect"
)

// cry is a gray page with a white box that holds stems of a height, as wide as a fifth of it, with dots below.
func cry(stems, height int) *image.NRGBA {
	img := whitePage(640, 900)
	fill := func(x0, y0, x1, y1 int, c color.Color) {
		draw.Draw(img, image.Rect(x0, y0, x1, y1), image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(0, 0, 640, 900, color.Gray{150})
	fill(200, 300, 400, 460, color.White)
	dot := height / 5
	for i := range stems {
		x := 280 + 2*dot*i
		fill(x, 360, x+dot, 360+height*7/10, color.Black)
		fill(x, 360+height-dot, x+dot, 360+height, color.Black)
	}
	return img
}

func TestMarksAloneAreFound(t *testing.T) {
	t.Parallel()
	params := detect.DefaultParams()
	params.PageWidth = 640
	d := newDetector(t, 1, params)
	marks := func(img *image.NRGBA) (n int) {
		lines, err := d.Lines(t.Context(), img)
		require.NoError(t, err)
		for _, l := range lines {
			x0, y0, x1, y1 := l.Quad.Bounds()
			if x0 < 282 && x0 > 240 && y0 > 320 && y0 < 362 && x1 < 360 && y1 < 430 {
				n++
			}
		}
		return n
	}
	require.Equal(t, 1, marks(cry(3, 30)))
	require.Equal(t, 1, marks(cry(1, 30)))
	require.Zero(t, marks(cry(0, 30)))
}
