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

// crop is the part of the page that the model's input shows, a parallelogram from the corner where reading begins.
type crop struct {
	raster.Quad
	// width is the number of columns of the line, without padding.
	width int
}

func newCrop(q raster.Quad) crop {
	along, down := q.Sides()
	return crop{q, min(max(int(math.Ceil(lineHeight*along/max(down, 1))), 1), maxLineWidth)}
}

// part is the part of the line between two shares of its height.
func (c crop) part(from, to float64) crop { return newCrop(c.From(1).Between(from, to).From(3)) }

// paddedWidth is the width of the model's input, with padding: one of eight between a power of two and the next, because a graphics card
// has to plan for each width.
func (c crop) paddedWidth() int {
	step := max(1<<bits.Len(uint(c.width-1))/16, widthMultiple)
	return (c.width + step - 1) / step * step
}

// sample writes blue, green and red planes of lineHeight x stride, -1..1. It leaves the padding unchanged.
func (c crop) sample(img *image.NRGBA, stride int, planes []float32) {
	for at, color := range raster.Warp(img, c.Quad, c.width, lineHeight) {
		for k, v := range color {
			planes[(2-k)*stride*lineHeight+at.Y*stride+at.X] = v/127.5 - 1
		}
	}
}
