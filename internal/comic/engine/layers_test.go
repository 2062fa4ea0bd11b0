package engine_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/engine"
	"plait/internal/comic/layers"
)

// The layers of a page over its original are the page: what was erased over the original is the page without lettering.
func TestLayersOverTheOriginalAreThePage(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	texts := translated("The stars are lovely tonight.")
	erased, err := e.Erase(t.Context(), c, c.Regions())
	require.NoError(t, err)
	prepared, err := e.Prepare(t.Context(), c, texts)
	require.NoError(t, err)
	var first []byte
	for _, from := range []*engine.Context{c, prepared} {
		lettered, err := e.Letter(t.Context(), from, texts)
		require.NoError(t, err)
		packed, err := lettered.Layers(t.Context())
		require.NoError(t, err)
		if first == nil {
			first = packed
		}
		require.Equal(t, first, packed, "also where the page was erased before")
	}
	taken, err := layers.Unpack(first)
	require.NoError(t, err)
	result, _, err := e.Render(t.Context(), c, texts)
	require.NoError(t, err)

	shown := image.NewNRGBA(c.Picture().Image.Rect)
	draw.Draw(shown, shown.Rect, c.Picture().Image, image.Point{}, draw.Src)
	draw.Draw(shown, shown.Rect, pixelsOf(t, taken.Erased), image.Point{}, draw.Over)
	require.Equal(t, erased.Image.Pix, shown.Pix)
	draw.Draw(shown, shown.Rect, pixelsOf(t, taken.Lettering), image.Point{}, draw.Over)
	want := image.NewNRGBA(shown.Rect)
	draw.Draw(want, want.Rect, pixelsOf(t, result), image.Point{}, draw.Src)
	require.Equal(t, want.Pix, shown.Pix)

	untouched, err := e.Letter(t.Context(), c, translated(""))
	require.NoError(t, err)
	packed, err := untouched.Layers(t.Context())
	require.NoError(t, err)
	require.Nil(t, packed)
}

func pixelsOf(t *testing.T, file []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	return img
}
