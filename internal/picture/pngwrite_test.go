package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/picture"
)

// What is written after another picture of the page has the bytes that it would have alone, and image/png reads its pixels.
func TestAPictureIsWrittenAgain(t *testing.T) {
	t.Parallel()
	const width, height = 61, 150
	for name, colors := range map[string]func(x, y int) color.NRGBA{
		"gray":  func(x, y int) color.NRGBA { v := uint8(x*y/9 + y); return color.NRGBA{v, v, v, 255} },
		"rgb":   func(x, y int) color.NRGBA { return color.NRGBA{uint8(3*x + y), uint8(x * x / 7), uint8(y), 255} },
		"alpha": func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), uint8(2 * y), uint8(x + y), uint8(255 - y)} },
		"blank": func(int, int) color.NRGBA { return color.NRGBA{255, 255, 255, 255} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := image.NewNRGBA(image.Rect(0, 0, width, height))
			for i := range width * height {
				source.SetNRGBA(i%width, i/width, colors(i%width, i/width))
			}
			page := decode(t, pngOf(t, source))
			written := &picture.Written{}
			random := rand.New(rand.NewPCG(1, 2))
			img := page.Image
			for range 12 {
				img = &image.NRGBA{Pix: bytes.Clone(img.Pix), Stride: img.Stride, Rect: img.Rect}
				first := random.IntN(height)
				for y := first; y < min(first+random.IntN(40), height); y++ {
					for x := range random.IntN(width) {
						v := uint8(random.IntN(256))
						img.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
					}
				}
				again, err := page.EncodeAgain(t.Context(), img, picture.PNG, written)
				require.NoError(t, err)
				alone, err := page.Encode(t.Context(), img, picture.PNG)
				require.NoError(t, err)
				require.True(t, bytes.Equal(alone, again), "the bytes are the same")
				read, err := png.Decode(bytes.NewReader(again))
				require.NoError(t, err)
				require.Equal(t, img.Pix, over(read).Pix)
			}
		})
	}
}

// over is a picture laid over white.
func over(img image.Image) *image.NRGBA {
	out := image.NewNRGBA(img.Bounds())
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			blend := func(v uint8) uint8 { return uint8((uint32(v)*uint32(c.A) + 255*(255-uint32(c.A)) + 127) / 255) }
			out.SetNRGBA(x, y, color.NRGBA{blend(c.R), blend(c.G), blend(c.B), 255})
		}
	}
	return out
}
