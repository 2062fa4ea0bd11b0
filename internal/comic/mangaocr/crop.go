package mangaocr

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"plait/internal/raster"
)

// side is the width and height of the encoder's input.
const side = 224

// sample writes the line, stretched to a square and composited over white, as three equal planes of gray, -1..1. It reports whether the
// line has an area.
func sample(img *image.NRGBA, q raster.Quad, planes []float32) bool {
	// The affine map from the square to the page.
	a, b := (q[1][0]-q[0][0])/side, (q[3][0]-q[0][0])/side
	c, d := (q[1][1]-q[0][1])/side, (q[3][1]-q[0][1])/side
	area := a*d - b*c
	if math.Abs(area)*side*side < 1 {
		return false
	}
	x, y := q[0][0]+float64(img.Rect.Min.X), q[0][1]+float64(img.Rect.Min.Y)
	toSquare := f64.Aff3{d / area, -b / area, (b*y - d*x) / area, -c / area, a / area, (c*x - a*y) / area}
	square := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(square, square.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.BiLinear.Transform(square, toSquare, img, img.Rect, draw.Over, nil)
	const plane = side * side
	for i := range plane {
		p := square.Pix[4*i : 4*i+3]
		// The model was trained on luma.
		v := raster.RGB(p[:3]).Luma()/127.5 - 1
		planes[i], planes[plane+i], planes[2*plane+i] = v, v, v
	}
	return true
}
