package document

import (
	"image"
	"math"
)

// View is the picture of a page, as a viewer shows it: the crop box rotated clockwise, with the origin at the upper left corner.
type View struct {
	// Scale is the number of pixels per point.
	Scale float64
	// Crop and Rotate are those of the page.
	Crop   Box
	Rotate int
}

// Upright is the direction of text that runs to the right in the picture.
func (v View) Upright() Direction { return Direction(v.Rotate) }

// Point converts a position in pixels to the user space of the page.
func (v View) Point(x, y float64) Point {
	x, y = x/v.Scale, y/v.Scale
	switch v.Rotate {
	case 90:
		return Point{v.Crop.X0 + y, v.Crop.Y0 + x}
	case 180:
		return Point{v.Crop.X1 - x, v.Crop.Y0 + y}
	case 270:
		return Point{v.Crop.X1 - y, v.Crop.Y1 - x}
	}
	return Point{v.Crop.X0 + x, v.Crop.Y1 - y}
}

// Box converts a box in pixels, y downward, to the user space of the page.
func (v View) Box(b Box) Box {
	p, q := v.Point(b.X0, b.Y0), v.Point(b.X1, b.Y1)
	return Box{X0: min(p.X, q.X), Y0: min(p.Y, q.Y), X1: max(p.X, q.X), Y1: max(p.Y, q.Y)}
}

// Pixels returns the pixels that a box of the user space covers, also in part.
func (v View) Pixels(b Box) image.Rectangle {
	x0, y0 := v.Pixel(Point{b.X0, b.Y0})
	x1, y1 := v.Pixel(Point{b.X1, b.Y1})
	return image.Rect(
		int(math.Floor(min(x0, x1))), int(math.Floor(min(y0, y1))), int(math.Ceil(max(x0, x1))), int(math.Ceil(max(y0, y1))))
}

// Pixel is the inverse of Point.
func (v View) Pixel(p Point) (x, y float64) {
	x, y = p.X, p.Y
	switch v.Rotate {
	case 90:
		x, y = y-v.Crop.Y0, x-v.Crop.X0
	case 180:
		x, y = v.Crop.X1-x, y-v.Crop.Y0
	case 270:
		x, y = v.Crop.Y1-y, v.Crop.X1-x
	default:
		x, y = x-v.Crop.X0, v.Crop.Y1-y
	}
	return x * v.Scale, y * v.Scale
}
