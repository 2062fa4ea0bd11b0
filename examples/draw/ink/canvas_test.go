package ink_test

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/examples/draw/ink"
)

var (
	black = ink.Hex(0x000000)
	white = ink.Hex(0xffffff)
)

// area is how many pixels of ink lie on a white page.
func area(c *ink.Canvas) float64 {
	sum := 0.0
	for i := 0; i < len(c.Image().Pix); i += 4 {
		sum += 1 - float64(c.Image().Pix[i])/255
	}
	return sum
}

func TestAreas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		draw func(*ink.Canvas)
		want float64
	}{
		{"circle", func(c *ink.Canvas) { c.Fill(ink.Circle(100, 100, 60), black) }, math.Pi * 60 * 60},
		{"ring", func(c *ink.Canvas) { c.Line(ink.Circle(100, 100, 60), 10, black) }, 2 * math.Pi * 60 * 10},
		{"line with round ends", func(c *ink.Canvas) { c.Line(ink.New().M(40, 50).L(140, 90), 20, black) }, math.Hypot(100, 40)*20 + math.Pi*100},
		{"corner", func(c *ink.Canvas) { c.Line(ink.New().M(40, 40).L(140, 40, 140, 140), 20, black) }, 2*100*20 + math.Pi*100 - 100 + math.Pi*100/4},
		{"clip", func(c *ink.Canvas) { c.Clip(ink.Rect(0, 0, 100, 200)).Fill(ink.Rect(50, 50, 150, 150), black) }, 50 * 100},
		{"clip of a clip", func(c *ink.Canvas) {
			c.Clip(ink.Rect(0, 0, 100, 200)).Clip(ink.Rect(0, 0, 200, 100)).Fill(ink.Rect(50, 50, 150, 150), black)
		}, 50 * 50},
		{"scaled", func(c *ink.Canvas) { c.Move(100, 100).Scale(3).Fill(ink.Rect(-10, -10, 10, 10), black) }, 60 * 60},
		{"turned", func(c *ink.Canvas) { c.Move(100, 100).Turn(30).Fill(ink.Rect(-30, -20, 30, 20), black) }, 60 * 40},
		{"a line keeps its width at any scale", func(c *ink.Canvas) { c.Scale(10).Line(ink.New().M(4, 4).L(14, 4), 6, black) }, 100*6 + math.Pi*9},
		{"half the ink", func(c *ink.Canvas) { c.Fill(ink.Rect(50, 50, 150, 150), black.Alpha(0.5)) }, 5000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := ink.NewCanvas(200, 200, white)
			c.draw(page)
			require.InEpsilon(t, c.want, area(page), 0.01)
		})
	}
}

func TestLightBrightensWhatIsDarkAndLeavesWhatIsBright(t *testing.T) {
	t.Parallel()
	page := ink.NewCanvas(20, 10, black)
	page.Fill(ink.Rect(10, 0, 20, 10), white)
	page.Light(ink.Rect(0, 0, 20, 10), ink.Hex(0x804020))
	require.Equal(t, color.RGBA{R: 0x80, G: 0x40, B: 0x20, A: 255}, page.Image().RGBAAt(5, 5))
	require.Equal(t, color.RGBA{R: 255, G: 255, B: 255, A: 255}, page.Image().RGBAAt(15, 5))
}

func TestGradientsRunInPagePixels(t *testing.T) {
	t.Parallel()
	page := ink.NewCanvas(10, 100, white)
	page.Move(0, 50).Scale(2).Fill(ink.Rect(0, -25, 5, 25),
		ink.Vertical(0, 100, ink.Stop{At: 0, Color: black}, ink.Stop{At: 1, Color: white}))
	require.InDelta(t, 64, page.Image().RGBAAt(5, 25).R, 2)
	require.InDelta(t, 191, page.Image().RGBAAt(5, 75).R, 2)
}
