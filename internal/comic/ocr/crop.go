package ocr

import (
	"image"
	"math"
	"math/bits"

	"plait/internal/raster"
)

// lineHeight is the height of the model's input.
const lineHeight = 48

// widthMultiple is the number of columns of the input for each step of the output.
const widthMultiple = 8

// maxLineWidth bounds the width of the input at 85 heights, far beyond any line of a comic. A longer line is squeezed.
const maxLineWidth = 4096

// crop maps the model's input to the page: the point on the page of the input's upper left corner, and the vectors along the whole width
// and the whole height of the input.
type crop struct {
	origin, along, down raster.Point
	// width is the number of columns of the line, without padding.
	width int
}

// upright crops the line as it is on the page.
func upright(q raster.Quad) crop { return newCrop(q[0], q[1], q[3]) }

// turned crops the line rotated a quarter turn counter-clockwise: the right side of the line is then at the top.
func turned(q raster.Quad) crop { return newCrop(q[1], q[2], q[0]) }

func newCrop(origin, right, below raster.Point) crop {
	along, down := right.Sub(origin), below.Sub(origin)
	width := int(math.Ceil(lineHeight * along.Length() / max(down.Length(), 1)))
	return crop{origin, along, down, min(max(width, 1), maxLineWidth)}
}

// tighter cuts off a share of the height on both sides of the line.
func (c crop) tighter(share float64) crop {
	origin := c.origin.Add(c.down.Times(share))
	return newCrop(origin, origin.Add(c.along), origin.Add(c.down.Times(1-2*share)))
}

// opposite crops the line upside down.
func (c crop) opposite() crop {
	c.origin = c.origin.Add(c.along).Add(c.down)
	c.along, c.down = c.along.Times(-1), c.down.Times(-1)
	return c
}

// paddedWidth is the width of the model's input, with padding: one of eight between a power of two and the next, because a graphics card
// has to plan for each width.
func (c crop) paddedWidth() int {
	step := max(1<<bits.Len(uint(c.width-1))/16, widthMultiple)
	return (c.width + step - 1) / step * step
}

// sample writes blue, green and red planes of lineHeight x stride, -1..1. It leaves the padding unchanged.
func (c crop) sample(img *image.NRGBA, stride int, planes []float32) {
	area := stride * lineHeight
	// When the line shrinks, each column takes several samples so that no thin stroke is missed.
	across := oversampling(c.along.Length() / float64(c.width))
	upDown := oversampling(c.down.Length() / lineHeight)
	share := 1 / float32(across*upDown)
	for y := range lineHeight {
		for x := range c.width {
			var sum [3]float32
			for j := range upDown {
				v := (float64(y) + (float64(j)+0.5)/float64(upDown)) / lineHeight
				for i := range across {
					u := (float64(x) + (float64(i)+0.5)/float64(across)) / float64(c.width)
					addBilinear(&sum, img, c.origin[0]+u*c.along[0]+v*c.down[0], c.origin[1]+u*c.along[1]+v*c.down[1])
				}
			}
			for k := range 3 {
				planes[k*area+y*stride+x] = sum[k]*share/127.5 - 1
			}
		}
	}
}

// oversampling is the number of samples for an input pixel that spans so many source pixels: 1..8.
func oversampling(pixels float64) int { return min(max(int(math.Ceil(pixels-0.25)), 1), 8) }

// addBilinear adds the color of img at x, y, measured from its upper left corner: blue, green, red, 0..255, over white. It repeats the
// edge beyond the image.
func addBilinear(sum *[3]float32, img *image.NRGBA, x, y float64) {
	x, y = x-0.5, y-0.5
	left, top := math.Floor(x), math.Floor(y)
	fx, fy := float32(x-left), float32(y-top)
	w, h := img.Rect.Dx()-1, img.Rect.Dy()-1
	x0, y0 := min(max(int(left), 0), w), min(max(int(top), 0), h)
	x1, y1 := min(max(int(left)+1, 0), w), min(max(int(top)+1, 0), h)
	addPixel(sum, img, x0, y0, (1-fx)*(1-fy))
	addPixel(sum, img, x1, y0, fx*(1-fy))
	addPixel(sum, img, x0, y1, (1-fx)*fy)
	addPixel(sum, img, x1, y1, fx*fy)
}

func addPixel(sum *[3]float32, img *image.NRGBA, x, y int, weight float32) {
	p := img.Pix[y*img.Stride+4*x : y*img.Stride+4*x+4 : y*img.Stride+4*x+4]
	if p[3] == 255 {
		sum[0] += weight * float32(p[2])
		sum[1] += weight * float32(p[1])
		sum[2] += weight * float32(p[0])
		return
	}
	alpha := float32(p[3]) / 255
	for k := range 3 {
		sum[k] += weight * (255 + (float32(p[2-k])-255)*alpha)
	}
}
