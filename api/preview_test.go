package api_test

import (
	"bytes"
	stdimage "image"
	"image/color"
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
	// Black and white columns on the left, white on the right.
	page := stdimage.NewGray(stdimage.Rect(0, 0, 64, 96))
	for i := range page.Pix {
		if x := i % page.Stride; x >= 32 || x%2 == 1 {
			page.Pix[i] = 255
		}
	}
	require.NoError(t, png.Encode(&large, page))
	path := c.post(toEnglish(image("1.png", large.Bytes()))).is(http.StatusAccepted).header.Get("Location") + "/items/0/input"
	a := c.get(path + "?width=16").is(http.StatusOK)
	require.Equal(t, "image/jpeg", a.header.Get("Content-Type"))
	small, err := jpeg.Decode(bytes.NewReader(a.body))
	require.NoError(t, err)
	require.Equal(t, stdimage.Rect(0, 0, 16, 24), small.Bounds())
	for x, want := range map[int]uint8{2: 128, 13: 255} {
		for _, y := range []int{0, 23} {
			require.InDelta(t, want, color.GrayModel.Convert(small.At(x, y)).(color.Gray).Y, 6, "%d, %d", x, y)
		}
	}
	for width, height := range map[string]int{"30": 45, "33": 49, "63": 94} {
		other, err := jpeg.Decode(bytes.NewReader(c.get(path + "?width=" + width).is(http.StatusOK).body))
		require.NoError(t, err)
		require.Equal(t, height, other.Bounds().Dy())
	}
	whole, err := jpeg.Decode(bytes.NewReader(c.get(path + "?width=2048").is(http.StatusOK).body))
	require.NoError(t, err)
	require.Equal(t, 64, whole.Bounds().Dx(), "a preview is never larger than the picture")
	c.get(path+"?width=16", "If-None-Match: "+a.header.Get("ETag")).is(http.StatusNotModified)
	require.NotEqual(t, a.header.Get("ETag"), c.get(path).is(http.StatusOK).header.Get("ETag"))
	for _, wrong := range []string{"15", "2049", "x", ""} {
		c.get(path+"?width="+wrong).refused(http.StatusBadRequest, core.CodeInvalidInput, "from 16 to 2048")
	}
}
