package raster

// Point is a place on a page in pixels, from the upper left corner, x to the right and y down.
type Point [2]float64

// Quad is the outline of a line of text: four corners, clockwise from the corner where reading begins.
type Quad [4]Point

// Bounds is the smallest upright rectangle around q: x0, y0, x1, y1 in pixels.
func (q Quad) Bounds() (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = q[0][0], q[0][1], q[0][0], q[0][1]
	for _, p := range q[1:] {
		x0, x1 = min(x0, p[0]), max(x1, p[0])
		y0, y1 = min(y0, p[1]), max(y1, p[1])
	}
	return x0, y0, x1, y1
}
