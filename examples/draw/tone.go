package main

import (
	"math"
	"math/rand/v2"

	"plait/examples/draw/ink"
)

// dots lays a screentone of dots on a square grid turned by 45 degrees over a
// box. The radius runs from r0 at the top to r1 at the bottom.
func dots(c *ink.Canvas, x0, y0, x1, y1, pitch, r0, r1 float64, paint ink.Paint) {
	p := ink.New()
	row := 0
	for y := y0; y <= y1; y += pitch / 2 {
		r := r0 + (r1-r0)*(y-y0)/(y1-y0)
		for x := x0 + float64(row%2)*pitch/2; x <= x1 && r > 0.4; x += pitch {
			p.Join(ink.Circle(x, y, r))
		}
		row++
	}
	c.Fill(p, paint)
}

// rays draws n wedges that burst from (x, y), leaving a calm ellipse of radius r
// in the middle.
func rays(c *ink.Canvas, seed uint64, x, y, r, out float64, n int, paint ink.Paint) {
	rng := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // a picture wants the same scatter each time
	for i := range n {
		a := 2 * math.Pi * (float64(i) + 0.7*rng.Float64()) / float64(n)
		w := (0.3 + 0.5*rng.Float64()) * math.Pi / float64(n)
		in := r * (1 + 0.35*rng.Float64())
		s, k := math.Sincos(a)
		s0, k0 := math.Sincos(a - w)
		s1, k1 := math.Sincos(a + w)
		c.Fill(ink.Poly(x+1.15*in*k, y+in*s, x+out*k0, y+out*s0, x+out*k1, y+out*s1), paint)
	}
}

// hatch rules slanting lines over a box.
func hatch(c *ink.Canvas, x0, y0, x1, y1, gap, width float64, paint ink.Paint) {
	p := ink.New()
	for x := x0 - (y1 - y0); x < x1; x += gap {
		p.Join(ink.Poly(x, y1, x+y1-y0, y0, x+y1-y0+width, y0, x+width, y1))
	}
	c.Fill(p, paint)
}
