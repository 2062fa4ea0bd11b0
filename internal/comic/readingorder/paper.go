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

// paper is a page as it looks if its paper has a certain color.
type paper struct {
	// gutters are the cells of the color that are connected with the edge of the page. The blank interior of a framed panel is not.
	gutters *bitmap.Bitmap
}

func cellSide(img *image.NRGBA) int { return max(1, img.Rect.Dx()*cell/1240) }

// papers are the possible colors of the paper of a page, in order of likelihood: the color of most of its edge, and, since art may run
// off the edge, white and black.
func papers(img *image.NRGBA, side int) []raster.RGB {
	all := []raster.RGB{raster.White, {}}
	if edge, found := edgeColor(img, side); found {
		all = slices.DeleteFunc(all, func(c raster.RGB) bool { return !differs(c, edge) })
		all = slices.Insert(all, 0, edge)
	}
	return all
}

func newPaper(img *image.NRGBA, side int, color raster.RGB) *paper {
	blank := bitmap.Where(image.Rect(0, 0, img.Rect.Dx()/side, img.Rect.Dy()/side), func(at image.Point) bool {
		return !isInked(img, at.Mul(side), side, color)
	})
	edge := bitmap.New(blank.Rect)
	for _, at := range edgeOf(blank.Rect) {
		edge.Add(at.X, at.Y)
	}
	return &paper{blank.Flood(edge)}
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

// edgeColor is the median color of the edge, if at least half of the edge is close to it.
func edgeColor(img *image.NRGBA, side int) (color raster.RGB, found bool) {
	var edge []raster.RGB
	for _, at := range edgeOf(image.Rect(0, 0, img.Rect.Dx()/side, img.Rect.Dy()/side)) {
		edge = append(edge, raster.At(img, at.X*side+side/2, at.Y*side+side/2))
	}
	color, near := raster.Median(edge, paperDistance)
	return color, near >= 0.5
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
