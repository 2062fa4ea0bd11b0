package detect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/detect"
)

func TestLinesOfAPart(t *testing.T) {
	t.Parallel()
	page := whitePage(600, 800)
	write(t, page, "THE FIRST LINE", 32, 120, 150)
	write(t, page, "THE SECOND LINE", 32, 120, 650)
	d := newDetector(t, 1, detect.DefaultParams())
	lines, err := d.LinesIn(t.Context(), page, func(_, y0, _, y1 float64) bool { return y0 < 700 && y1 > 600 })
	require.NoError(t, err)
	quads := detect.Quads(lines)
	require.Len(t, quads, 1)
	_, y0, _, y1 := quads[0].Bounds()
	require.Greater(t, y0, 600.0)
	require.Less(t, y1, 700.0)
	none, err := d.LinesIn(t.Context(), page, func(_, _, _, _ float64) bool { return false })
	require.NoError(t, err)
	require.Empty(t, none)
}
