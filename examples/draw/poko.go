package main

import (
	"math"

	"plait/examples/draw/ink"
)

// Look is what a face does.
type Look int

// The looks of the cast.
const (
	Calm Look = iota
	Happy
	Startled
	Aside // eyes slid to the side, not quite meeting yours
	Flat
	Worried
)

// Poko is the keeper: a round robot with a visor for a face. The origin is the
// middle of his head, which is 270 units wide; his feet stand at y = 318.
type Poko struct {
	Look        Look
	Left, Right ink.Pt // hands
	Hatch       bool   // the door in his chest is open
	Glow        ink.Color
}

func (k Poko) draw(c *ink.Canvas) {
	for _, s := range []float64{-1, 1} {
		limb(c, ink.New().M(s*46, 265).L(s*48, 300), 34, steel)
		foot := ink.New().M(s*48-46, 322).C(s*48-46, 284, s*48+46, 284, s*48+46, 322).Z()
		shaded(c, foot, capBlue, indigo, ink.Rect(s*48+10, 280, s*48+60, 330))
	}
	k.body(c)
	k.arm(c, -1, k.Left)
	k.arm(c, 1, k.Right)
	k.head(c)
}

func (k Poko) arm(c *ink.Canvas, side float64, hand ink.Pt) {
	if hand == (ink.Pt{}) {
		hand = ink.Pt{X: side * 128, Y: 248}
	}
	elbow := ink.Pt{X: hand.X*0.55 + side*75, Y: hand.Y*0.5 + 100}
	limb(c, ink.New().M(side*84, 168).Q(elbow.X, elbow.Y, hand.X, hand.Y), 26, steel)
	shaded(c, ink.Circle(hand.X, hand.Y, 27), gold, ink.Hex(0xd98f2b), ink.Circle(hand.X+16, hand.Y+18, 24))
	c.Brush(ink.Arc(hand.X, hand.Y, 15, 15, 200, 290), fine, cloud)
}

func (k Poko) body(c *ink.Canvas) {
	body := ink.Superellipse(0, 196, 104, 100, 2.5)
	shaded(c, body, mint, mintShade, ink.Blob(40, 90, 120, 120, 130, 300, -20, 320, -70, 296, 40, 270, 72, 190))
	c.Brush(ink.Arc(-6, 196, 80, 78, 165, 235), 6, cloud)
	door := ink.Circle(-4, 200, 46)
	if !k.Hatch {
		c.Shape(door, ink.Hex(0xd8f2e6), fine, inkLine)
		c.Line(ink.Arc(-4, 200, 30, 30, 20, 160), fine, mintShade)
		c.Fill(ink.Circle(28, 200, 5), inkLine)
		return
	}
	p := c.Page(-4, 200)
	c.Shape(door, visor, bold, inkLine)
	c.Clip(door).Fill(door, ink.Radial{Center: p, R: 46 * c.Unit(), Stops: []ink.Stop{
		{At: 0, Color: lampCore}, {At: 0.45, Color: lamp}, {At: 1, Color: ink.Hex(0xc7683d)}}})
	c.Shape(ink.Ellipse(-62, 196, 17, 46), ink.Hex(0xd8f2e6), bold, inkLine)
}

func (k Poko) head(c *ink.Canvas) {
	for _, s := range []float64{-1, 1} {
		c.Shape(ink.Superellipse(s*136, 8, 20, 38, 2.6), steel, bold, inkLine)
	}
	head := ink.Superellipse(0, 0, 136, 108, 2.9)
	shaded(c, head, mint, mintShade, ink.Blob(70, -110, 150, -90, 160, 120, -40, 150, -110, 92, 20, 96, 96, 60, 112, -10))
	c.Brush(ink.Curve(-112, -30, -104, -58, -84, -78), 7, cloud)
	k.face(c)
	k.hat(c)
}

func (k Poko) hat(c *ink.Canvas) {
	c.Line(ink.Curve(4, -150, 8, -178, 4, -196), fine+1, inkLine)
	c.Shape(ink.Circle(4, -204, 14), scarf, bold, inkLine)
	c.Brush(ink.Arc(4, -204, 7, 7, 190, 280), fine, cloud)
	crown := ink.New().M(-92, -96).C(-118, -160, -60, -170, 0, -168).C(64, -170, 118, -158, 92, -96).Z()
	shaded(c, crown, capBlue, indigo, ink.Blob(30, -180, 120, -170, 120, -90, 40, -90, 66, -130))
	band := ink.New().M(-94, -100).C(-50, -122, 50, -122, 94, -100).L(90, -78).C(50, -98, -50, -98, -90, -78).Z()
	c.Shape(band, gold, fine, inkLine)
	c.Shape(ink.New().M(-88, -82).C(-50, -100, 50, -100, 88, -82).C(96, -70, 60, -62, 0, -66).C(-60, -62, -96, -70, -88, -82).Z(), visor, bold, inkLine)
	c.Shape(ink.Circle(0, -134, 15), lamp, fine, inkLine)
}

func (k Poko) face(c *ink.Canvas) {
	screen := ink.Superellipse(0, 16, 106, 70, 3.2)
	c.Shape(screen, visor, bold, inkLine)
	s := c.Clip(screen)
	s.Fill(ink.Poly(20, -70, 70, -70, 0, 100, -50, 100), white.Alpha(0.07))
	glow := k.Glow
	if glow == (ink.Color{}) {
		glow = lamp
	}
	for _, side := range []float64{-1, 1} {
		x := side * 44
		p := c.Page(x, 12)
		s.Light(ink.Circle(x, 12, 48), ink.Glow(p.X, p.Y, 44*c.Unit(), glow, glow, 0.5))
		k.eye(s, x, glow)
	}
	switch k.Look {
	case Happy:
		s.Fill(ink.New().M(-18, 40).Q(0, 46, 18, 40).C(16, 64, -16, 64, -18, 40).Z(), glow)
	case Startled:
		s.Fill(ink.Ellipse(0, 54, 9, 12), glow)
	case Worried:
		s.Line(ink.Curve(-14, 56, 0, 48, 14, 56), 6*c.Unit(), glow)
	case Flat, Aside:
		s.Line(ink.New().M(-14, 52).L(14, 52), 6*c.Unit(), glow)
	default:
		s.Line(ink.Curve(-14, 48, 0, 54, 14, 48), 6*c.Unit(), glow)
	}
}

func (k Poko) eye(s *ink.Canvas, x float64, glow ink.Color) {
	u := s.Unit()
	switch k.Look {
	case Happy:
		s.Line(ink.Arc(x, 20, 20, 22, 195, 345), 9*u, glow)
	case Startled:
		s.Fill(ink.Circle(x, 8, 25), glow)
		s.Fill(ink.Circle(x, 8, 14), visor)
	case Aside:
		s.Fill(ink.Ellipse(x+20, 8, 13, 19), glow)
		s.Line(ink.New().M(x-8, -16).L(x+38, -16), 5*u, glow)
	case Flat:
		s.Fill(ink.RoundRect(x-20, 4, x+20, 15, 5), glow)
	case Worried:
		s.Fill(ink.Ellipse(x, 14, 14, 18), glow)
		tilt := math.Copysign(7, x)
		s.Line(ink.New().M(x-20, -18-tilt).L(x+20, -18+tilt), 5*u, glow)
	default:
		s.Fill(ink.Ellipse(x, 8, 15, 22), glow)
		s.Fill(ink.Ellipse(x-5, 0, 5, 7), lampCore)
	}
}
