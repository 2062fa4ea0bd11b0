package picture_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"github.com/chai2010/webp"
	"github.com/stretchr/testify/require"

	"plait/internal/picture"
)

// drawnPage has paper, a gradient, lines and grain, which an encoder puts into segments of their own.
func drawnPage() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 320, 320))
	rng := rand.New(rand.NewPCG(1, 1))
	for y := range 320 {
		for x := range 320 {
			v := [3]int{255, 255, 255}
			switch {
			case y < 100 && x%23 < 2:
				v = [3]int{10, 10, 20}
			case y >= 100 && y < 200:
				v = [3]int{x * 2 / 3, 90 + y/2, 200 - x/3}
			case y >= 200 && x > 100:
				n := rng.IntN(60)
				v = [3]int{100 + n, 80 + n, 90 + n}
			}
			at := img.PixOffset(x, y)
			for k := range v {
				img.Pix[at+k] = uint8(v[k])
			}
			img.Pix[at+3] = 255
		}
	}
	return img
}

func TestWebPKeepsItsQuality(t *testing.T) {
	t.Parallel()
	flat := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for name, img := range map[string]*image.RGBA{"drawn": drawnPage(), "flat": flat} {
		for quality := 10; quality <= 100; quality += 5 {
			t.Run(fmt.Sprint(name, " ", quality), func(t *testing.T) {
				t.Parallel()
				file, err := webp.EncodeRGBA(img, float32(quality))
				require.NoError(t, err)
				info, err := picture.Probe(file, picture.DefaultLimits())
				require.NoError(t, err)
				require.InDelta(t, quality, info.Quality, 2)
			})
		}
	}
}
