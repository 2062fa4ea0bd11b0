package textarea

import (
	"image"
	"math"

	"plait/internal/raster"
)

// Frame maps the local frame of a layout to the page: page = origin + x*right + y*down.
type Frame struct {
	// right is one pixel along a line, and down one from line to line.
	origin, right, down raster.Point
	// Columns says that lines are columns. Their glyphs are shaped vertically and stay upright.
	Columns bool
}

// PageFrame returns the frame of the page itself.
func PageFrame() Frame { return Frame{right: raster.Point{1, 0}, down: raster.Point{0, 1}} }

// ColumnFrame returns the frame in which lines run down the page, each next one to the left.
func ColumnFrame() Frame {
	return Frame{right: raster.Point{0, 1}, down: raster.Point{-1, 0}, Columns: true}
}

// levelFrame returns the frame of level lines, or of columns.
func levelFrame(columns bool) Frame {
	if columns {
		return ColumnFrame()
	}
	return PageFrame()
}

// TurnedFrame returns the frame of the page rotated clockwise by degrees around a point.
func TurnedFrame(around raster.Point, degrees float64) Frame {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	f := Frame{right: raster.Point{cos, sin}, down: raster.Point{-sin, cos}}
	f.origin = around.Sub(f.ToPage(around))
	return f
}

// ToPage maps a point of the local frame to the page.
func (f Frame) ToPage(p raster.Point) raster.Point {
	return f.origin.Add(f.right.Times(p[0])).Add(f.down.Times(p[1]))
}

// ToLocal is the inverse of ToPage. The axes are orthonormal.
func (f Frame) ToLocal(p raster.Point) raster.Point {
	p = p.Sub(f.origin)
	return raster.Point{p.Dot(f.right), p.Dot(f.down)}
}

// local returns the pixel of the local frame that has the middle of a pixel of the page.
func (f Frame) local(at image.Point) image.Point { return f.ToLocal(middle(at)).Pixel() }

// Page returns the pixel of the page that has the middle of a pixel of the local frame.
func (f Frame) Page(local image.Point) image.Point { return f.ToPage(middle(local)).Pixel() }

// middle returns the middle of a pixel.
func middle(at image.Point) raster.Point {
	return raster.Point{float64(at.X) + 0.5, float64(at.Y) + 0.5}
}

// Bounds returns the bounding box of quads of the page in the local frame.
func (f Frame) Bounds(quads ...raster.Quad) image.Rectangle {
	var corners []raster.Point
	for _, q := range quads {
		for _, c := range q {
			corners = append(corners, f.ToLocal(c))
		}
	}
	return raster.Enclosing(raster.Bounds(corners...))
}
