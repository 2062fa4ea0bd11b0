package flow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// down writes a column of upright characters of one em from top to bottom, around a middle.
func (s *sheet) down(middle, top, size float64, text string) *sheet {
	for i, r := range []rune(text) {
		s.op++
		y := top - 0.88*size - 1.05*size*float64(i)
		box := document.Box{X0: middle - size/2, X1: middle + size/2, Y0: y - 0.2*size, Y1: y + 0.9*size}
		s.page.Glyphs = append(s.page.Glyphs, document.Glyph{
			Text: string(r), Size: size, Op: s.op, Origin: document.Point{X: box.X0, Y: y}, Advance: size, Box: box, Ink: box,
		})
	}
	return s
}

// Columns of upright characters are lines from top to bottom, the first of them on the right.
func TestVerticalColumnsAreLines(t *testing.T) {
	s := newSheet().down(300, 700, 10, "山間部の観測所では、冬").down(283, 700, 10, "のあいだ太陽光が不足す").down(266, 700, 10, "る。")
	s.write(50, 500, 10, regular, "A line below them")
	blocks := flow.Build(s.page, nil).Blocks
	require.Len(t, blocks, 2)
	for _, b := range blocks {
		if !b.Vertical {
			require.Equal(t, "A line below them", b.Text)
			continue
		}
		require.Equal(t, "山間部の観測所では、冬のあいだ太陽光が不足する。", b.Text)
		require.Equal(t, document.Direction(270), b.Direction)
		require.Equal(t, 3, b.Lines)
		require.InDelta(t, 305, b.Box.X1, 0.1)
		require.InDelta(t, 261, b.Box.X0, 0.1)
		require.InDelta(t, 700, b.Box.Y1, 0.1)
	}
	// Characters below each other that the page draws line by line are lines.
	s = newSheet()
	for i, text := range []string{"春眠不觉晓", "处处闻啼鸟", "夜来风雨声"} {
		for j, r := range []rune(text) {
			s.down(100+12*float64(j), 700-12*float64(i), 10, string(r))
		}
	}
	require.Equal(t, "春眠不觉晓处处闻啼鸟夜来风雨声", flow.Build(s.page, nil).Blocks[0].Text)
}
