package ink

import (
	"math"
	"slices"
)

// Line draws along p with an even width, in page pixels, and round ends.
func (c *Canvas) Line(p *Path, width float64, paint Paint) {
	c.stroke(p, paint, func(float64) float64 { return width / 2 })
}

// Brush draws along p with a line that swells from a fine point to width and
// runs out again, as a nib does.
func (c *Canvas) Brush(p *Path, width float64, paint Paint) {
	c.stroke(p, paint, func(t float64) float64 {
		return width / 2 * (0.18 + 0.82*math.Sqrt(math.Sin(math.Pi*t)))
	})
}

// Shape fills p and draws its outline.
func (c *Canvas) Shape(p *Path, fill Paint, width float64, line Paint) {
	c.Fill(p, fill)
	c.Line(p, width, line)
}

// stroke draws every contour of p with half the width that half gives for the
// share of the way along it. Contours are painted together, so that a
// translucent line does not darken where it crosses itself.
func (c *Canvas) stroke(p *Path, paint Paint, half func(t float64) float64) {
	out := New()
	for _, k := range c.toPage(p).contours {
		k.pts = distinct(k.pts, k.closed)
		if len(k.pts) == 1 {
			out.Join(Circle(k.pts[0].X, k.pts[0].Y, half(0.5)))
			continue
		}
		out.contours = append(out.contours, outline(k, half)...)
	}
	c.paint(c.coverage(out), paint, over)
}

// distinct drops points that repeat the one before: they have no direction.
func distinct(pts []Pt, closed bool) []Pt {
	const least = 0.05
	out := pts[:1:1]
	for _, p := range pts[1:] {
		if p.Sub(out[len(out)-1]).Len() > least {
			out = append(out, p)
		}
	}
	if closed && len(out) > 1 && out[0].Sub(out[len(out)-1]).Len() <= least {
		out = out[:len(out)-1]
	}
	return out
}

func outline(k contour, half func(t float64) float64) []contour {
	n := len(k.pts)
	segs := n - 1
	if k.closed {
		segs = n
	}
	dirs, total := make([]Pt, segs), 0.0
	along := make([]float64, n)
	for i := range segs {
		d := k.pts[(i+1)%n].Sub(k.pts[i])
		along[i] = total
		total += d.Len()
		dirs[i] = d.Mul(1 / d.Len())
	}
	if !k.closed {
		along[n-1] = total
	}
	var left, right []Pt
	for i, p := range k.pts {
		h := half(along[i] / total)
		in, out := dirs[max(0, i-1)], dirs[min(i, segs-1)]
		if k.closed {
			in = dirs[(i+n-1)%n]
		}
		left = append(left, join(p, in, out, h)...)
		right = append(right, join(p, in, out, -h)...)
	}
	reverse(right)
	if k.closed {
		return []contour{{left, true}, {right, true}}
	}
	h0, h1 := half(0), half(1)
	ring := append(slices.Clone(left), turn(k.pts[n-1], normal(dirs[segs-1]).Mul(h1), math.Pi)...)
	ring = append(ring, right...)
	ring = append(ring, turn(k.pts[0], normal(dirs[0]).Mul(-h0), math.Pi)...)
	return []contour{{ring, true}}
}

func normal(d Pt) Pt { return Pt{d.Y, -d.X} }

// join is the offset of corner p at signed distance h: a mitre where the path
// bends gently, a round outside and a plain inside where it bends sharply.
func join(p, in, out Pt, h float64) []Pt {
	bend := math.Atan2(in.X*out.Y-in.Y*out.X, in.X*out.X+in.Y*out.Y)
	a, b := normal(in).Mul(h), normal(out).Mul(h)
	if math.Abs(bend) < 0.35 {
		mid := a.Add(b)
		return []Pt{p.Add(mid.Mul(2 * h * h / (mid.X*mid.X + mid.Y*mid.Y + 1e-12)))}
	}
	if outer := bend > 0 == (h > 0); outer {
		return turn(p, a, bend)
	}
	return []Pt{p.Add(a), p, p.Add(b)}
}

// turn is the arc about p from p + r through the angle by.
func turn(p, r Pt, by float64) []Pt {
	n := int(math.Ceil(math.Abs(by)/0.3)) + 1
	out := make([]Pt, 0, n+1)
	for i := range n + 1 {
		s, c := math.Sincos(by * float64(i) / float64(n))
		out = append(out, p.Add(Pt{r.X*c - r.Y*s, r.X*s + r.Y*c}))
	}
	return out
}

func reverse(pts []Pt) {
	for i, j := 0, len(pts)-1; i < j; i, j = i+1, j-1 {
		pts[i], pts[j] = pts[j], pts[i]
	}
}
