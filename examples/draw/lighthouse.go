package main

import "plait/examples/draw/ink"

// Lighthouse is the tower. The origin is the middle of its foot; the middle of
// its lamp is at y = lampY, its top at about y = -790.
type Lighthouse struct {
	Lit   bool
	Shade float64 // how deep the night lies on it, 0 to 1
}

const lampY = -620

func (l Lighthouse) draw(c *ink.Canvas) {
	l.tower(c)
	l.lantern(c)
	l.gallery(c)
}

func (l Lighthouse) dim(v ink.Color) ink.Color { return v.Mix(ink.Hex(0x2b2a6b), l.Shade) }

func (l Lighthouse) tower(c *ink.Canvas) {
	tower := ink.New().M(-66, -540).C(-72, -300, -84, -120, -112, 0).C(-60, 16, 60, 16, 112, 0).C(84, -120, 72, -300, 66, -540).Z()
	c.Fill(tower, l.dim(plaster))
	in := c.Clip(tower)
	for _, y := range []float64{-500, -320, -140} {
		in.Fill(ink.New().M(-140, y).Q(0, y+26, 140, y).L(140, y+86).Q(0, y+112, -140, y+86).Z(), l.dim(brick))
	}
	in.Fill(ink.New().M(30, -560).C(36, -300, 44, -120, 60, 40).L(140, 40, 140, -560).Z(), inkLine.Alpha(0.22))
	c.Line(tower, bold, inkLine)
	for _, y := range []float64{-390, -205} {
		pane := ink.New().M(-34, y+52).L(-34, y+16).C(-34, y-8, 2, y-8, 2, y+16).L(2, y+52).Z()
		c.Shape(pane, l.pane(), fine, inkLine)
		c.Line(ink.New().M(-16, y).L(-16, y+52), hair, inkLine)
	}
	door := ink.New().M(-38, 10).L(-38, -56).C(-38, -98, 26, -98, 26, -56).L(26, 11).Z()
	c.Shape(door, l.dim(wood), bold, inkLine)
	c.Line(ink.New().M(-6, -84).L(-6, 10), hair, inkLine)
	c.Fill(ink.Circle(8, -36, 5), gold)
}

func (l Lighthouse) pane() ink.Color {
	if l.Lit {
		return lamp
	}
	return l.dim(ink.Hex(0x5c6fae))
}

func (l Lighthouse) lantern(c *ink.Canvas) {
	glass := ink.New().M(-60, -562).L(-56, -670, 56, -670, 60, -562).Z()
	if l.Lit {
		p := c.Page(0, lampY)
		c.Fill(glass, ink.Radial{Center: p, R: 76 * c.Unit(), Stops: []ink.Stop{{At: 0, Color: white}, {At: 0.4, Color: lampCore}, {At: 1, Color: lamp}}})
	} else {
		c.Fill(glass, l.dim(ink.Hex(0x7f94cf)))
		c.Fill(ink.Superellipse(0, lampY+4, 26, 40, 2.4), l.dim(ink.Hex(0x4c5a96)))
		c.Clip(glass).Fill(ink.Poly(-50, -540, -20, -680, 0, -680, -30, -540), white.Alpha(0.25))
	}
	for _, x := range []float64{-22, 22} {
		c.Line(ink.New().M(x, -562).L(x, -670), fine, inkLine)
	}
	c.Line(glass, bold, inkLine)
	roof := ink.New().M(-78, -668).C(-70, -724, -30, -752, 0, -760).C(30, -752, 70, -724, 78, -668).C(40, -656, -40, -656, -78, -668).Z()
	shaded(c, roof, l.dim(brick), l.dim(ink.Hex(0x9e3a4f)), ink.Blob(10, -760, 90, -740, 90, -650, 20, -650, 44, -700))
	c.Brush(ink.Curve(-52, -684, -44, -712, -22, -732), fine, l.dim(ink.Hex(0xffb3a0)))
	c.Line(ink.New().M(0, -762).L(0, -786), bold, inkLine)
	c.Shape(ink.Circle(0, -790, 9), l.dim(gold), fine, inkLine)
}

func (l Lighthouse) gallery(c *ink.Canvas) {
	deck := ink.New().M(-104, -562).L(104, -562, 96, -536, 74, -524, -74, -524, -96, -536).Z()
	shaded(c, deck, l.dim(ink.Hex(0x5a6bb5)), l.dim(indigo), ink.Rect(30, -570, 120, -520))
	for x := -98.0; x <= 98; x += 28 {
		c.Line(ink.New().M(x, -562).L(x, -596), fine, inkLine)
	}
	c.Line(ink.New().M(-102, -597).L(102, -597), bold, inkLine)
}

// island is the floating rock the tower stands on, 620 units wide, its grass at
// y = 0.
func island(c *ink.Canvas, shade float64) {
	l := Lighthouse{Shade: shade}
	rim := ink.New().M(-310, 0).C(-300, 60, -250, 90, -216, 150).C(-190, 190, -140, 200, -110, 268).
		C(-90, 320, -40, 330, -14, 396).C(10, 330, 56, 312, 82, 252).C(110, 204, 170, 196, 204, 140).C(250, 90, 300, 60, 310, 0).Z()
	c.Fill(rim, l.dim(rock))
	in := c.Clip(rim)
	in.Fill(ink.Poly(-40, 0, 20, 110, -10, 190, 40, 260, -14, 420, 400, 300, 400, 0), l.dim(ink.Hex(0x4d3f7d)))
	in.Fill(ink.Poly(-330, 0, -180, 60, -210, 120, -120, 150, -60, 40), l.dim(ink.Hex(0x8a79b5)))
	for _, s := range [][]float64{{-150, 80, -130, 130, -100, 160}, {60, 90, 80, 140, 60, 190}, {170, 60, 160, 100, 130, 130}, {-40, 200, -30, 250, -12, 290}} {
		in.Brush(ink.Curve(s...), fine, inkLine)
	}
	c.Line(rim, bold, inkLine)
	turf := ink.New().M(-322, 4)
	turf.C(-300, -26, -120, -40, 0, -40).C(120, -40, 300, -26, 322, 4)
	puffs(turf, 0.3, 322, 4, 262, 26, 190, 20, 120, 38, 40, 28, -40, 42, -130, 28, -200, 36, -270, 22, -322, 4)
	shaded(c, turf.Z(), l.dim(grass), l.dim(ink.Hex(0x3f8579)), ink.Blob(20, -20, 330, -40, 340, 50, 60, 60, 120, 14))
}
