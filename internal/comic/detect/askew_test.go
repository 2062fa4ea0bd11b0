package detect_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"plait/internal/comic"
	"plait/internal/comic/detect"
)

// Two short lines that climb steeply are one square core to the model, and two lines in the page turned level.
func TestSteepLinesAreFoundApart(t *testing.T) {
	level, page := whitePage(400, 400), whitePage(1240, 900)
	write(t, level, "Wah!!", 30, 140, 150)
	write(t, level, "Aah!!", 30, 140, 178)
	sin, cos := math.Sincos(-65 * math.Pi / 180)
	draw.BiLinear.Transform(page, f64.Aff3{cos, -sin, 300, sin, cos, 500}, level, level.Rect, draw.Over, nil)

	d := newDetector(t, 1, detect.DefaultParams())
	lines, err := d.Lines(t.Context(), page)
	require.NoError(t, err)
	require.Len(t, lines, 2)
	lines, err = d.Lines(comic.Without(t.Context(), comic.PassAskew), page)
	require.NoError(t, err)
	require.Len(t, lines, 1)
}
