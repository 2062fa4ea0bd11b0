package engine_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/math/fixed"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
)

// turnedPage is a white page with one line in its middle that is turned clockwise by degrees.
func turnedPage(t *testing.T, text string, degrees float64) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(assetstest.Open(t).Dir(), "fonts", "ComicRelief_700Bold.ttf"))
	require.NoError(t, err)
	parsed, err := opentype.Parse(b)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 36, DPI: 72})
	require.NoError(t, err)
	const side = 480
	level, page := image.NewNRGBA(image.Rect(0, 0, side, side)), image.NewNRGBA(image.Rect(0, 0, side, side))
	for _, img := range []*image.NRGBA{level, page} {
		draw.Draw(img, img.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	}
	d := font.Drawer{Dst: level, Src: image.Black, Face: face, Dot: fixed.P((side-font.MeasureString(face, text).Ceil())/2, side/2+12)}
	d.DrawString(text)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	around := f64.Aff3{cos, -sin, side / 2 * (1 - cos + sin), sin, cos, side / 2 * (1 - cos - sin)}
	draw.CatmullRom.Transform(page, around, level, level.Rect, draw.Over, nil)
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, page))
	return file.Bytes()
}

func TestRowsThatRunUpOrDownThePageAreRows(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 2)
	for _, c := range []struct {
		text    string
		degrees float64
	}{
		{"SIDEWAYS TEXT", -90}, {"Look over there", -60}, {"STEEP LINE", -45}, {"Look over there", 45}, {"SIDEWAYS TEXT", 90},
	} {
		_, found, err := e.Detect(t.Context(), turnedPage(t, c.text, c.degrees), comic.Options{From: "en"})
		require.NoError(t, err)
		require.Len(t, found.Regions, 1, c.degrees)
		r := found.Regions[0]
		require.Equal(t, c.text, r.Text, c.degrees)
		require.Equal(t, comic.Horizontal, r.Direction, c.degrees)
		require.InDelta(t, c.degrees, r.Angle, 2)
	}
}
