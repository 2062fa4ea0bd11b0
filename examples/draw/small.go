package main

import "plait/examples/draw/ink"

// postcard is a chapter small enough to read and letter within a test.
var postcard = Chapter{
	Info: ComicInfo{Title: "雲くじらの絵はがき", Series: "雲くじらの灯台", Number: "0", Writer: "Plait",
		Summary: "小さな三ページ。", LanguageISO: "ja", Manga: "YesAndRightToLeft"},
	Width: 480, Height: 680,
	Sheets: []Sheet{{"01.png", smallAcross}, {"02.png", smallDown}, {"03.png", smallSilent}},
}

// smallAcross has one balloon, lettered across.
func smallAcross(p *Page) error {
	p.Panel(box(16, 16, 464, 664), func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 480, 680), ink.Hex(0xffe0a8))
		dots(c, 0, 400, 480, 680, 24, 0.5, 7, ink.Hex(0xffcf8a))
		Kon{Look: Happy, Left: ink.Pt{X: -172, Y: 0}}.draw(c.Move(222, 472).Scale(0.92))
	})
	return p.Say(Balloon{X: 240, Y: 148, RX: 196, RY: 104, Tail: ink.Pt{X: 232, Y: 308}, Text: Text{Size: 40,
		Lines: []string{"今夜は星が", "きれいだね。"}, EN: "The stars are lovely tonight."}})
}

// smallDown has one balloon, lettered down.
func smallDown(p *Page) error {
	p.Panel(box(16, 16, 464, 664), func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 480, 680), ink.Hex(0xcdebea))
		hatch(c, 0, 0, 480, 680, 26, 6, ink.Hex(0xbfe3e3))
		Poko{Look: Calm, Left: ink.Pt{X: -150, Y: 90}}.draw(c.Move(176, 470).Scale(0.8))
	})
	return p.Say(Balloon{X: 352, Y: 208, RX: 92, RY: 170, Tail: ink.Pt{X: 262, Y: 376}, TailW: 50, Text: Text{Size: 38, Dir: Down,
		Lines: []string{"あかりを", "つけましょう。"}, EN: "Let's light the lamp."}})
}

// smallSilent has no text.
func smallSilent(p *Page) error {
	p.Panel(box(16, 16, 464, 664), func(c *ink.Canvas) {
		c.Fill(ink.Rect(0, 0, 480, 680), dusk(0, 600))
		stars(c, 9, 30, 16, 16, 464, 260)
		Whale{Lit: cloud, Shade: lilac, Line: inkLine, Look: Happy}.draw(c.Move(226, 300).Scale(0.4))
		bank(c, 5, 500, 110, 700, rose.Mix(butter, 0.5))
		bank(c, 6, 580, 130, 700, mauve)
	})
	return nil
}
