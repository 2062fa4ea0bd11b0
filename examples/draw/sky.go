package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"plait/examples/draw/ink"
)

// dusk is the sky of the first page: indigo above, peach at the horizon.
func dusk(y0, y1 float64) ink.Linear {
	return ink.Vertical(y0, y1,
		ink.Stop{At: 0, Color: indigo}, ink.Stop{At: 0.3, Color: violet}, ink.Stop{At: 0.55, Color: mauve},
		ink.Stop{At: 0.76, Color: rose}, ink.Stop{At: 1, Color: peach})
}

// dark is the sky of the rest of the night.
func dark(y0, y1 float64) ink.Linear {
	return ink.Vertical(y0, y1, ink.Stop{At: 0, Color: indigo}, ink.Stop{At: 0.55, Color: night},
		ink.Stop{At: 1, Color: violet})
}

// stars scatters n stars over a box; a few of them have four points. None falls
// into the boxes to keep bare, where letters will stand.
func stars(c *ink.Canvas, seed uint64, n int, x0, y0, x1, y1 float64, bare ...[4]float64) {
	rng := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // a picture wants the same scatter each time
	for i := range n {
		x, y := x0+rng.Float64()*(x1-x0), y0+rng.Float64()*(y1-y0)
		r := 1.4 + 2.2*rng.Float64()
		if slices.ContainsFunc(bare, func(b [4]float64) bool { return x > b[0] && y > b[1] && x < b[2] && y < b[3] }) {
			continue
		}
		if i%9 == 0 {
			sparkle(c, x, y, 5*r, lampCore)
			continue
		}
		c.Fill(ink.Circle(x, y, r), lampCore.Alpha(0.5+0.5*rng.Float64()))
	}
}

// sparkle is a star of four points.
func sparkle(c *ink.Canvas, x, y, r float64, paint ink.Paint) {
	k := r * 0.13
	c.Fill(ink.New().M(x, y-r).Q(x+k, y-k, x+r, y).Q(x+k, y+k, x, y+r).Q(x-k, y+k, x-r, y).Q(x-k, y-k, x, y-r).Z(), paint)
}

// moon is a crescent.
func moon(c *ink.Canvas, x, y, r float64) {
	p := c.Page(x, y)
	c.Light(ink.Circle(x, y, 4*r), ink.Glow(p.X, p.Y, 4*r*c.Unit(), butter, mauve, 0.3))
	c.Fill(ink.New().M(x-0.1*r, y-r).C(x+1.25*r, y-r, x+1.25*r, y+r, x-0.1*r, y+r).
		C(x+0.75*r, y+0.62*r, x+0.75*r, y-0.62*r, x-0.1*r, y-r).Z(), butter)
}

// bank is one layer of the sea of clouds: round tops along y, paint below.
// Each puff is about size wide; seed decides how they differ.
func bank(c *ink.Canvas, seed uint64, y, size, bottom float64, paint ink.Paint) {
	w, _ := c.Size()
	rng := rand.New(rand.NewPCG(seed, 11)) //nolint:gosec // a picture wants the same scatter each time
	x := -size
	top := []float64{x, y}
	for x < w+size {
		x += size * (0.6 + 0.8*rng.Float64())
		top = append(top, x, y+size*0.28*(rng.Float64()-0.5)+size*0.16*math.Sin(x/size/2))
	}
	p := puffs(ink.New().M(-size, y), 0.42, top...)
	p.L(x, bottom, -size, bottom).Z()
	c.Fill(p, paint)
}

// wisp is a long flat cloud of n puffs.
func wisp(c *ink.Canvas, x, y, w float64, paint ink.Paint) {
	h := w * 0.16
	p := ink.New().M(x, y)
	puffs(p, 0.4, x, y, x+0.2*w, y-0.6*h, x+0.48*w, y-1.1*h, x+0.76*w, y-0.7*h, x+w, y)
	c.Fill(p.C(x+0.8*w, y+0.2*h, x+0.2*w, y+0.2*h, x, y).Z(), paint)
}
