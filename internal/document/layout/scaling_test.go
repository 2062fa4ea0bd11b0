package layout_test

import (
	"image"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"plait/internal/document/layout"
)

// Pictures are scaled as by the filter of x/image, up to the rounding of a value.
func TestPicturesAreScaledByATentFilter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ from, to image.Point }{
		{image.Pt(119, 168), image.Pt(61, 80)}, {image.Pt(31, 40), image.Pt(61, 80)}, {image.Pt(1, 1), image.Pt(5, 3)},
		{image.Pt(300, 20), image.Pt(4, 20)}, {image.Pt(64, 64), image.Pt(64, 64)},
	} {
		picture := image.NewRGBA(image.Rectangle{Max: c.from})
		for i := range picture.Pix {
			picture.Pix[i] = uint8(random.UintN(256))
			if i%4 == 3 {
				picture.Pix[i] = 255
			}
		}
		area := image.Rectangle{Max: c.to}.Add(image.Pt(2, 3))
		want, got := image.NewRGBA(image.Rect(0, 0, c.to.X+5, c.to.Y+5)), image.NewRGBA(image.Rect(0, 0, c.to.X+5, c.to.Y+5))
		draw.BiLinear.Scale(want, area, picture, picture.Rect, draw.Src, nil)
		layout.Scale(got, area, picture)
		for i := range want.Pix {
			require.InDelta(t, want.Pix[i], got.Pix[i], 1, "%v to %v, value %d", c.from, c.to, i)
		}
	}
}
