package engine_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
)

// toned is a page of dots of a side, staggered at a pitch, with rows of lettering outlined in white.
func toned(t *testing.T, pitch, side int, rows ...string) []byte {
	t.Helper()
	return tonedWith(t, pitch, side, func(write func(x, y int, text string)) {
		for i, row := range rows {
			write(250, 400+36*i, row)
		}
	})
}

// tonedWith is such a page with lettering that is written at places of its base line.
func tonedWith(t *testing.T, pitch, side int, letter func(write func(x, y int, text string))) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 700, 990))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for y, row := 0, 0; y < img.Rect.Dy(); y, row = y+pitch/2, row+1 {
		for x := row % 2 * (pitch / 2); x < img.Rect.Dx(); x += pitch {
			draw.Draw(img, image.Rect(x, y, x+side, y+side), image.Black, image.Point{}, draw.Src)
		}
	}
	return haloed(t, img, letter)
}

// haloed puts lettering with a white rim on img.
func haloed(t *testing.T, img *image.NRGBA, letter func(write func(x, y int, text string))) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(assetstest.Open(t).Dir(), "fonts", "NotoSansJP_500Medium.ttf"))
	require.NoError(t, err)
	parsed, err := opentype.Parse(b)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 26, DPI: 72})
	require.NoError(t, err)
	write := func(x, y int, c color.Color, text string) {
		d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: face, Dot: fixed.P(x, y)}
		d.DrawString(text)
	}
	letter(func(x, y int, text string) {
		for dy := -2; dy <= 2; dy++ {
			for dx := -2; dx <= 2; dx++ {
				write(x+dx, y+dy, color.White, text)
			}
		}
		write(x, y, color.Black, text)
	})
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, img))
	return file.Bytes()
}

func TestLetteringOnScreentoneIsRead(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 2)
	_, found, err := e.Detect(t.Context(), toned(t, 6, 2, "約束しただろう", "迎えに行くと"), comic.Options{From: "ja"})
	require.NoError(t, err)
	require.Len(t, found.Regions, 1)
	require.Equal(t, "約束しただろう迎えに行くと", found.Regions[0].Text)

	_, found, err = e.Detect(t.Context(), toned(t, 6, 2), comic.Options{From: "ja"})
	require.NoError(t, err)
	require.Empty(t, found.Regions, "dots alone")
}

func TestColumnsOnScreentoneAreRead(t *testing.T) {
	t.Parallel()
	page := tonedWith(t, 6, 2, func(write func(x, y int, text string)) {
		for i, column := range []string{"何も", "別に", "言わない"} {
			for k, c := range []rune(column) {
				write(280-45*i, 222+27*k, string(c))
			}
		}
	})
	_, found, err := open(t, 1, 2).Detect(t.Context(), page, comic.Options{From: "ja"})
	require.NoError(t, err)
	require.Len(t, found.Regions, 1)
	require.Equal(t, "何も別に言わない", found.Regions[0].Text)
}
