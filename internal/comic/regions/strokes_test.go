package regions_test

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/regions"
	"plait/internal/raster"
)

func TestLettersHaveStrokes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		prob  float64
		angle float64
		draw  func(img *image.NRGBA)
		said  bool
	}{
		"letters":              {text: "somewhere", prob: 0.73, draw: comb, said: true},
		"letters, joined":      {text: "somewhere", prob: 0.73, draw: joined, said: true},
		"a stroke":             {text: "soeecomne", prob: 0.73, draw: stroke},
		"a stroke, upright":    {text: "soeecomne", prob: 0.73, angle: math.Pi / 2, draw: upright},
		"two strokes":          {text: "soeecomne", prob: 0.73, draw: strokes},
		"a stroke at an angle": {text: "soeecomne", prob: 0.73, angle: math.Atan2(1, 3), draw: staircase},
		"sure of a stroke":     {text: "soeecomne", prob: 0.95, draw: stroke, said: true},
		"Chinese of strokes":   {text: "二二二二", prob: 0.8, draw: strokes, said: true},
	} {
		img := canvas(gray)
		fill(img, image.Rect(100, 100, 300, 200), image.White)
		c.draw(img)
		l := regions.Line{Quad: around(180, 147, 30, 12, c.angle), Text: c.text, Prob: c.prob}
		require.Equal(t, c.said, len(group(t, img, []regions.Line{l}, "en")) > 0, name)
	}
}

// around is a quad by its middle and half its sides, turned clockwise.
func around(x, y, width, height, angle float64) raster.Quad {
	sin, cos := math.Sincos(angle)
	var q raster.Quad
	for i, c := range []raster.Point{{-width, -height}, {width, -height}, {width, height}, {-width, height}} {
		q[i] = raster.Point{x + c[0]*cos - c[1]*sin, y + c[0]*sin + c[1]*cos}
	}
	return q
}

// comb draws nine upright strokes.
func comb(img *image.NRGBA) {
	for x := 154; x < 208; x += 6 {
		fill(img, image.Rect(x, 135, x+2, 155), image.Black)
	}
}

// joined draws them with a line below, as letters are joined in cursive.
func joined(img *image.NRGBA) {
	comb(img)
	fill(img, image.Rect(154, 153, 208, 155), image.Black)
}

// stroke draws one that runs all along the line.
func stroke(img *image.NRGBA) { fill(img, image.Rect(154, 143, 206, 148), image.Black) }

// strokes draws another one above.
func strokes(img *image.NRGBA) {
	stroke(img)
	fill(img, image.Rect(160, 135, 200, 138), image.Black)
}

// staircase draws one whose edges are steps, as the page's pixels make them of a line at an angle.
func staircase(img *image.NRGBA) {
	for x := 156; x < 204; x++ {
		y := 137 + (x-156)/3
		fill(img, image.Rect(x, y, x+1, y+5), image.Black)
	}
}

// upright draws one down the page.
func upright(img *image.NRGBA) { fill(img, image.Rect(178, 122, 183, 172), image.Black) }
