package main

import "plait/examples/draw/ink"

// page3 meets the lost whale; everything on it is lettered downwards.
func page3(p *Page) error {
	p.Panel(box(46, 46, 1194, 1066), func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), dark(46, 1000))
		stars(c, 77, 80, 46, 46, 1194, 760, [4]float64{60, 60, 500, 400}, [4]float64{800, 470, 1030, 760})
		moon(c, 150, 180, 46)
		bank(c, 41, 800, 190, 1100, violet.Mix(mauve, 0.5))
		Whale{Lit: cloud, Shade: lilac, Line: inkLine, Look: Startled}.draw(c.Move(428, 566).Scale(0.86).Flip())
		bank(c, 42, 880, 210, 1100, ink.Vertical(800, 1066, ink.Stop{At: 0, Color: mauve.Mix(lilac, 0.4)}, ink.Stop{At: 1, Color: violet}))
		Poko{Look: Startled}.draw(c.Move(826, 832).Scale(0.62))
		Kon{Look: Startled, Left: ink.Pt{X: -172, Y: 30}}.draw(c.Move(1046, 806).Scale(0.66))
		railing(c, 712, 1240, 930, 74)
	})
	p.Panel([]float64{596, 1092, 1194, 1092, 1194, 1704, 636, 1704}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Hex(0xcdebea))
		dots(c, 580, 1400, 1200, 1710, 26, 0.5, 7, ink.Hex(0xa3d8dc))
		Poko{Look: Worried, Right: ink.Pt{X: 130, Y: 120}}.draw(c.Move(772, 1530).Scale(0.92))
	})
	p.Panel([]float64{46, 1092, 572, 1092, 612, 1704, 46, 1704}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Hex(0xffe0a8))
		rays(c, 8, 240, 1500, 210, 900, 46, ink.Hex(0xffc878))
		Kon{Look: Happy, Left: ink.Pt{X: -172, Y: -10}}.draw(c.Move(252, 1530).Scale(0.94))
	})
	for _, b := range []Balloon{
		{X: 1066, Y: 268, RX: 112, RY: 196, Tail: ink.Pt{X: 1050, Y: 678}, TailW: 56, Text: Text{Dir: Down,
			Lines: []string{"雲くじらの", "子どもだ！"}, EN: "It's a baby cloud whale!"}},
		{X: 672, Y: 268, RX: 176, RY: 190, Shape: Puffy, Tail: ink.Pt{X: 748, Y: 500}, TailW: 64, Text: Text{Dir: Down,
			Lines: []string{"おうちの", "あかりが、", "みえないの。"}, EN: "I can't see the light that leads me home!"}},
		{X: 1052, Y: 1332, RX: 130, RY: 224, Tail: ink.Pt{X: 880, Y: 1452}, TailW: 60, Text: Text{Dir: Down,
			Lines: []string{"迷子ですね。", "あかりがないと、", "帰れません。"}, EN: "A lost child. Without our light, there's no way home."}},
		{X: 446, Y: 1306, RX: 126, RY: 184, Shape: Shouted, Tail: ink.Pt{X: 356, Y: 1484}, TailW: 60, Text: Text{Dir: Down, Size: 40,
			Lines: []string{"じゃあ、", "なおさなきゃ！"}, EN: "Then we'd better fix it!"}},
	} {
		if err := p.Say(b); err != nil {
			return err
		}
	}
	return nil
}
