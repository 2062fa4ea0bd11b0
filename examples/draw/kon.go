package main

import "plait/examples/draw/ink"

// Kon is the keeper's friend: a fox with a scarf. The origin is the middle of
// her head, which is 280 units wide; her feet stand at y = 318.
type Kon struct {
	Look        Look
	Left, Right ink.Pt // hands
	Sweat       bool
}

func (k Kon) draw(c *ink.Canvas) {
	k.tail(c)
	for _, s := range []float64{-1, 1} {
		shaded(c, ink.Ellipse(s*40, 304, 38, 20), sock, ink.Hex(0x3f1f30), ink.Rect(s*40+8, 280, s*40+50, 330))
	}
	body := ink.New().M(-56, 80).C(-84, 140, -96, 220, -82, 288).C(-70, 312, 70, 312, 82, 288).C(96, 220, 84, 140, 56, 80).Z()
	shaded(c, body, fox, foxShade, ink.Blob(52, 70, 120, 150, 110, 320, 30, 330, 62, 260, 66, 170))
	c.Fill(ink.Blob(-36, 110, 0, 124, 34, 110, 44, 190, 30, 256, 0, 268, -32, 256, -46, 190), foxCream)
	k.arm(c, -1, k.Left)
	k.arm(c, 1, k.Right)
	k.scarf(c)
	k.head(c)
}

func (k Kon) tail(c *ink.Canvas) {
	t := ink.New().M(20, 280).C(110, 318, 232, 286, 262, 178).C(276, 116, 256, 62, 214, 20).
		C(206, 78, 176, 104, 140, 132).C(96, 164, 60, 196, 30, 226).Z()
	c.Fill(t, fox)
	in := c.Clip(t)
	in.Fill(ink.Blob(20, 300, 120, 316, 230, 290, 270, 180, 240, 190, 200, 244, 130, 276), foxShade)
	in.Fill(ink.New().M(120, 60).L(172, 126, 190, 100, 206, 148, 228, 116, 246, 158, 290, 120).L(290, -20, 180, -20).Z(), foxCream)
	c.Line(t, bold, inkLine)
	c.Brush(ink.Curve(110, 232, 150, 222, 186, 190), fine, inkLine)
}

func (k Kon) arm(c *ink.Canvas, side float64, hand ink.Pt) {
	if hand == (ink.Pt{}) {
		hand = ink.Pt{X: side * 88, Y: 238}
	}
	elbow := ink.Pt{X: hand.X*0.5 + side*66, Y: hand.Y*0.5 + 104}
	path := ink.New().M(side*56, 138).Q(elbow.X, elbow.Y, hand.X, hand.Y)
	limb(c, path, 30, fox)
	from := ink.Pt{X: elbow.X, Y: elbow.Y}.Lerp(hand, 0.62)
	limb(c, ink.New().M(from.X, from.Y).L(hand.X, hand.Y), 31, sock)
}

func (k Kon) scarf(c *ink.Canvas) {
	end := ink.New().M(34, 100).C(60, 120, 74, 160, 66, 206).L(50, 196, 38, 210, 26, 198).C(34, 160, 26, 132, 10, 110).Z()
	shaded(c, end, scarf, ink.Hex(0xa92c50), ink.Blob(50, 110, 80, 150, 76, 220, 52, 216, 58, 160))
	band := ink.New().M(-84, 72).C(-60, 92, 60, 92, 84, 72).C(100, 90, 86, 122, 62, 128).C(20, 140, -30, 138, -66, 126).C(-92, 118, -98, 94, -84, 72).Z()
	shaded(c, band, scarf, ink.Hex(0xa92c50), ink.Blob(-90, 80, 0, 112, 90, 80, 60, 104, 0, 118, -60, 106))
}

