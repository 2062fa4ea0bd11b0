package ink

import (
	"image/color"
	"math"
)

// Paint gives the straight-alpha color of a page pixel.
type Paint interface {
	at(x, y float64) color.NRGBA
	// even says whether a row of pixels is all of one color: most are, and need
	// their color worked out only once.
	even() bool
}

// Color is one flat paint.
type Color color.NRGBA

func (c Color) at(_, _ float64) color.NRGBA { return color.NRGBA(c) }

func (c Color) even() bool { return true }

// Hex makes an opaque color of 0xRRGGBB.
func Hex(v uint32) Color {
	return Color{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// Alpha returns the color at opacity a, 0 to 1.
func (c Color) Alpha(a float64) Color {
	c.A = uint8(math.Round(255 * a))
	return c
}

// Mix returns the color at share t of the way to d.
func (c Color) Mix(d Color, t float64) Color {
	m := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*t)) }
	return Color{m(c.R, d.R), m(c.G, d.G), m(c.B, d.B), m(c.A, d.A)}
}

// Stop is a color at a place from 0 to 1 of a gradient.
type Stop struct {
	At    float64
	Color Color
}

// Linear runs its stops from page point From to page point To.
type Linear struct {
	From, To Pt
	Stops    []Stop
}

func (g Linear) at(x, y float64) color.NRGBA {
	d := g.To.Sub(g.From)
	v := Pt{x, y}.Sub(g.From)
	return pick(g.Stops, (v.X*d.X+v.Y*d.Y)/(d.X*d.X+d.Y*d.Y))
}

func (g Linear) even() bool { return g.From.X == g.To.X }

// Vertical runs its stops from page row y0 down to page row y1.
func Vertical(y0, y1 float64, stops ...Stop) Linear {
	return Linear{Pt{0, y0}, Pt{0, y1}, stops}
}

// Radial runs its stops from page point Center out to radius R.
type Radial struct {
	Center Pt
	R      float64
	Stops  []Stop
}

func (g Radial) at(x, y float64) color.NRGBA {
	return pick(g.Stops, Pt{x, y}.Sub(g.Center).Len()/g.R)
}

func (g Radial) even() bool { return false }

// Glow is light that falls off from inner at its middle to nothing at radius r,
// where it has turned to outer. It does so in rings: flat rings sit well with flat
// color, and a page of them packs to half the size.
func Glow(x, y, r float64, inner, outer Color, strength float64) Radial {
	const rings = 9
	var stops []Stop
	for i := range rings {
		t := float64(i) / rings
		ring := inner.Mix(outer, t).Alpha(strength * (1 - t) * (1 - t))
		stops = append(stops, Stop{t, ring}, Stop{t + 0.999/rings, ring})
	}
	return Radial{Pt{x, y}, r, append(stops, Stop{1, outer.Alpha(0)})}
}

func pick(stops []Stop, t float64) color.NRGBA {
	if t <= stops[0].At {
		return color.NRGBA(stops[0].Color)
	}
	for i := 1; i < len(stops); i++ {
		a, b := stops[i-1], stops[i]
		if t <= b.At {
			return color.NRGBA(a.Color.Mix(b.Color, (t-a.At)/(b.At-a.At)))
		}
	}
	return color.NRGBA(stops[len(stops)-1].Color)
}
