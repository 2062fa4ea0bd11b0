package letter

import "math"

// frame maps the local frame of a layout to the page: page = origin + x*right + y*down.
type frame struct {
	ox, oy         float64
	rightX, rightY float64 // one pixel along a line
	downX, downY   float64 // one pixel from line to line
	// columns: lines are columns; glyphs are shaped for it and stay upright.
	columns bool
}

// pageFrame is the page itself.
func pageFrame() frame { return frame{rightX: 1, downY: 1} }

// columnFrame has lines running down the page, and each next one to the left.
func columnFrame() frame { return frame{rightY: 1, downX: -1, columns: true} }

// turnedFrame is the page rotated clockwise by degrees around (x, y).
func turnedFrame(x, y, degrees float64) frame {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return frame{ox: x - x*cos + y*sin, oy: y - x*sin - y*cos, rightX: cos, rightY: sin, downX: -sin, downY: cos}
}

func (f frame) toPage(x, y float64) (px, py float64) {
	return f.ox + x*f.rightX + y*f.downX, f.oy + x*f.rightY + y*f.downY
}

// toLocal undoes toPage; the axes are orthonormal.
func (f frame) toLocal(px, py float64) (x, y float64) {
	px, py = px-f.ox, py-f.oy
	return px*f.rightX + py*f.rightY, px*f.downX + py*f.downY
}
