package main

import "plait/examples/draw/ink"

// page5 is a picture without a word: the light comes on.
func page5(p *Page) error {
	w, h := p.Size()
	p.Fill(ink.Rect(0, 0, w, h), ink.Vertical(0, h, ink.Stop{At: 0, Color: indigo}, ink.Stop{At: 0.5, Color: ink.Hex(0x34337d)},
		ink.Stop{At: 0.72, Color: ink.Hex(0x7a5aa6)}, ink.Stop{At: 1, Color: rose}))
	stars(p.Canvas, 3, 130, 0, 0, w, 900)
	tower := p.Move(330, 1500).Scale(0.98)
	at := tower.Page(0, lampY)
	c := p.Canvas
	bank(c, 61, 1230, 200, h, ink.Hex(0x7e62ab))
	beam(c, at.X, at.Y, 1700, -62, -30, 0.85)
	beam(c, at.X, at.Y, 1700, 132, 160, 0.5)
	c.Light(ink.Circle(at.X, at.Y, 520), ink.Glow(at.X, at.Y, 520, lamp, ember, 0.9))

	Whale{Lit: ink.Hex(0xfff6de), Shade: ink.Hex(0xd8a8c8), Line: inkLine, Look: Happy}.draw(p.Move(700, 420).Turn(9).Scale(1.06))
	Whale{Lit: ink.Hex(0xfff6de), Shade: ink.Hex(0xe0b4cc), Line: inkLine, Look: Happy}.draw(p.Move(880, 900).Turn(14).Scale(0.46))
	spout(p.Move(520, 170).Turn(9), 0, 0, cloud)

	bank(c, 62, 1380, 230, h, ink.Vertical(1280, h, ink.Stop{At: 0, Color: ink.Hex(0xc384b4)}, ink.Stop{At: 1, Color: ink.Hex(0x8a5fa8)}))
	isle := p.Move(330, 1510)
	island(isle, 0.2)
	Lighthouse{Lit: true, Shade: 0.12}.draw(tower)
	c.Light(ink.Circle(at.X, at.Y, 200), ink.Glow(at.X, at.Y, 200, lampCore, ember, 0.9))
	Kon{Look: Happy, Left: ink.Pt{X: -140, Y: 0}, Right: ink.Pt{X: 140, Y: 0}}.draw(p.Move(500, 1408).Scale(0.3))
	Poko{Look: Happy, Right: ink.Pt{X: 150, Y: 20}}.draw(p.Move(588, 1416).Scale(0.3))
	bank(c, 63, 1640, 260, h, ink.Vertical(1520, h, ink.Stop{At: 0, Color: ink.Hex(0xf0a9a8)}, ink.Stop{At: 1, Color: ink.Hex(0xb87bb0)}))
	for _, s := range [][3]float64{{760, 716, 20}, {1090, 690, 16}, {760, 980, 14}, {1130, 1080, 20}, {560, 860, 12}, {980, 200, 14}} {
		sparkle(c, s[0], s[1], s[2], lampCore)
	}
	return nil
}