func (k Kon) head(c *ink.Canvas) {
	k.ear(c)
	k.ear(c.Flip())
	half := ink.New().M(0, -92).C(62, -94, 106, -60, 112, -6).C(116, 14, 130, 30, 150, 42).
		C(130, 50, 116, 54, 104, 58).C(108, 62, 112, 68, 118, 78).C(100, 82, 86, 80, 74, 78).C(52, 92, 26, 98, 0, 98)
	head := half.WithMirror()
	c.Fill(head, fox)
	in := c.Clip(head)
	in.Fill(ink.Blob(60, -110, 150, -60, 170, 60, 100, 110, 92, 40, 98, -10), foxShade)
	mask := ink.New().M(0, 22).C(16, 22, 26, 14, 44, 14).C(78, 14, 100, 34, 160, 44).L(160, 120, 0, 120).WithMirror()
	in.Fill(mask, foxCream)
	for _, s := range []float64{-1, 1} {
		in.Fill(ink.Ellipse(s*80, 44, 20, 11), blush.Alpha(0.75))
	}
	c.Line(head, bold, inkLine)
	c.Brush(ink.Curve(-22, -88, -10, -70, -12, -52), fine, inkLine)
	c.Brush(ink.Curve(6, -90, 8, -72, 2, -58), fine, inkLine)
	k.face(c)
	if k.Sweat {
		drop := ink.New().M(96, -84).C(112, -60, 118, -46, 108, -38).C(98, -32, 86, -40, 88, -52).C(90, -62, 94, -72, 96, -84).Z()
		c.Shape(drop, ink.Hex(0xbfe6f7), fine, inkLine)
	}
}

func (k Kon) ear(c *ink.Canvas) {
	ear := ink.New().M(22, -84).C(36, -130, 64, -170, 92, -184).C(112, -150, 116, -96, 108, -34).Z()
	c.Fill(ear, fox)
	in := c.Clip(ear)
	in.Fill(ink.New().M(50, -78).C(58, -112, 72, -136, 86, -150).C(98, -124, 98, -84, 92, -50).Z(), ink.Hex(0xf9c9a0))
	in.Fill(ink.Poly(40, -152, 66, -146, 78, -136, 88, -144, 100, -132, 130, -140, 110, -200, 60, -200), sock)
	c.Line(ear, bold, inkLine)
}

func (k Kon) face(c *ink.Canvas) {
	c.Fill(ink.New().M(-14, 30).C(-10, 22, 10, 22, 14, 30).C(10, 42, 3, 46, 0, 46).C(-3, 46, -10, 42, -14, 30).Z(), inkLine)
	for _, s := range []float64{-1, 1} {
		k.eye(c, s)
	}
	switch k.Look {
	case Happy:
		mouth := ink.New().M(-24, 54).Q(-10, 60, 0, 52).Q(10, 60, 24, 54).C(22, 84, -22, 84, -24, 54).Z()
		c.Shape(mouth, ink.Hex(0xb5324a), fine, inkLine)
	case Startled:
		c.Shape(ink.Ellipse(0, 70, 15, 18), ink.Hex(0xb5324a), fine, inkLine)
	case Flat:
		c.Line(ink.New().M(-16, 64).L(16, 64), fine, inkLine)
	case Aside:
		c.Line(ink.Curve(-16, 66, -6, 58, 4, 64, 16, 58), fine, inkLine)
	default:
		c.Line(ink.Curve(-24, 56, -12, 62, 0, 50), fine, inkLine)
		c.Line(ink.Curve(0, 50, 12, 62, 24, 56), fine, inkLine)
	}
}

func (k Kon) eye(c *ink.Canvas, s float64) {
	x, u := s*52, c.Unit()
	switch k.Look {
	case Happy:
		c.Line(ink.Arc(x, 12, 20, 20, 200, 340), max(bold, 7*u), inkLine)
	case Startled:
		c.Shape(ink.Ellipse(x, -4, 24, 28), white, bold, inkLine)
		c.Fill(ink.Circle(x, -4, 8), inkLine)
		c.Brush(ink.Curve(x-20, -56, x, -64, x+20, -56), bold, inkLine)
	case Flat:
		c.Fill(ink.Ellipse(x, 4, 10, 13), inkLine)
		c.Line(ink.New().M(x-24, -10).L(x+24, -10), bold, inkLine)
	case Aside:
		c.Shape(ink.Ellipse(x, -2, 23, 24), white, bold, inkLine)
		c.Fill(ink.Circle(x-10, 0, 9), inkLine)
		c.Brush(ink.Curve(x-24, -38+6*s, x, -44, x+24, -38-6*s), bold, inkLine)
	default:
		c.Fill(ink.Ellipse(x, 0, 14, 19), inkLine)
		c.Fill(ink.Circle(x-4, -8, 5), white)
		c.Fill(ink.Circle(x+5, 7, 2.6), white)
		c.Brush(ink.Curve(x-16, -34, x, -40, x+16, -34), fine, inkLine)
	}
}
