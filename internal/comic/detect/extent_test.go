package detect

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func fillBox(img *image.NRGBA, x0, y0, x1, y1 int) {
	draw.Draw(img, image.Rect(x0, y0, x1, y1), image.NewUniform(color.Black), image.Point{}, draw.Src)
}

func boxQuad(x0, y0, x1, y1 float64) raster.Quad {
	return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// letteredPage has a line of glyphs 20 high at 100..200, 100..120, found as 95..205, 95..125.
func letteredPage() (*image.NRGBA, raster.Quad) {
	img := image.NewNRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for x := 100; x < 200; x += 20 {
		fillBox(img, x, 100, x+8, 120)
	}
	return img, boxQuad(95, 95, 205, 125)
}

func TestLinesGrowOverTheirInk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		draw   func(*image.NRGBA)
		others []raster.Quad
		// from and to are where the line ends up, within 3 pixels.
		from, to float64
	}{
		"nothing beside it": {func(*image.NRGBA) {}, nil, 95, 205},
		"an ellipsis at both ends": {func(img *image.NRGBA) {
			for i := range 3 {
				fillBox(img, 70+8*i, 117, 73+8*i, 120)
				fillBox(img, 208+8*i, 117, 211+8*i, 120)
			}
		}, nil, 63, 234},
		"an outline":               {func(img *image.NRGBA) { fillBox(img, 212, 50, 214, 200) }, nil, 95, 205},
		"a dot behind the outline": {func(img *image.NRGBA) { fillBox(img, 209, 50, 211, 200); fillBox(img, 215, 117, 218, 120) }, nil, 95, 205},
		"ink too far away":         {func(img *image.NRGBA) { fillBox(img, 240, 110, 246, 116) }, nil, 95, 205},
		"another line":             {func(img *image.NRGBA) { fillBox(img, 212, 105, 240, 115) }, []raster.Quad{boxQuad(208, 95, 244, 125)}, 95, 205},
		"the dots of a texture": {func(img *image.NRGBA) {
			for x := 206; x < 400; x += 10 {
				for y := 100; y < 120; y += 8 {
					fillBox(img, x, y, x+3, y+3)
				}
			}
		}, nil, 95, 205},
		"a mark hanging in": {func(img *image.NRGBA) { fillBox(img, 210, 90, 216, 100) }, nil, 95, 205},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img, q := letteredPage()
			c.draw(img)
			lines := []Line{{Quad: q}}
			for _, o := range c.others {
				lines = append(lines, Line{Quad: o})
			}
			got := extend(img, lines)
			require.Len(t, got, len(lines))
			x0, y0, x1, y1 := got[0].Quad.Bounds()
			require.InDelta(t, c.from, x0, 3)
			require.InDelta(t, c.to, x1, 3)
			require.Equal(t, [2]float64{95, 125}, [2]float64{y0, y1})
		})
	}
}

func TestColumnsGrowDownwards(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 300, 400))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for y := 100; y < 200; y += 20 {
		fillBox(img, 100, y, 120, y+8)
	}
	fillBox(img, 114, 209, 119, 214) // a full stop, in the upper right of its cell
	got := extend(img, []Line{{Quad: boxQuad(95, 95, 125, 205)}})
	x0, y0, x1, y1 := got[0].Quad.Bounds()
	require.Equal(t, []float64{95, 95, 125}, []float64{x0, y0, x1})
	require.InDelta(t, 222, y1, 2)
}
