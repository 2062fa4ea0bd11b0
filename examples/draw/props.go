package main

import "plait/examples/draw/ink"

// lens draws the great lens of the lamp on its stand. The origin is the middle
// of the glass; the stand's foot is at y = 250.
func lens(c *ink.Canvas, lit bool) {
	stand := ink.New().M(-60, 130).L(60, 130, 44, 200, 86, 236, 86, 254, -86, 254, -86, 236, -44, 200).Z()
	shaded(c, stand, gold, ink.Hex(0xc27f2c), ink.Rect(16, 120, 100, 260))
	c.Line(ink.New().M(-46, 200).L(46, 200), fine, inkLine)
	glass := ink.Superellipse(0, 0, 104, 150, 2.5)
	p := c.Page(0, 0)
	if lit {
		c.Light(ink.Circle(0, 0, 420), ink.Glow(p.X, p.Y, 420*c.Unit(), lamp, ember, 0.75))
		c.Fill(glass, ink.Radial{Center: p, R: 150 * c.Unit(), Stops: []ink.Stop{{At: 0, Color: white}, {At: 0.35, Color: lampCore}, {At: 1, Color: lamp}}})
	} else {
		c.Fill(glass, ink.Linear{From: c.Page(-100, -100), To: c.Page(100, 120), Stops: []ink.Stop{{At: 0, Color: ink.Hex(0xa9c6e8)}, {At: 1, Color: ink.Hex(0x4f6aa8)}}})
	}
	in := c.Clip(glass)
	for _, y := range []float64{-112, -84, -58, 58, 84, 112} {
		in.Line(ink.Curve(-110, y, 0, y+y*0.12, 110, y), fine, inkLine.Alpha(0.7))
	}
	in.Fill(ink.Poly(-80, -160, -40, -160, -70, 160, -110, 160), white.Alpha(0.28))
	eye := ink.Circle(0, 0, 50)
	if lit {
		c.Shape(eye, white, fine, ink.Hex(0xd98f2b))
	} else {
		c.Shape(eye, ink.Hex(0x34457f), bold, inkLine)
		c.Line(ink.Circle(0, 0, 36), hair, ink.Hex(0x7f94cf))
		c.Brush(ink.Arc(0, 0, 27, 27, 190, 270), fine, white)
	}
	c.Line(glass, bold, inkLine)
	for _, y := range []float64{-150, 134} {
		c.Shape(ink.RoundRect(-84, y-12, 84, y+14, 12), gold, bold, inkLine)
	}
	c.Shape(ink.Circle(0, -178, 15), gold, bold, inkLine)
}

// lantern draws a hand lantern that hangs from the origin.
func lantern(c *ink.Canvas) {
	p := c.Page(0, 70)
	c.Light(ink.Circle(0, 70, 240), ink.Glow(p.X, p.Y, 240*c.Unit(), lamp, ember, 0.7))
	c.Line(ink.Arc(0, 22, 26, 26, 180, 360), bold, inkLine)
	glass := ink.Superellipse(0, 70, 34, 40, 2.6)
	c.Shape(glass, ink.Radial{Center: p, R: 40 * c.Unit(), Stops: []ink.Stop{{At: 0, Color: white}, {At: 0.5, Color: lampCore}, {At: 1, Color: lamp}}}, bold, inkLine)
	c.Shape(ink.RoundRect(-36, 20, 36, 38, 8), brick, bold, inkLine)
	c.Shape(ink.RoundRect(-38, 102, 38, 120, 8), brick, bold, inkLine)
}

// wrench draws a wrench held at the origin, its jaw upwards.
func wrench(c *ink.Canvas) {
	c.Shape(ink.New().M(-9, 40).L(-9, -62).C(-34, -76, -34, -104, -16, -120).L(-12, -92, 0, -84, 12, -92, 16, -120).
		C(34, -104, 34, -76, 9, -62).L(9, 40).C(9, 54, -9, 54, -9, 40).Z(), steel, bold, inkLine)
}

// bulb draws a small glowing bulb, its cap at the origin.
func bulb(c *ink.Canvas) {
	p := c.Page(0, -44)
	c.Fill(ink.Circle(0, -44, 190), ink.Glow(p.X, p.Y, 190*c.Unit(), lamp, ember, 0.85))
	glass := ink.New().M(-14, -8).C(-16, -24, -34, -34, -34, -56).C(-34, -100, 34, -100, 34, -56).C(34, -34, 16, -24, 14, -8).Z()
	c.Shape(glass, ink.Radial{Center: p, R: 50 * c.Unit(), Stops: []ink.Stop{{At: 0, Color: white}, {At: 0.5, Color: lampCore}, {At: 1, Color: lamp}}}, bold, inkLine)
	c.Line(ink.Curve(-10, -20, -12, -52, 0, -42, 12, -52, 10, -20), fine, ink.Hex(0xe08a2e))
	c.Shape(ink.RoundRect(-16, -10, 16, 18, 5), steel, bold, inkLine)
	c.Line(ink.New().M(-14, 4).L(14, 2), fine, inkLine)
}

// book draws an open book seen from behind, its middle at the origin.
func book(c *ink.Canvas) {
	c.Shape(ink.New().M(0, -54).C(-40, -78, -100, -76, -128, -62).L(-120, 52).C(-90, 40, -40, 40, 0, 58).Z(), scarf, bold, inkLine)
	c.Shape(ink.New().M(0, -54).C(40, -78, 100, -76, 128, -62).L(120, 52).C(90, 40, 40, 40, 0, 58).Z(), scarf, bold, inkLine)
	c.Line(ink.New().M(0, -54).L(0, 58), bold, inkLine)
	sparkle(c, -64, -8, 30, gold)
	sparkle(c, 64, -8, 30, gold)
}

// railing draws the gallery's rail from x0 to x1: the hand rail at y, the deck
// at y + drop.
func railing(c *ink.Canvas, x0, x1, y, drop float64) {
	for x := x0 + 20; x < x1; x += 92 {
		c.Line(ink.New().M(x, y).L(x, y+drop), 13, inkLine)
		c.Line(ink.New().M(x, y).L(x, y+drop), 6, ink.Hex(0x5a6bb5))
	}
	rails := []float64{y, y + drop*0.5}
	if drop < 60 { // too low for a middle rail
		rails = rails[:1]
	}
	for _, r := range rails {
		c.Shape(ink.RoundRect(x0-20, r-10, x1+20, r+10, 9), ink.Hex(0x5a6bb5), bold, inkLine)
	}
	c.Shape(ink.Rect(x0-20, y+drop, x1+20, y+drop+400), ink.Hex(0x3d4a97), bold, inkLine)
}

// beam is a cone of light from (x, y) between two angles in degrees.
func beam(c *ink.Canvas, x, y, r, a, b, strength float64) {
	p := c.Page(x, y)
	cone := ink.Arc(x, y, r, r, a, b)
	c.Light(cone.L(x, y).Z(), ink.Radial{Center: p, R: r * c.Unit(), Stops: []ink.Stop{
		{At: 0, Color: lampCore.Alpha(0.95 * strength)}, {At: 0.2, Color: lamp.Alpha(0.75 * strength)},
		{At: 0.5, Color: ink.Hex(0xff9a6b).Alpha(0.46 * strength)}, {At: 1, Color: ink.Hex(0xe0609a).Alpha(0.24 * strength)}}})
}
