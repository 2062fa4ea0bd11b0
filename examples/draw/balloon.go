package main

import (
	"math"

	"plait/examples/draw/ink"
)

// Balloon is the shape around a line of dialogue.
type Balloon struct {
	X, Y, RX, RY float64
	Shape        BalloonShape
	Tail         ink.Pt  // where it points; the zero point: no tail
	TailW        float64 // width of the tail at its root; 0: by size
	Text         Text
}

// BalloonShape is the manner of a balloon's outline.
type BalloonShape int

// Balloons are said aloud, breathed by something soft, or shouted.
const (
	Said BalloonShape = iota
	Puffy
	Shouted
)

// Say draws balloons that run into one another as one body, then letters each.
func (p *Page) Say(balloons ...Balloon) error {
	var bodies []*ink.Path
	for _, b := range balloons {
		bodies = append(bodies, b.body())
		if b.Tail != (ink.Pt{}) {
			bodies = append(bodies, b.tail())
		}
	}
	for _, body := range bodies {
		p.Line(body, 2*bold, inkLine)
	}
	for _, body := range bodies {
		p.Fill(body, white)
	}
	for _, b := range balloons {
		around, _ := p.Box(b.body())
		t := b.Text
		t.Kind = Dialogue
		if err := p.Letter(p.spoken(t), b.X, b.Y, &around); err != nil {
			return err
		}
	}
	return nil
}

// spoken fills in what all lines of dialogue share.
func (p *Page) spoken(t Text) Text {
	if t.Font == nil {
		t.Font = p.Type.Speech
	}
	if t.Fill == nil {
		t.Fill = inkLine
	}
	if t.Dir == "" {
		t.Dir = Across
	}
	if t.Size == 0 {
		t.Size = 42
	}
	if t.Leading == 0 {
		t.Leading = 1.34
	}
	return t
}

// Caption letters narration in a colored box centered on (x, y).
func (p *Page) Caption(x, y, w, h float64, ground ink.Color, t Text) error {
	b := ink.RoundRect(x-w/2, y-h/2, x+w/2, y+h/2, 10)
	p.Fill(b.Move(7, 8), inkLine.Alpha(0.35))
	p.Shape(b, ground, bold, inkLine)
	around, _ := p.Box(b)
	t.Kind = Narration
	return p.Letter(p.spoken(t), x, y, &around)
}

func (b Balloon) body() *ink.Path {
	switch b.Shape {
	case Puffy:
		return b.rim(11, func(a float64) float64 { return 0.93 + 0.11*math.Abs(math.Sin(a/2)) })
	case Shouted:
		return b.burst()
	default:
		// A slow wobble keeps the outline from looking ruled by a compass.
		return b.rim(3, func(a float64) float64 { return 1 + 0.012*math.Sin(a+b.X) })
	}
}

// rim is a plump ellipse whose radius is scaled by f, which sees an angle that
// goes round n times.
func (b Balloon) rim(n float64, f func(a float64) float64) *ink.Path {
	const steps, plump = 396, 2.35
	var xy []float64
	for i := range steps {
		a := 2 * math.Pi * float64(i) / steps
		s, c := math.Sincos(a)
		k := f(n * a)
		xy = append(xy,
			b.X+k*b.RX*math.Copysign(math.Pow(math.Abs(c), 2/plump), c),
			b.Y+k*b.RY*math.Copysign(math.Pow(math.Abs(s), 2/plump), s))
	}
	return ink.Poly(xy...)
}

// burst is a ring of spikes of uneven length with hollow curves between them.
func (b Balloon) burst() *ink.Path {
	const spikes = 18
	at := func(i int, k float64) ink.Pt {
		s, c := math.Sincos(math.Pi * float64(i) / spikes)
		return ink.Pt{X: b.X + k*b.RX*c, Y: b.Y + k*b.RY*s}
	}
	reach := func(i int) float64 { return 1.11 + 0.06*math.Sin(2.4*float64(i)) }
	start := at(0, reach(0))
	p := ink.New().M(start.X, start.Y)
	for i := range spikes {
		hollow, tip := at(2*i+1, 0.76), at(2*i+2, reach((i+1)%spikes))
		p.Q(hollow.X, hollow.Y, tip.X, tip.Y)
	}
	return p.Z()
}

// tail is a curved horn from inside the body to the point it names.
func (b Balloon) tail() *ink.Path {
	c := ink.Pt{X: b.X, Y: b.Y}
	d := b.Tail.Sub(c)
	across := ink.Pt{X: -d.Y, Y: d.X}.Mul(1 / d.Len())
	w := b.TailW
	if w == 0 {
		w = 0.2 * (b.RX + b.RY)
	}
	// The root stands where the ray to the tip leaves an ellipse well inside.
	k := 0.72 / math.Hypot(d.X/b.RX, d.Y/b.RY)
	root := c.Add(d.Mul(k))
	l, r := root.Add(across.Mul(w/2)), root.Sub(across.Mul(w/2))
	bend := across.Mul(0.12 * b.Tail.Sub(root).Len())
	m := root.Lerp(b.Tail, 0.55)
	ml, mr := m.Add(bend).Add(across.Mul(w*0.16)), m.Add(bend).Sub(across.Mul(w*0.16))
	return ink.New().M(l.X, l.Y).Q(ml.X, ml.Y, b.Tail.X, b.Tail.Y).Q(mr.X, mr.Y, r.X, r.Y).Z()
}
