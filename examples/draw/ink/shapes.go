package ink

import "math"

// Ellipse is a closed ellipse about (cx, cy).
func Ellipse(cx, cy, rx, ry float64) *Path {
	return Superellipse(cx, cy, rx, ry, 2)
}

// Circle is a closed circle.
func Circle(cx, cy, r float64) *Path { return Ellipse(cx, cy, r, r) }

// Superellipse is |x/rx|^n + |y/ry|^n = 1: an ellipse at n = 2, nearer to a
// rounded box as n grows.
func Superellipse(cx, cy, rx, ry, n float64) *Path {
	const steps = 144
	p := New()
	for i := range steps {
		s, c := math.Sincos(2 * math.Pi * float64(i) / steps)
		x := cx + rx*math.Copysign(math.Pow(math.Abs(c), 2/n), c)
		y := cy + ry*math.Copysign(math.Pow(math.Abs(s), 2/n), s)
		if i == 0 {
			p.M(x, y)
		} else {
			p.L(x, y)
		}
	}
	return p.Z()
}

// Rect is a box with square corners.
func Rect(x0, y0, x1, y1 float64) *Path {
	return New().M(x0, y0).L(x1, y0, x1, y1, x0, y1).Z()
}

// RoundRect is a box with corners of radius r.
func RoundRect(x0, y0, x1, y1, r float64) *Path {
	k := r * 0.4477 // 1 - 4/3 (sqrt 2 - 1): the control arm of a quarter circle
	return New().M(x0+r, y0).
		L(x1-r, y0).C(x1-k, y0, x1, y0+k, x1, y0+r).
		L(x1, y1-r).C(x1, y1-k, x1-k, y1, x1-r, y1).
		L(x0+r, y1).C(x0+k, y1, x0, y1-k, x0, y1-r).
		L(x0, y0+r).C(x0, y0+k, x0+k, y0, x0+r, y0).Z()
}

// Poly is a closed polygon through x, y pairs.
func Poly(xy ...float64) *Path { return New().M(xy[0], xy[1]).L(xy[2:]...).Z() }

// Blob is a smooth closed curve through x, y pairs.
func Blob(xy ...float64) *Path {
	return spline(points(xy), true)
}

// Curve is a smooth open curve through x, y pairs.
func Curve(xy ...float64) *Path {
	return spline(points(xy), false)
}

// Arc is an open run along an ellipse, from angle a to angle b in degrees,
// clockwise from the positive x axis.
func Arc(cx, cy, rx, ry, a, b float64) *Path {
	const steps = 48
	p := New()
	for i := range steps + 1 {
		s, c := math.Sincos((a + (b-a)*float64(i)/steps) * math.Pi / 180)
		if i == 0 {
			p.M(cx+rx*c, cy+ry*s)
		} else {
			p.L(cx+rx*c, cy+ry*s)
		}
	}
	return p
}

func points(xy []float64) []Pt {
	out := make([]Pt, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		out = append(out, Pt{xy[i], xy[i+1]})
	}
	return out
}

// spline is the uniform Catmull-Rom curve through pts, as cubic Beziers.
func spline(pts []Pt, closed bool) *Path {
	n := len(pts)
	at := func(i int) Pt {
		if closed {
			return pts[(i+n)%n]
		}
		return pts[max(0, min(n-1, i))]
	}
	p := New().M(pts[0].X, pts[0].Y)
	last := n - 1
	if closed {
		last = n
	}
	for i := range last {
		b := at(i).Add(at(i + 1).Sub(at(i - 1)).Mul(1.0 / 6))
		c := at(i + 1).Sub(at(i + 2).Sub(at(i)).Mul(1.0 / 6))
		d := at(i + 1)
		p.C(b.X, b.Y, c.X, c.Y, d.X, d.Y)
	}
	if closed {
		p.Z()
	}
	return p
}
