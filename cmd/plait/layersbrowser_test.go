package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"image"
	"image/draw"
	_ "image/png"
	"io"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// layered saves the book in layers: those of each page together are its merged picture, which is its result.
func layered(b *browser) {
	b.press("Other formats")
	b.accessible()
	b.screen("formats")
	var encoded string
	b.do(chromedp.Evaluate(`fetch([...document.querySelectorAll("a")].find((a) => a.innerText === "Layers (OpenRaster)").href)
		.then((r) => r.blob()).then((blob) => new Promise((done) => {
			const reader = new FileReader();
			reader.onload = () => done(reader.result.split(",")[1]);
			reader.readAsDataURL(blob);
		}))`, &encoded, awaited))
	b.do(chromedp.Evaluate(`document.querySelector("details.formats summary").click()`, nil))
	t := b.t.(*testing.T)
	content, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	pages := entries(t, content)
	require.Len(t, pages, 3)
	changed := 0
	for name, page := range pages {
		layers := entries(t, page)
		merged := pixels(t, layers["mergedimage.png"])
		shown := image.NewNRGBA(merged.Rect)
		for _, layer := range []string{"data/000.png", "data/001.png", "data/002.png"} {
			if layers[layer] == nil { // a page without text has its original alone
				continue
			}
			draw.Draw(shown, shown.Rect, pixels(t, layers[layer]), image.Point{}, draw.Over)
		}
		require.Equal(t, merged.Pix, shown.Pix, name)
		if !bytes.Equal(pixels(t, layers["data/000.png"]).Pix, shown.Pix) {
			changed++
		}
	}
	require.Equal(t, 2, changed, "of three pages, the last has no text")
}

func entries(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	contents := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		contents[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return contents
}

func pixels(t *testing.T, file []byte) *image.NRGBA {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	own := image.NewNRGBA(img.Bounds())
	draw.Draw(own, own.Rect, img, image.Point{}, draw.Src)
	return own
}
