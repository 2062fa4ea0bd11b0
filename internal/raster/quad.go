package raster

import (
	"image"
	"iter"
	"math"
)

// Point is a point on a page in pixels: x to the right and y down from the upper left corner.
type Point [2]float64

// Middle returns the middle of a rectangle.
func Middle(r image.Rectangle) Point {
	return Point{float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2}
}

// Pixel returns the pixel that has a point.
func (p Point) Pixel() image.Point { return image.Pt(int(math.Floor(p[0])), int(math.Floor(p[1]))) }

// Add returns the sum of two vectors.
func (p Point) Add(q Point) Point { return Point{p[0] + q[0], p[1] + q[1]} }

// Sub returns the vector from q to p.
func (p Point) Sub(q Point) Point { return Point{p[0] - q[0], p[1] - q[1]} }

// Times returns a vector that is f times as long.
func (p Point) Times(f float64) Point { return Point{p[0] * f, p[1] * f} }

// Dot returns the scalar product.
func (p Point) Dot(q Point) float64 { return p[0]*q[0] + p[1]*q[1] }

// Cross returns the vector product: positive if q is clockwise from p on the page.
func (p Point) Cross(q Point) float64 { return p[0]*q[1] - p[1]*q[0] }

// Length returns the length of a vector.
func (p Point) Length() float64 { return math.Hypot(p[0], p[1]) }

// QuarterTurn returns the vector a quarter turn clockwise from p on the page.
func (p Point) QuarterTurn() Point { return Point{-p[1], p[0]} }

// Quad is the outline of a text line: four corners, clockwise from the corner where reading begins.
type Quad [4]Point

// QuadOf returns the outline of an upright box, given by two of its corners, in pixels.
func QuadOf(x0, y0, x1, y1 float64) Quad { return Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} }

// Bounds returns the axis-aligned bounding box of points in pixels. It is empty without points.
func Bounds(points ...Point) (x0, y0, x1, y1 float64) {
	for i, p := range points {
		if i == 0 {
			x0, y0, x1, y1 = p[0], p[1], p[0], p[1]
		}
		x0, y0, x1, y1 = min(x0, p[0]), min(y0, p[1]), max(x1, p[0]), max(y1, p[1])
	}
	return x0, y0, x1, y1
}

// Bounds returns the axis-aligned bounding box of q in pixels.
func (q Quad) Bounds() (x0, y0, x1, y1 float64) { return Bounds(q[:]...) }

// Inset returns q, a rectangle at any angle, with each side moved inwards by a distance in pixels, at most until opposite sides meet. A
// negative distance moves them outwards.
func (q Quad) Inset(by float64) Quad {
	width, height := q.Sides()
	right := q[1].Sub(q[0]).Times(min(by/max(width, 1), 0.5))
	down := q[3].Sub(q[0]).Times(min(by/max(height, 1), 0.5))
	return Quad{q[0].Add(right).Add(down), q[1].Sub(right).Add(down), q[2].Sub(right).Sub(down), q[3].Add(right).Sub(down)}
}

// Sides returns the lengths of the first two sides of q in pixels: from its first corner to the second, and to the last.
func (q Quad) Sides() (width, height float64) {
	return q[1].Sub(q[0]).Length(), q[3].Sub(q[0]).Length()
}

// From returns the same outline from another of its corners on.
func (q Quad) From(corner int) Quad {
	return Quad{q[corner], q[(corner+1)%4], q[(corner+2)%4], q[(corner+3)%4]}
}

// Between returns the part of q between two shares of its length along its first side, 0..1.
func (q Quad) Between(from, to float64) Quad {
	upper, lower := q[1].Sub(q[0]), q[2].Sub(q[3])
	return Quad{q[0].Add(upper.Times(from)), q[0].Add(upper.Times(to)), q[3].Add(lower.Times(to)), q[3].Add(lower.Times(from))}
}

// Middle returns the point where the diagonals of q, a parallelogram, cross.
func (q Quad) Middle() Point { return q[0].Add(q[2]).Times(0.5) }

// Mapped returns the outline of the corners to which a function maps those of q.
func (q Quad) Mapped(to func(Point) Point) Quad {
	for k, p := range q {
		q[k] = to(p)
	}
	return q
}

// In returns q in a frame with that origin and the unit vectors x and y.
func (q Quad) In(origin, x, y Point) Quad {
	return q.Mapped(func(p Point) Point { return Point{p.Sub(origin).Dot(x), p.Sub(origin).Dot(y)} })
}

// Contains reports whether a point is inside q, which is convex.
func (q Quad) Contains(p Point) bool {
	for i, a := range q {
		if q[(i+1)%4].Sub(a).Cross(p.Sub(a)) < 0 {
			return false
		}
	}
	return true
}

// Crossing returns the interval in which the horizontal at y crosses q, which is convex. It is empty, with from > to, where they do not
// cross.
func (q Quad) Crossing(y float64) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for i, a := range q {
		b := q[(i+1)%4]
		if (a[1] < y) == (b[1] < y) {
			continue
		}
		x := a[0] + (b[0]-a[0])*(y-a[1])/(b[1]-a[1])
		from, to = min(from, x), max(to, x)
	}
	return from, to
}

// Rows yields the pixels of a rectangle whose centers are inside q, which is convex: a row at a time, as rectangles one pixel high.
func (q Quad) Rows(within image.Rectangle) iter.Seq[image.Rectangle] {
	return func(yield func(image.Rectangle) bool) {
		box := Enclosing(q.Bounds()).Intersect(within)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			from, to := q.Crossing(float64(y) + 0.5)
			if from > to {
				continue
			}
			row := image.Rect(int(math.Ceil(from-0.5)), y, int(math.Floor(to-0.5))+1, y+1)
			if row = row.Intersect(box); !row.Empty() && !yield(row) {
				return
			}
		}
	}
}

// Colors yields the colors of the pixels of img whose centers are inside q, which is convex.
func (q Quad) Colors(img *image.NRGBA) iter.Seq[RGB] {
	return func(yield func(RGB) bool) {
		for row := range q.Rows(img.Rect) {
			for at := range Pixels(row) {
				if !yield(At(img, at.X, at.Y)) {
					return
				}
			}
		}
	}
}
