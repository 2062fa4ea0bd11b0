package readingorder

import (
	"image"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// cell is the side of the squares in which the picture is examined, in pixels of a page 1240 wide.
const cell = 3

// paperDistance is the greatest difference of a channel between the color of the paper and a pixel of paper.
const paperDistance = 40

// papers are the possible colors of the paper of a page, in order of likelihood: the color of its edge, and, since art may run off the edge,
// white and black.
func papers(img *image.NRGBA, cells image.Rectangle, side int) []raster.RGB {
	var edge []raster.RGB
	for _, at := range edgeOf(cells) {
		edge = append(edge, raster.At(img, at.X*side+side/2, at.Y*side+side/2))
	}
	color, _ := raster.Median(edge, 0)
	blank := []raster.RGB{raster.White, raster.Black}
	return append([]raster.RGB{color}, slices.DeleteFunc(blank, func(c raster.RGB) bool { return !differs(c, color) })...)
}

// gutters are the cells of a color that are connected with the edge of the page.
func gutters(img *image.NRGBA, cells image.Rectangle, side int, color raster.RGB) *bitmap.Bitmap {
	blank := bitmap.Where(cells, func(at image.Point) bool { return !isInked(img, at.Mul(side), side, color) })
	edge := bitmap.New(cells)
	for _, at := range edgeOf(cells) {
		edge.Add(at.X, at.Y)
	}
	return blank.Flood(edge)
}

// edgeOf are the outermost points of a rectangle at the origin.
func edgeOf(r image.Rectangle) (edge []image.Point) {
	for x := range r.Max.X {
		edge = append(edge, image.Pt(x, 0), image.Pt(x, r.Max.Y-1))
	}
	for y := range r.Max.Y {
		edge = append(edge, image.Pt(0, y), image.Pt(r.Max.X-1, y))
	}
	return edge
}

// isInked reports whether a cell has another color. It tests the pixels on a diagonal of the cell, so that it misses no line wider than a
// pixel.
func isInked(img *image.NRGBA, corner image.Point, side int, color raster.RGB) bool {
	for k := range side {
		if differs(raster.At(img, corner.X+k, corner.Y+k), color) {
			return true
		}
	}
	return false
}

func differs(a, b raster.RGB) bool { return raster.Difference(a, b) > paperDistance }
