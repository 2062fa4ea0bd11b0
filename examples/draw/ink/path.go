package ink

import "math"

// Pt is a point in user space.
type Pt struct{ X, Y float64 }

// Add returns the sum of two points as vectors.
func (p Pt) Add(q Pt) Pt { return Pt{p.X + q.X, p.Y + q.Y} }

// Sub returns the vector from q to p.
func (p Pt) Sub(q Pt) Pt { return Pt{p.X - q.X, p.Y - q.Y} }

// Mul scales a vector.
func (p Pt) Mul(k float64) Pt { return Pt{p.X * k, p.Y * k} }

// Len is the length of a vector.
func (p Pt) Len() float64 { return math.Hypot(p.X, p.Y) }

// Lerp is the point at share t of the way from p to q.
func (p Pt) Lerp(q Pt, t float64) Pt { return p.Add(q.Sub(p).Mul(t)) }

// contour is one flattened run of points.
type contour struct {
	pts    []Pt
	closed bool
}

// Path is a list of contours, built by the pen methods. Curves are flattened as
// they are added.
type Path struct{ contours []contour }

// curveSteps is how many chords stand for one Bezier curve: at the sizes of a
// page a chord then leaves its curve by less than a tenth of a pixel.
const curveSteps = 28

// New returns an empty path.
func New() *Path { return &Path{} }

// M starts a contour.
func (p *Path) M(x, y float64) *Path {
	p.contours = append(p.contours, contour{pts: []Pt{{x, y}}})
	return p
}

// L adds straight lines to points given as x, y pairs.
func (p *Path) L(xy ...float64) *Path {
	for i := 0; i+1 < len(xy); i += 2 {
		p.add(Pt{xy[i], xy[i+1]})
	}
	return p
}

// Q adds a quadratic Bezier curve.
func (p *Path) Q(x1, y1, x2, y2 float64) *Path {
	a := p.last()
	c1 := a.Lerp(Pt{x1, y1}, 2.0/3)
	c2 := Pt{x2, y2}.Lerp(Pt{x1, y1}, 2.0/3)
	return p.C(c1.X, c1.Y, c2.X, c2.Y, x2, y2)
}

// C adds cubic Bezier curves, six numbers each.
func (p *Path) C(xy ...float64) *Path {
	for i := 0; i+5 < len(xy); i += 6 {
		p.cubic(Pt{xy[i], xy[i+1]}, Pt{xy[i+2], xy[i+3]}, Pt{xy[i+4], xy[i+5]})
	}
	return p
}

// Z closes the contour.
func (p *Path) Z() *Path {
	p.contours[len(p.contours)-1].closed = true
	return p
}

// Join adds the contours of other paths.
func (p *Path) Join(others ...*Path) *Path {
	for _, o := range others {
		p.contours = append(p.contours, o.contours...)
	}
	return p
}

// Map returns the path with f applied to every point.
func (p *Path) Map(f func(Pt) Pt) *Path {
	out := New()
	for _, c := range p.contours {
		pts := make([]Pt, len(c.pts))
		for i, q := range c.pts {
			pts[i] = f(q)
		}
		out.contours = append(out.contours, contour{pts, c.closed})
	}
	return out
}

// Move returns the path shifted by (dx, dy).
func (p *Path) Move(dx, dy float64) *Path {
	return p.Map(func(q Pt) Pt { return Pt{q.X + dx, q.Y + dy} })
}

func (p *Path) last() Pt {
	c := p.contours[len(p.contours)-1]
	return c.pts[len(c.pts)-1]
}

func (p *Path) add(q Pt) {
	c := &p.contours[len(p.contours)-1]
	c.pts = append(c.pts, q)
}

func (p *Path) cubic(b, c, d Pt) {
	a := p.last()
	for i := 1; i <= curveSteps; i++ {
		t := float64(i) / curveSteps
		ab, bc, cd := a.Lerp(b, t), b.Lerp(c, t), c.Lerp(d, t)
		p.add(ab.Lerp(bc, t).Lerp(bc.Lerp(cd, t), t))
	}
}

// WithMirror closes an open right half, drawn from top to bottom on both ends
// at x = 0, with its reflection.
func (p *Path) WithMirror() *Path {
	out := New()
	for _, k := range p.contours {
		pts := append([]Pt(nil), k.pts...)
		for i := len(k.pts) - 1; i >= 0; i-- {
			pts = append(pts, Pt{-k.pts[i].X, k.pts[i].Y})
		}
		out.contours = append(out.contours, contour{pts, true})
	}
	return out
}
