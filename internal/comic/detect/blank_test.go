package detect

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBlankPartsAreOfOneColor(t *testing.T) {
	t.Parallel()
	const side = 64
	page := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range page.Pix {
		page.Pix[i] = 240 + byte(i%5) // paper with noise
	}
	seen := func() bool {
		planes := make([]float32, 3*side*side)
		sample(page, 1, page.Rect, side, side, planes)
		return blank(planes, side*side)
	}
	for i := 3; i < len(page.Pix); i += 4 {
		page.Pix[i] = 255
	}
	require.True(t, seen())
	page.SetNRGBA(40, 40, color.NRGBA{224, 224, 224, 255}) // a speck of faint lettering
	require.False(t, seen())
}
