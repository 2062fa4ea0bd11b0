package engine_test

import (
	"image"
	"image/draw"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

// scribbled is a page of strokes that cross each other at random.
func scribbled() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 700, 990))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	random := rand.New(rand.NewPCG(3, 5))
	x, y := 350.0, 300.0
	for range 400 {
		toX, toY := 100+500*random.Float64(), 100+400*random.Float64()
		for i := range 200 {
			at := image.Pt(int(x+(toX-x)*float64(i)/200), int(y+(toY-y)*float64(i)/200))
			draw.Draw(img, image.Rect(0, 0, 3, 3).Add(at), image.Black, image.Point{}, draw.Src)
		}
		x, y = x+(toX-x)/4, y+(toY-y)/4
	}
	return img
}

func TestLetteringWithARimOnStrokesIsRead(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 2)
	_, found, err := e.Detect(t.Context(), haloed(t, scribbled(), func(write func(x, y int, text string)) {
		for i, column := range []string{"助けて", "ください", "妹がいない"} {
			for k, c := range []rune(column) {
				write(390-45*i, 222+27*k, string(c))
			}
		}
		write(250, 800, "約束しただろう")
	}), comic.Options{From: "ja"})
	require.NoError(t, err)
	var texts []string
	for _, r := range found.Regions {
		if r.Text != "" {
			texts = append(texts, r.Text)
		}
	}
	require.Equal(t, []string{"助けてください妹がいない", "約束しただろう"}, texts)
}
