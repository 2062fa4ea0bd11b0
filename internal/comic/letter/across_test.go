package letter_test

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
)

// A text too long for its bubble extends across its edge. Outside, an outline of the bubble's color keeps it legible; inside, the outline
// is not visible.
func TestLetteringAcrossTheEdgeOfItsBubble(t *testing.T) {
	t.Parallel()
	cream := color.NRGBA{255, 240, 200, 255}
	page := image.NewNRGBA(image.Rect(0, 0, 400, 300))
	bubble := image.Rect(170, 130, 230, 170)
	for y := range 300 {
		for x := range 400 {
			page.SetNRGBA(x, y, color.NRGBA{20, 20, 30, 255})
			if image.Pt(x, y).In(bubble) {
				page.SetNRGBA(x, y, cream)
			}
		}
	}
	r := source(0, bubble, 0.7, 1)
	r.FontSize, r.FG = 20, raster.RGB{0, 0, 0}
	before := clone(page)
	draw(t, page, "en", []comic.Region{r}, strings.Repeat("Far too much to say for one so small. ", 10))
	rim := 0
	for _, at := range changed(before, page) {
		c := page.NRGBAAt(at.X, at.Y)
		if at.In(bubble) {
			require.LessOrEqual(t, c.R, cream.R)
			require.LessOrEqual(t, c.B, cream.B, "brighter than its ground at %v", at)
		} else if c == cream {
			rim++
		}
	}
	require.Greater(t, rim, 100)
}
