package scan_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document/scan"
)

// inkAfter is the number of dark pixels of a picture that patches leave.
func inkAfter(picture *image.NRGBA, patches []scan.Patch) (n int) {
	after := image.NewNRGBA(picture.Rect)
	draw.Draw(after, after.Rect, picture, image.Point{}, draw.Src)
	for _, p := range patches {
		draw.Draw(after, p.Rect, p.Pixels, image.Point{}, draw.Over)
	}
	for i := 0; i < len(after.Pix); i += 4 {
		if after.Pix[i] < 128 {
			n++
		}
	}
	return n
}

// The ends of the lines of a page that lies askew are above and below the box of their text. What stands beside them stays.
func TestTheEndsOfLinesThatLieAskewAreCleared(t *testing.T) {
	t.Parallel()
	const slope = -0.0175
	picture := image.NewNRGBA(image.Rect(0, 0, 1400, 200))
	draw.Draw(picture, picture.Rect, image.White, image.Point{}, draw.Src)
	letter := func(x, y int) {
		draw.Draw(picture, image.Rect(x, y, x+12, y+20), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	for x := 40; x < 1360; x += 20 {
		letter(x, 90+int(math.Round(slope*float64(x-700))))
	}
	letter(60, 70) // the end of the line above
	area := scan.Area{Box: image.Rect(40, 90, 1360, 110), Slope: slope}
	require.Equal(t, 12*20, inkAfter(picture, scan.Clear(picture, []scan.Area{area}, nil)))
	area.Slope = 0
	require.Greater(t, inkAfter(picture, scan.Clear(picture, []scan.Area{area}, nil)), 12*20*20)
}
