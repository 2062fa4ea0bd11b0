package detect

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesAreDrawnInToTheLetteringOfASmallBubble(t *testing.T) {
	t.Parallel()
	// frame is an outline 3 wide around the box.
	frame := func(img *image.NRGBA, x0, y0, x1, y1 int) {
		fillBox(img, x0, y0, x1, y1)
		draw.Draw(img, image.Rect(x0+3, y0+3, x1-3, y1-3), image.White, image.Point{}, draw.Src)
	}
	letters := func(img *image.NRGBA) {
		fillBox(img, 190, 120, 210, 140)
		fillBox(img, 190, 145, 210, 165)
	}
	found := boxQuad(158, 98, 242, 192)
	for name, c := range map[string]struct {
		draw func(*image.NRGBA)
		want [4]float64
	}{
		"a bubble":        {func(img *image.NRGBA) { frame(img, 160, 100, 240, 190); letters(img) }, [4]float64{185, 115, 215, 170}},
		"no bubble":       {letters, [4]float64{158, 98, 242, 192}},
		"a larger bubble": {func(img *image.NRGBA) { frame(img, 100, 40, 300, 260); letters(img) }, [4]float64{158, 98, 242, 192}},
		"an empty one":    {func(img *image.NRGBA) { frame(img, 160, 100, 240, 190) }, [4]float64{158, 98, 242, 192}},
		"an outline around letters": {func(img *image.NRGBA) {
			fillBox(img, 170, 102, 230, 188)
			draw.Draw(img, image.Rect(174, 106, 178, 184), image.White, image.Point{}, draw.Src)
			draw.Draw(img, image.Rect(222, 106, 226, 184), image.White, image.Point{}, draw.Src)
		}, [4]float64{158, 98, 242, 192}},
		"a letter": {func(img *image.NRGBA) {
			frame(img, 178, 118, 222, 172)
			fillBox(img, 192, 130, 208, 160)
		}, [4]float64{158, 98, 242, 192}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img := image.NewNRGBA(image.Rect(0, 0, 400, 300))
			draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
			c.draw(img)
			draw.Draw(img, image.Rect(0, 0, 90, 300), image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
			lines := drawnIn(img, []Line{{Quad: found}})
			x0, y0, x1, y1 := lines[0].Quad.Bounds()
			for k, v := range [4]float64{x0, y0, x1, y1} {
				require.InDelta(t, c.want[k], v, 1.5)
			}
		})
	}
}
