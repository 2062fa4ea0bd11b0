package typeset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

// In vertical columns, characters of Chinese stand upright below each other, and Latin words are turned.
func TestVerticalColumnsHaveUprightCharacters(t *testing.T) {
	t.Parallel()
	b := document.Block{
		Class: document.ClassText, Box: document.Box{X0: 290, Y0: 500, X1: 310, Y1: 700}, Room: document.Box{X0: 290, Y0: 500, X1: 310, Y1: 700}, Text: "春眠不觉晓",
		Size: 20, Lines: 1, Align: document.AlignStart, Baseline: document.Point{X: 292.4, Y: 700}, Direction: 270, Vertical: true,
		Spans: []document.Span{{End: 15, Style: document.Style{Size: 20}}},
	}
	r, err := set(t, "zh", b, "春眠PDF、晓", 1)
	require.NoError(t, err)
	require.Len(t, r.Text.Runs, 4)
	upright, turned := r.Text.Runs[0], r.Text.Runs[1]
	require.Equal(t, document.Direction(0), upright.Direction)
	require.Equal(t, document.Direction(270), turned.Direction)
	require.Equal(t, "P", turned.Glyphs[0].Text)
	require.Len(t, upright.Glyphs, 2)
	for i, g := range upright.Glyphs {
		require.InDelta(t, 290, g.Origin.X, 0.5)
		require.InDelta(t, 700-17.6-20*float64(i), g.Origin.Y, 0.5)
	}
	comma, end := r.Text.Runs[2].Glyphs[0], r.Text.Runs[3].Glyphs[0]
	require.InDelta(t, 12, comma.Origin.X-end.Origin.X, 0.5, "a comma stands in the upper right corner")
	require.InDelta(t, 32, comma.Origin.Y-end.Origin.Y, 0.5)
}
