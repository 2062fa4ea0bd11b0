package main

import "plait/examples/draw/ink"

// page6 says goodbye, and opens a book in the dark.
func page6(p *Page) error {
	p.Panel(box(46, 46, 1194, 640), func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), dark(0, 760))
		stars(c, 91, 70, 46, 46, 1194, 420, [4]float64{400, 80, 1160, 200})
		tower := c.Move(1080, 900).Scale(0.74)
		at := tower.Page(0, lampY)
		beam(c, at.X, at.Y, 1300, 178, 200, 0.8)
		c.Light(ink.Circle(at.X, at.Y, 300), ink.Glow(at.X, at.Y, 300, lamp, ember, 0.8))
		Lighthouse{Lit: true, Shade: 0.2}.draw(tower)
		Whale{Lit: cloud, Shade: lilac, Line: inkLine, Look: Happy}.draw(c.Move(370, 350).Scale(0.62))
		Whale{Lit: cloud, Shade: lilac, Line: inkLine, Look: Happy}.draw(c.Move(800, 440).Scale(0.3))
		bank(c, 52, 560, 160, 700, ink.Vertical(500, 640, ink.Stop{At: 0, Color: mauve.Mix(lilac, 0.4)}, ink.Stop{At: 1, Color: violet}))
	})
	p.Panel([]float64{610, 666, 1194, 666, 1194, 1140, 646, 1140}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Hex(0xf9c6a6))
		hatch(c, 600, 666, 1200, 1140, 24, 6, ink.Hex(0xf6b48c).Alpha(0.6))
		Kon{Look: Happy, Left: ink.Pt{X: -110, Y: 80}}.draw(c.Move(846, 1024).Scale(0.84))
	})
	p.Panel([]float64{46, 666, 586, 666, 622, 1140, 46, 1140}, func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), ink.Vertical(666, 1140, ink.Stop{At: 0, Color: indigo}, ink.Stop{At: 1, Color: night}))
		dots(c, 46, 880, 640, 1150, 26, 0.5, 6, violet.Alpha(0.6))
		r := c.Move(386, 974).Scale(0.76)
		Poko{Look: Worried, Left: ink.Pt{X: -120, Y: 150}, Right: ink.Pt{X: 120, Y: 150}}.draw(r)
		book(r.Move(0, 164))
	})
	p.Panel(box(46, 1166, 1194, 1704), func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 1240, 1750), dark(1100, 1750))
		stars(c, 14, 60, 46, 1166, 1194, 1500, [4]float64{60, 1170, 340, 1330})
		moon(c, 170, 1242, 34)
		bank(c, 71, 1530, 170, 1750, violet.Mix(mauve, 0.4))
		beam(c, 1290, 1190, 1500, 150, 172, 0.95)
		Kon{Look: Aside}.draw(c.Move(440, 1412).Scale(0.66))
		r := c.Move(690, 1422).Scale(0.66)
		Poko{Look: Happy, Left: ink.Pt{X: -120, Y: 120}, Right: ink.Pt{X: 120, Y: 120}}.draw(r)
		book(r.Move(0, 118))
		railing(c, 20, 1240, 1540, 50)
	})
	return p.page6Text()
}

func (p *Page) page6Text() error {
	if err := p.Letter(p.spoken(Text{Lines: []string{"ありがとう、灯台さん！"}, EN: "Thank you, lighthouse!", Kind: Dialogue, Size: 62,
		Font: p.Type.Heavy, Fill: lampCore, Edge: inkLine, EdgeW: 9}), 770, 132, nil); err != nil {
		return err
	}
	for _, b := range []Balloon{
		{X: 972, Y: 758, RX: 204, RY: 84, Tail: ink.Pt{X: 852, Y: 888}, Text: Text{Size: 38,
			Lines: []string{"ねえポコ、今夜の", "お話、読んで！"}, EN: "Hey, Poko! Read me a bedtime story!"}},
		{X: 206, Y: 760, RX: 148, RY: 80, Tail: ink.Pt{X: 292, Y: 886}, Text: Text{Size: 38,
			Lines: []string{"まっくらで", "読めません。"}, EN: "It's too dark to read."}},
	} {
		if err := p.Say(b); err != nil {
			return err
		}
	}
	if err := p.Caption(942, 1240, 460, 124, butter, Text{Size: 36, Leading: 1.3,
		Lines: []string{"あかりは、十秒に一回", "まわってきます。"}, EN: "The light comes around every ten seconds."}); err != nil {
		return err
	}
	for _, b := range []Balloon{
		{X: 992, Y: 1396, RX: 174, RY: 80, Tail: ink.Pt{X: 796, Y: 1428}, Text: Text{Size: 38,
			Lines: []string{"一行ずつ、", "読みましょう。"}, EN: "We'll read one line at a time."}},
		{X: 204, Y: 1392, RX: 140, RY: 80, Tail: ink.Pt{X: 346, Y: 1424}, Text: Text{Size: 38,
			Lines: []string{"それ、朝まで", "かかるよ！"}, EN: "That'll take till morning!"}},
	} {
		if err := p.Say(b); err != nil {
			return err
		}
	}
	return p.Letter(Text{Lines: []string{"おしまい"}, EN: "The End", Kind: Title, Dir: Across, Size: 56, Font: p.Type.Heavy,
		Fill: lamp, Edge: inkLine, EdgeW: 7, Weight: 1.5, Leading: 1.2}, 190, 1648, nil)
}
