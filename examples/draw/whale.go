package main

import (
	"math"

	"plait/examples/draw/ink"
)

// Whale is a whale of clouds. It swims to the left; the origin is the middle of
// its body, which is about 900 units long.
type Whale struct {
	Lit, Shade ink.Color // the cloud where light falls on it and where not
	Look       Look
	Line       ink.Color
}

// puffs adds a run of round cloud edges through the points, bulging to the left
// of the way they go by k of each chord.
func puffs(p *ink.Path, k float64, xy ...float64) *ink.Path {
	a := ink.Pt{X: xy[0], Y: xy[1]}
	for i := 2; i+1 < len(xy); i += 2 {
		b := ink.Pt{X: xy[i], Y: xy[i+1]}
		d := b.Sub(a)
		n := ink.Pt{X: d.Y, Y: -d.X}.Mul(k)
		c1, c2 := a.Add(n).Sub(d.Mul(0.12)), b.Add(n).Add(d.Mul(0.12))
		p.C(c1.X, c1.Y, c2.X, c2.Y, b.X, b.Y)
		a = b
	}
	return p
}

func (w Whale) outline() *ink.Path {
	p := ink.New().M(-446, 40)
	// Over the brow and along the back, in puffs that grow and shrink.
	puffs(p, 0.36, -446, 40, -404, -62, -316, -138, -196, -176, -56, -176, 64, -146, 166, -100, 250, -62, 310, -50)
	// The small of the tail, then the flukes.
	p.C(340, -44, 366, -62, 374, -92, 330, -92, 286, -132, 276, -206)
	p.C(336, -214, 396, -196, 408, -140, 420, -190, 480, -214, 540, -200)
	p.C(530, -132, 484, -88, 430, -80)
	// Under the tail and the belly, smooth, to the chin.
	return p.C(424, -14, 340, 84, 250, 128, 120, 196, -120, 214, -290, 180, -390, 158, -452, 112, -446, 40).Z()
}

func (w Whale) draw(c *ink.Canvas) {
	body := w.outline()
	top, low := c.Page(0, -190), c.Page(0, 200)
	c.Fill(body, ink.Vertical(top.Y, low.Y, ink.Stop{At: 0.1, Color: w.Lit}, ink.Stop{At: 0.95, Color: w.Shade}))
	in := c.Clip(body)
	w.belly(in)
	for _, a := range [][4]float64{{-330, -60, 44, 20}, {-140, -104, 60, 30}, {60, -70, 52, 24}, {190, -20, 40, 10}, {330, -150, 30, 12}, {470, -150, 30, 12}} {
		in.Brush(ink.Arc(a[0], a[1], a[2], a[2]*0.7, 190, 330), fine+1, w.Line.Alpha(0.5))
	}
	c.Line(body, bold, w.Line)
	w.fin(c)
	w.face(c)
}

func (w Whale) belly(in *ink.Canvas) {
	in.Fill(ink.New().M(-470, 66).C(-360, 110, -160, 108, 10, 140).C(80, 154, 140, 170, 180, 200).L(0, 260, -470, 240).Z(), white.Alpha(0.4))
	for i := range 6 {
		y := 76 + float64(i)*22
		x := -436 + float64(i*i)*6
		in.Brush(ink.Curve(x, y, x+150, y+34, x+330+float64(i)*10, y+40), fine, w.Line.Alpha(0.55))
	}
}

func (w Whale) fin(c *ink.Canvas) {
	f := ink.New().M(-150, 96).C(-140, 170, -80, 250, 40, 268).C(46, 214, 22, 150, -20, 104).C(-60, 78, -120, 74, -150, 96).Z()
	c.Shape(f, w.Lit.Mix(w.Shade, 0.5), bold, w.Line)
	c.Brush(ink.Curve(-104, 118, -70, 176, -14, 216), fine, w.Line.Alpha(0.55))
}

func (w Whale) face(c *ink.Canvas) {
	c.Fill(ink.Ellipse(-316, 66, 34, 17), blush.Alpha(0.55))
	switch w.Look {
	case Happy:
		c.Line(ink.Arc(-340, 30, 22, 22, 200, 340), max(bold, 7*c.Unit()), w.Line)
	default:
		c.Fill(ink.Ellipse(-340, 16, 17, 22), w.Line)
		c.Fill(ink.Circle(-346, 6, 7), white)
		c.Fill(ink.Circle(-333, 24, 3.5), white)
	}
	if w.Look == Startled { // in tears
		c.Brush(ink.Curve(-366, -24, -342, -34, -318, -18), bold, w.Line)
		tear := ink.New().M(-330, 40).C(-312, 66, -312, 84, -328, 86).C(-346, 84, -344, 64, -330, 40).Z()
		c.Shape(tear, ink.Hex(0x9fdcf5), fine, w.Line)
		c.Line(ink.Curve(-428, 82, -410, 66, -388, 70), bold, w.Line)
		return
	}
	c.Line(ink.Curve(-434, 62, -414, 82, -380, 80), bold, w.Line)
}

// spout is the plume above a whale, five round drops.
func spout(c *ink.Canvas, x, y float64, paint ink.Color) {
	for i := range 5 {
		a := (-150 + 30*float64(i)) * math.Pi / 180
		c.Brush(ink.Curve(x, y, x+40*math.Cos(a), y-50+20*math.Sin(a), x+90*math.Cos(a), y-60+70*math.Sin(a)), 9, paint)
	}
}
