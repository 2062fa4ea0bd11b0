package api_test

import (
	"bytes"
	stdimage "image"
	"image/jpeg"
	"image/png"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

func TestPreviews(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("press")
	var large bytes.Buffer
	require.NoError(t, png.Encode(&large, stdimage.NewGray(stdimage.Rect(0, 0, 64, 96))))
	path := c.post(toEnglish(image("1.png", large.Bytes()))).is(http.StatusAccepted).header.Get("Location") + "/items/0/input"
	a := c.get(path + "?width=16").is(http.StatusOK)
	require.Equal(t, "image/jpeg", a.header.Get("Content-Type"))
	small, err := jpeg.Decode(bytes.NewReader(a.body))
	require.NoError(t, err)
	require.Equal(t, stdimage.Rect(0, 0, 16, 24), small.Bounds())
	whole, err := jpeg.Decode(bytes.NewReader(c.get(path + "?width=2048").is(http.StatusOK).body))
	require.NoError(t, err)
	require.Equal(t, 64, whole.Bounds().Dx(), "a preview is never larger than the picture")
	c.get(path+"?width=16", "If-None-Match: "+a.header.Get("ETag")).is(http.StatusNotModified)
	require.NotEqual(t, a.header.Get("ETag"), c.get(path).is(http.StatusOK).header.Get("ETag"))
	for _, wrong := range []string{"15", "2049", "x", ""} {
		c.get(path+"?width="+wrong).refused(http.StatusBadRequest, core.CodeInvalidInput, "from 16 to 2048")
	}
}
