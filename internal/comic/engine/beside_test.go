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

// captioned is a page with columns of lettering, from the right, in a caption.
func captioned(t *testing.T, size int, columns ...string) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 800, 1130))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	b, err := os.ReadFile(filepath.Join(assetstest.Open(t).Dir(), "fonts", "NotoSansJP_500Medium.ttf"))
	require.NoError(t, err)
	parsed, err := opentype.Parse(b)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72})
	require.NoError(t, err)
	pitch, top := size*3/2, 730
	frame := image.Rect(200-pitch*len(columns), top-size, 200+2*size, top+6*size)
	draw.Draw(img, frame, image.Black, image.Point{}, draw.Src)
	draw.Draw(img, frame.Inset(2), image.White, image.Point{}, draw.Src)
	for k, column := range columns {
		for i, c := range []rune(column) {
			d := font.Drawer{Dst: img, Src: image.NewUniform(color.Black), Face: face, Dot: fixed.P(200-k*pitch, top+i*size+size*9/10)}
			d.DrawString(string(c))
		}
	}
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, img))
	return file.Bytes()
}

func TestShortColumnsOfKanaBetweenOthersAreRead(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 2)
	_, found, err := e.Detect(t.Context(), captioned(t, 16, "どうして", "ここに", "来たんだ"), comic.Options{From: "ja"})
	require.NoError(t, err)
	require.Len(t, found.Regions, 1)
	require.Equal(t, "どうしてここに来たんだ", found.Regions[0].Text)
}
