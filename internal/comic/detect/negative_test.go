package detect_test

import (
	"image"
	"image/color"
	"image/draw"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plait/internal/assets/assetstest"
	"plait/internal/comic/detect"
)

// writeColumn sets one character below the other, each in a cell of that size, from x, y on.
func writeColumn(t *testing.T, img draw.Image, ink color.Color, text string, size, x, y int) {
	t.Helper()
	path, err := assetstest.Open(t).Path("font-zen-maru-gothic-regular")
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	parsed, err := opentype.Parse(b)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72})
	require.NoError(t, err)
	d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: face}
	for i, r := range []rune(text) {
		d.Dot = fixed.P(x, y+size*i+size*9/10)
		d.DrawString(string(r))
	}
}

func TestColumnsOnBlackAreFoundAsOnWhite(t *testing.T) {
	t.Parallel()
	p := detect.DefaultParams()
	p.PageWidth = 600
	d := newDetector(t, 1, p)
	columns := []string{"このスープは", "とっても", "おいしい"}
	for name, c := range map[string]struct {
		ground, ink color.Color
	}{"black on white": {color.White, color.Black}, "white on black": {color.Black, color.White}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const size, pitch, top = 44, 84, 80
			img := whitePage(600, 500)
			draw.Draw(img, image.Rect(100, 20, 500, 450), image.NewUniform(c.ground), image.Point{}, draw.Src)
			for i, text := range columns {
				writeColumn(t, img, c.ink, text, size, 400-i*pitch, top)
			}
			lines, err := d.Lines(t.Context(), img)
			require.NoError(t, err)
			for i, text := range columns {
				for k, r := range []rune(text) {
					x, y := float64(400-i*pitch+size/2), float64(top+size*k+size/2)
					require.True(t, slices.ContainsFunc(lines, func(l detect.Line) bool {
						x0, y0, x1, y1 := l.Quad.Bounds()
						return x0 < x && x < x1 && y0 < y && y < y1
					}), "%c of %s", r, text)
				}
			}
		})
	}
}

func TestABubbleOnBlackStaysAsItIs(t *testing.T) {
	t.Parallel()
	p := detect.DefaultParams()
	p.PageWidth = 600
	d := newDetector(t, 1, p)
	img := whitePage(600, 400)
	draw.Draw(img, img.Rect, image.Black, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(150, 100, 450, 220), image.White, image.Point{}, draw.Src)
	write(t, img, "Once more!", 40, 190, 170)
	lines, err := d.Lines(t.Context(), img)
	require.NoError(t, err)
	require.Len(t, lines, 1)
}
