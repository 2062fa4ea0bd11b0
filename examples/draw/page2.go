package main

import "plait/examples/draw/ink"

// page2 is a talk in the lamp room, and a call from outside.
func page2(p *Page) error {
	p.Panel(box(46, 46, 1194, 690), func(c *ink.Canvas) {
		lampRoom(c, 46, 46, 1194, 690)
		lens(c.Move(622, 400), false)
		k := c.Move(330, 432).Scale(0.76)
		Kon{Look: Calm, Left: ink.Pt{X: -150, Y: 120}}.draw(k)
		lantern(k.Move(-152, 134).Scale(0.95))
		r := c.Move(905, 432).Scale(0.76)
		wrench(r.Move(168, 96).Turn(24))
		Poko{Look: Calm, Right: ink.Pt{X: 166, Y: 110}}.draw(r)
	})
	p.Panel([]float64{650, 716, 1194, 716, 1194, 1196, 614, 1196}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), butter)
		dots(c, 600, 900, 1200, 1200, 26, 0.5, 8, peach)
		Poko{Look: Calm, Right: ink.Pt{X: 120, Y: 130}}.draw(c.Move(842, 1076).Scale(0.9))
	})
	p.Panel([]float64{46, 716, 626, 716, 590, 1196, 46, 1196}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Hex(0xd9d4f5))
		hatch(c, 40, 716, 640, 1196, 22, 5, lilac.Alpha(0.55))
		Kon{Look: Flat}.draw(c.Move(306, 1088).Scale(0.9))
	})
	p.Panel([]float64{760, 1222, 1194, 1222, 1194, 1704, 724, 1704}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Hex(0xbfe3e6))
		dots(c, 700, 1222, 1200, 1480, 24, 6, 0.5, ink.Hex(0x9ccfd6))
		r := c.Move(912, 1590).Scale(0.88)
		Poko{Look: Aside}.draw(r)
		sweat(r, 150, -96)
	})
	p.Panel([]float64{46, 1222, 736, 1222, 700, 1704, 46, 1704}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), dark(1222, 1704))
		stars(c, 5, 40, 46, 1222, 720, 1560, [4]float64{60, 1290, 710, 1450})
		for i := range 4 {
			c.Brush(ink.Arc(-20, 1372, 190+float64(i)*150, 150+float64(i)*96, -62, 62), 9-float64(i), lilac.Alpha(0.55-0.1*float64(i)))
		}
		bank(c, 31, 1610, 120, 1750, violet.Mix(lilac, 0.3))
		Kon{Look: Startled}.draw(c.Move(210, 1612).Scale(0.62))
		Poko{Look: Startled}.draw(c.Move(500, 1626).Scale(0.62))
	})
	return p.page2Text()
}

func (p *Page) page2Text() error {
	for _, b := range []Balloon{
		{X: 950, Y: 146, RX: 224, RY: 86, Tail: ink.Pt{X: 930, Y: 282}, Text: Text{
			Lines: []string{"ランプが、うんとも", "すんとも言いません。"}, Size: 36, EN: "The lamp won't make so much as a peep."}},
		{X: 270, Y: 136, RX: 178, RY: 68, Tail: ink.Pt{X: 318, Y: 268}, Text: Text{
			Lines: []string{"たたいてみた？"}, EN: "Did you try hitting it?"}},
		{X: 990, Y: 804, RX: 186, RY: 76, Tail: ink.Pt{X: 958, Y: 952}, Text: Text{
			Lines: []string{"はい。三回", "たたきました。"}, EN: "Yes. I hit it three times."}},
		{X: 262, Y: 814, RX: 160, RY: 74, Tail: ink.Pt{X: 302, Y: 944}, Text: Text{
			Lines: []string{"やさしく？"}, EN: "Gently?"}},
		{X: 1016, Y: 1314, RX: 156, RY: 72, Tail: ink.Pt{X: 1010, Y: 1462}, Text: Text{
			Lines: []string{"……二回は。"}, EN: "…Two of them."}},
	} {
		if err := p.Say(b); err != nil {
			return err
		}
	}
	return p.Letter(Text{Lines: []string{"ボオオーーン"}, EN: "Bwooooom", Kind: Sound, Dir: Across, Size: 100,
		Font: p.Type.Heavy, Fill: lamp, Edge: inkLine, EdgeW: 11, Weight: 2, Leading: 1.2}, 384, 1366, nil)
}

// lampRoom is the glass room at the top of the tower, by night.
func lampRoom(c *ink.Canvas, x0, y0, x1, y1 float64) {
	c.Fill(ink.Rect(x0, y0, x1, y1), dark(y0, y1-180))
	stars(c, 17, 46, x0, y0, x1, y1-230)
	bank(c, 22, y1-236, 150, y1, violet.Mix(mauve, 0.45))
	sill := y1 - 184
	for x := x0 + 92; x < x1; x += 241 {
		c.Line(ink.New().M(x, y0).L(x, sill), 17, inkLine)
		c.Line(ink.New().M(x-1, y0).L(x-1, sill), 7, ink.Hex(0x5a6bb5))
	}
	for x := x0 - 140; x < x1; x += 241 {
		c.Fill(ink.Poly(x+60, y0, x+130, y0, x-20, sill, x-90, sill), white.Alpha(0.05))
	}
	c.Fill(ink.Rect(x0, sill, x1, y1), ink.Vertical(sill, y1, ink.Stop{At: 0, Color: ink.Hex(0x8d5c66)}, ink.Stop{At: 1, Color: ink.Hex(0x5d3a56)}))
	for x := x0 + 40; x < x1; x += 76 {
		c.Line(ink.New().M(x, sill).L(x, y1-70), hair, inkLine.Alpha(0.5))
	}
	c.Shape(ink.Rect(x0-20, sill-12, x1+20, sill+12), ink.Hex(0xb9836a), bold, inkLine)
	c.Shape(ink.Rect(x0-20, y1-66, x1+20, y1+20), ink.Hex(0x6f4a63), bold, inkLine)
}

// sweat is a drop of embarrassment.
func sweat(c *ink.Canvas, x, y float64) {
	c.Shape(ink.New().M(x, y-28).C(x+18, y, x+24, y+12, x+14, y+22).C(x+4, y+30, x-14, y+24, x-12, y+8).C(x-10, y-4, x-4, y-16, x, y-28).Z(),
		ink.Hex(0xd6f1fb), fine, inkLine)
}
