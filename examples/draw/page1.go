package main

import "plait/examples/draw/ink"

// page1 is the title page: dusk at the edge of the sky, and a dark lighthouse.
func page1(p *Page) error {
	w, h := p.Size()
	p.Fill(ink.Rect(0, 0, w, h), dusk(0, 1420))
	stars(p.Canvas, 22, 80, 0, 0, w, 620, [4]float64{190, 90, 1060, 580})
	moon(p.Canvas, 190, 640, 58)
	omen := Whale{}.outline()
	p.Move(1034, 700).Turn(-6).Scale(0.38).Fill(omen, ink.Hex(0xffb9a0).Alpha(0.55))
	wisp(p.Canvas, -60, 930, 420, rose.Mix(peach, 0.5).Alpha(0.6))
	wisp(p.Canvas, 880, 960, 300, butter.Alpha(0.5))
	bank(p.Canvas, 4, 1210, 190, h, rose.Mix(butter, 0.55))
	bank(p.Canvas, 9, 1310, 230, h, ink.Vertical(1250, h, ink.Stop{At: 0, Color: ink.Hex(0xf6b3a6)}, ink.Stop{At: 1, Color: ink.Hex(0xb183bd)}))

	isle := p.Move(690, 1330)
	island(isle, 0.12)
	Lighthouse{Shade: 0.16}.draw(isle.Move(30, -6).Scale(0.92))
	Kon{Look: Calm}.draw(isle.Move(-246, -122).Scale(0.42))
	Poko{Look: Calm, Right: ink.Pt{X: 150, Y: 60}}.draw(isle.Move(-128, -122).Scale(0.42))

	bank(p.Canvas, 15, 1560, 260, h, ink.Vertical(1460, h, ink.Stop{At: 0, Color: ink.Hex(0xd99bb8)}, ink.Stop{At: 1, Color: violet}))

	title := Text{Kind: Title, Dir: Across, Font: p.Type.Heavy, Fill: lampCore, Edge: inkLine, EdgeW: 16, Leading: 1.16,
		Size: 144, Lines: []string{"雲くじらの", "灯台"}, EN: "The Cloud Whale's Lighthouse"}
	if err := p.Letter(title, 620, 300, nil); err != nil {
		return err
	}
	err := p.Say(
		Balloon{X: 280, Y: 960, RX: 190, RY: 92, Tail: ink.Pt{X: 452, Y: 1132}, Text: Text{
			Lines: []string{"今夜は", "まっくらだね。"}, EN: "It's awfully dark tonight."}},
	)
	if err != nil {
		return err
	}
	return p.Caption(810, 1612, 720, 172, butter, Text{Size: 44, Leading: 1.3,
		Lines: []string{"空のはじっこに、", "小さな灯台がありました。"}, EN: "At the very edge of the sky stood a little lighthouse."})
}
