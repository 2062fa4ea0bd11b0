package textarea

import (
	"image"
	"math"

	"plait/internal/raster"
)

// Frame maps the local frame of a layout to the page: page = origin + x*right + y*down.
type Frame struct {
	ox, oy         float64
	rightX, rightY float64 // one pixel along a line
	downX, downY   float64 // one pixel from line to line
	// Columns says that lines are columns. Their glyphs are shaped vertically and stay upright.
	Columns bool
}

// PageFrame returns the frame of the page itself.
func PageFrame() Frame { return Frame{rightX: 1, downY: 1} }

// ColumnFrame returns the frame in which lines run down the page, each next one to the left.
func ColumnFrame() Frame { return Frame{rightY: 1, downX: -1, Columns: true} }

// levelFrame returns the frame of level lines, or of columns.
func levelFrame(columns bool) Frame {
	if columns {
		return ColumnFrame()
	}
	return PageFrame()
}

// TurnedFrame returns the frame of the page rotated clockwise by degrees around (x, y).
func TurnedFrame(x, y, degrees float64) Frame {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return Frame{ox: x - x*cos + y*sin, oy: y - x*sin - y*cos, rightX: cos, rightY: sin, downX: -sin, downY: cos}
}

// ToPage maps a point of the local frame to the page.
func (f Frame) ToPage(x, y float64) (px, py float64) {
	return f.ox + x*f.rightX + y*f.downX, f.oy + x*f.rightY + y*f.downY
}

// ToLocal is the inverse of ToPage. The axes are orthonormal.
func (f Frame) ToLocal(px, py float64) (x, y float64) {
	px, py = px-f.ox, py-f.oy
	return px*f.rightX + py*f.rightY, px*f.downX + py*f.downY
}

// local returns the pixel of the local frame that has the middle of a pixel of the page.
func (f Frame) local(at image.Point) image.Point {
	x, y := f.ToLocal(float64(at.X)+0.5, float64(at.Y)+0.5)
	return image.Pt(int(math.Floor(x)), int(math.Floor(y)))
}

// Page returns the pixel of the page that has the middle of a pixel of the local frame.
func (f Frame) Page(local image.Point) image.Point {
	x, y := f.ToPage(float64(local.X)+0.5, float64(local.Y)+0.5)
	return image.Pt(int(math.Floor(x)), int(math.Floor(y)))
}

// Bounds returns the bounding box of quads of the page in the local frame.
func (f Frame) Bounds(quads ...raster.Quad) image.Rectangle {
	var corners []raster.Point
	for _, q := range quads {
		for _, c := range q {
			x, y := f.ToLocal(c[0], c[1])
			corners = append(corners, raster.Point{x, y})
		}
	}
	return raster.Enclosing(raster.Bounds(corners...))
}
