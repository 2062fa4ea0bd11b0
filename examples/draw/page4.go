package main

import "plait/examples/draw/ink"

// page4 finds the one thing that the lamp lacks.
func page4(p *Page) error {
	p.Panel(box(46, 46, 1194, 580), func(c *ink.Canvas) {
		lampRoom(c, 46, 46, 1194, 580)
		lens(c.Move(560, 330).Scale(0.88), false)
		Kon{Look: Happy, Right: ink.Pt{X: 150, Y: 70}}.draw(c.Move(300, 366).Scale(0.64))
		Poko{Look: Happy, Left: ink.Pt{X: -160, Y: 90}}.draw(c.Move(850, 366).Scale(0.64))
		wrench(c.Move(742, 420).Turn(-38).Scale(0.7))
		for _, s := range [][3]float64{{412, 560, 0}, {690, 566, 30}, {1010, 548, 10}, {130, 556, 20}} {
			bolt(c.Move(s[0], s[1]).Turn(s[2]))
		}
	})
	p.Panel([]float64{628, 606, 1194, 606, 1194, 1110, 590, 1110}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Vertical(606, 1110, ink.Stop{At: 0, Color: violet}, ink.Stop{At: 1, Color: night}))
		pt := c.Page(862, 1060)
		rays(c, 12, 862, 1060, 130, 700, 36, lamp.Alpha(0.16))
		c.Light(ink.Circle(862, 1060, 420), ink.Glow(pt.X, pt.Y, 420, lamp, ember, 0.7))
		Poko{Look: Calm, Hatch: true, Left: ink.Pt{X: -130, Y: 180}, Right: ink.Pt{X: 140, Y: 130}}.draw(c.Move(862, 908).Scale(0.76))
	})
	p.Panel([]float64{46, 606, 604, 606, 566, 1110, 46, 1110}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Hex(0xfff6df))
		rays(c, 6, 290, 930, 190, 900, 70, inkLine.Alpha(0.85))
		Kon{Look: Startled, Left: ink.Pt{X: -150, Y: 40}, Right: ink.Pt{X: 150, Y: 40}}.draw(c.Move(290, 1000).Scale(0.92))
	})
	p.Panel(box(46, 1136, 1194, 1704), func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Hex(0xffe9c4))
		dots(c, 46, 1136, 1200, 1420, 28, 7, 0.5, ink.Hex(0xffd49e))
		Kon{Look: Flat, Sweat: true}.draw(c.Move(296, 1588).Scale(0.86))
		r := c.Move(706, 1594).Scale(0.86)
		Poko{Look: Happy, Right: ink.Pt{X: 190, Y: 90}}.draw(r)
		bulb(r.Move(190, 66).Scale(1.1))
	})
	return p.page4Text()
}

func (p *Page) page4Text() error {
	if err := p.Caption(972, 132, 400, 136, butter, Text{Size: 36, Leading: 1.3,
		Lines: []string{"あとたりないのは、", "光がひとつだけ。"}, EN: "All it needed now was one little light."}); err != nil {
		return err
	}
	if err := p.Say(Balloon{X: 1032, Y: 694, RX: 156, RY: 78, Tail: ink.Pt{X: 966, Y: 834}, Text: Text{Size: 36,
		Lines: []string{"ぼくのを", "使いましょう。"}, EN: "We can use mine."}}); err != nil {
		return err
	}
	if err := p.Letter(Text{Lines: []string{"ピカーン"}, EN: "Shiiine!", Kind: Sound, Dir: Across, Size: 48, Font: p.Type.Heavy,
		Fill: white, Edge: inkLine, EdgeW: 9, Weight: 2, Leading: 1.2}, 746, 670, nil); err != nil {
		return err
	}
	if err := p.Say(Balloon{X: 300, Y: 712, RX: 212, RY: 92, Shape: Shouted, Tail: ink.Pt{X: 300, Y: 870}, Text: Text{Size: 40,
		Lines: []string{"それ、きみの", "心臓でしょ！？"}, EN: "But isn't that your heart?!"}}); err != nil {
		return err
	}
	if err := p.Say(
		Balloon{X: 1078, Y: 1212, RX: 98, RY: 62, Text: Text{Lines: []string{"いえ。"}, EN: "No, no."}},
		Balloon{X: 842, Y: 1322, RX: 236, RY: 84, Tail: ink.Pt{X: 848, Y: 1474}, Text: Text{Size: 40,
			Lines: []string{"寝る前に本を読む", "ためのライトです。"}, EN: "It's my bedtime reading light."}},
	); err != nil {
		return err
	}
	return p.Say(Balloon{X: 196, Y: 1322, RX: 122, RY: 62, Tail: ink.Pt{X: 250, Y: 1424}, Text: Text{
		Lines: []string{"あ、そう。"}, EN: "Oh. I see."}})
}

// bolt is a loose hexagon nut.
func bolt(c *ink.Canvas) {
	c.Shape(ink.Poly(-16, 0, -8, -11, 8, -11, 16, 0, 8, 11, -8, 11), gold, fine, inkLine)
	c.Shape(ink.Ellipse(0, 0, 6, 5), visor, hair, inkLine)
}
