package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"

	"plait/internal/picture"
)

var black, white, glass = color.NRGBA{A: 255}, color.NRGBA{255, 255, 255, 255}, color.NRGBA{R: 9}

// seeThroughPage has old ink at 1,1 on transparent paper, and at 5,1 on white paper that is opaque.
func seeThroughPage() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	for y := range 4 {
		for x := range 8 {
			img.SetNRGBA(x, y, map[bool]color.NRGBA{true: glass, false: white}[x < 4])
		}
	}
	img.SetNRGBA(1, 1, black)
	img.SetNRGBA(5, 1, black)
	return img
}

// Letters take the place of others on paper that stays as transparent as it was.
func TestEncodeKeepsThePaperTransparent(t *testing.T) {
	t.Parallel()
	gray := color.NRGBA{155, 155, 155, 255}
	for format, c := range map[picture.Format]struct {
		file       []byte
		read       func(*testing.T, []byte) image.Image
		thin, left color.NRGBA // a gray pixel on transparent paper, and the paper
	}{
		picture.PNG:  {pngOf(t, seeThroughPage()), readPNG, color.NRGBA{A: 100}, glass},
		picture.WebP: {losslessOf(t, seeThroughPage()), readWebP, color.NRGBA{A: 100}, glass},
		picture.GIF: {
			gifOf(t, paletted(seeThroughPage(), color.Palette{color.NRGBA{}, black, white})), readGIF, gray, color.NRGBA{},
		},
	} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			page := decode(t, c.file)
			require.True(t, page.Image.Opaque())
			require.Equal(t, []color.NRGBA{white, black, white, black}, []color.NRGBA{
				page.Image.NRGBAAt(0, 1), page.Image.NRGBAAt(1, 1), page.Image.NRGBAAt(4, 1), page.Image.NRGBAAt(5, 1),
			})
			lettered := image.NewNRGBA(page.Image.Rect)
			copy(lettered.Pix, page.Image.Pix)
			for x := 0; x < 8; x += 4 {
				lettered.SetNRGBA(x+1, 1, white)
				lettered.SetNRGBA(x+2, 1, black)
				lettered.SetNRGBA(x+2, 2, gray)
			}
			out, err := page.Encode(t.Context(), lettered, format)
			require.NoError(t, err)
			got := c.read(t, out)
			at := func(x, y int) color.Color { return color.NRGBAModel.Convert(got.At(x, y)) }
			require.Equal(t, []color.Color{c.left, black, c.thin}, []color.Color{at(0, 1), at(2, 1), at(2, 2)})
			require.Zero(t, at(1, 1).(color.NRGBA).A, "the old ink is gone, and the paper transparent as around it")
			require.Equal(t, []color.Color{white, white, black, gray}, []color.Color{at(4, 1), at(5, 1), at(6, 1), at(6, 2)})
			require.Equal(t, lettered.Pix, decode(t, out).Image.Pix, "a reader sees what was drawn")
		})
	}
	page := decode(t, pngOf(t, seeThroughPage()))
	out, err := page.Encode(t.Context(), page.Image, picture.BMP)
	require.NoError(t, err)
	require.Equal(t, page.Image.Pix, decode(t, out).Image.Pix, "a format without alpha has the page over white")
}

// Where nothing of the file is left, what was drawn is opaque.
func TestEncodeOfAPageDrawnAnew(t *testing.T) {
	t.Parallel()
	page := decode(t, pngOf(t, image.NewNRGBA(image.Rect(0, 0, 3, 3))))
	drawn := image.NewNRGBA(page.Image.Rect)
	for i := range drawn.Pix {
		drawn.Pix[i] = 255 - byte(i%4%3) // 255, 254, 253 and opaque
	}
	out, err := page.Encode(t.Context(), drawn, picture.PNG)
	require.NoError(t, err)
	require.Equal(t, drawn.Pix, decode(t, out).Image.Pix)
}

func readPNG(t *testing.T, b []byte) image.Image {
	t.Helper()
	return must[image.Image](t)(png.Decode(bytes.NewReader(b)))
}

func readGIF(t *testing.T, b []byte) image.Image {
	t.Helper()
	return must[image.Image](t)(gif.Decode(bytes.NewReader(b)))
}

func readWebP(t *testing.T, b []byte) image.Image {
	t.Helper()
	return must[image.Image](t)(webp.Decode(bytes.NewReader(b)))
}

func losslessOf(t *testing.T, img *image.NRGBA) []byte {
	t.Helper()
	return must[[]byte](t)(picture.Encode(t.Context(), img, picture.Info{Format: picture.WebP, Lossless: true}))
}
