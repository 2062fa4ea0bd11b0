package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/picture"
)

func TestEncodeKeepsDeepPixels(t *testing.T) {
	t.Parallel()
	rect := image.Rect(0, 0, 3, 2)
	gray, rgb, alpha := image.NewGray16(rect), image.NewRGBA64(rect), image.NewNRGBA64(rect)
	for y := range 2 {
		for x := range 3 {
			v := uint16(0x1234 + 0x1111*x + 0x0707*y)
			gray.SetGray16(x, y, color.Gray16{Y: v})
			rgb.SetRGBA64(x, y, color.RGBA64{R: v, G: v / 3, B: 77, A: 0xffff})
			alpha.SetNRGBA64(x, y, color.NRGBA64{R: v, G: v / 3, B: 77, A: 0x8321})
		}
	}
	for name, src := range map[string]image.Image{"gray": gray, "rgb": rgb, "alpha": alpha} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := decode(t, pngOf(t, src))
			drawn := image.NewNRGBA(rect)
			copy(drawn.Pix, page.Image.Pix)
			drawn.SetNRGBA(1, 1, color.NRGBA{200, 200, 200, 255})
			out, err := page.Encode(t.Context(), drawn, picture.PNG)
			require.NoError(t, err)
			again, err := page.Encode(t.Context(), drawn, picture.PNG)
			require.NoError(t, err)
			require.Equal(t, out, again)
			require.Equal(t, page.Info, decode(t, out).Info)
			got, err := png.Decode(bytes.NewReader(out))
			require.NoError(t, err)
			for y := range 2 {
				for x := range 3 {
					r, g, b, a := got.At(x, y).RGBA()
					if x == 1 && y == 1 { // as translucent as its neighbors, and over white as it was drawn
						require.InDelta(t, 200*0x101, g+0xffff-a, 0x101)
						continue
					}
					wr, wg, wb, wa := src.At(x, y).RGBA()
					require.Equal(t, []uint32{wr, wg, wb, wa}, []uint32{r, g, b, a}, "%d,%d", x, y)
				}
			}
		})
	}
}

// Another format counts pixels by another length.
func TestEncodeTurnsDensityIntoTheUnitOfTheFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, want picture.Density }{
		{picture.Density{X: 300, Y: 150, Unit: picture.DensityInch}, picture.Density{X: 11811, Y: 5906, Unit: picture.DensityMeter}},
		{picture.Density{X: 118, Y: 118, Unit: picture.DensityCentimeter}, picture.Density{X: 11800, Y: 11800, Unit: picture.DensityMeter}},
		{picture.Density{X: 2, Y: 1, Unit: picture.DensityAspect}, picture.Density{X: 2, Y: 1, Unit: picture.DensityAspect}},
	} {
		page := decode(t, jpegOf(t, quadrants(16, 16), 90))
		page.Density = c.from
		out, err := page.Encode(t.Context(), page.Image, picture.PNG)
		require.NoError(t, err)
		require.Equal(t, c.want, decode(t, out).Density)
		if c.want.Unit == picture.DensityMeter {
			out, err = page.Encode(t.Context(), page.Image, picture.BMP)
			require.NoError(t, err)
			require.Equal(t, c.want, decode(t, out).Density)
		}
	}
}
