package typeset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

// Underlines and highlights follow the runs that have them, line by line, and are as far from the baseline as their size allows.
func TestDecorationsFollowTheirText(t *testing.T) {
	t.Parallel()
	b := block(4, document.AlignStart)
	b.Glyphs, b.Rules, b.Fills = []int{0, 1}, []int{1, 2}, []int{0}
	b.Spans = []document.Span{
		{End: 60, Style: document.Style{Size: 10, Serif: true}}, {Start: 60, End: 70, Style: document.Style{Size: 10, Serif: true, Rule: 2}},
		{Start: 70, End: 80, Style: document.Style{Size: 10, Serif: true, Rule: 2, Fill: 1}},
	}
	page := document.Page{
		Crop:   document.Box{X1: 600, Y1: 800},
		Glyphs: []document.Glyph{{Op: 3, Origin: document.Point{X: 100, Y: 700}}, {Op: 3, Origin: document.Point{X: 100, Y: 688}}},
		Rules: []document.Rule{
			{}, {Box: document.Box{X0: 100, X1: 150, Y0: 686, Y1: 687}, Op: 5}, {Box: document.Box{X0: 100, X1: 150, Y0: 698, Y1: 699}, Op: 7},
		},
		Fills: []document.Fill{{Box: document.Box{X0: 100, X1: 140, Y0: 697, Y1: 709}, Op: 1}},
	}
	r, err := setOn(t, page, "de", b, "Hier <s1>steht ein</s1> <s2>langer Satz, der sicher über mehr als eine Zeile geht</s2> und endet.", 0.8)
	require.NoError(t, err)
	require.Len(t, r.Repaints, 3)
	under, gone, ground := r.Repaints[0], r.Repaints[1], r.Repaints[2]
	require.Equal(t, document.Op(5), under.Op)
	require.Equal(t, document.Repaint{Op: 7}, gone, "the second line of an underline is drawn in the place of the first")
	require.Equal(t, document.Op(1), ground.Op)
	list := lines(r)
	require.Len(t, list, 2)
	require.Len(t, under.Boxes, 3, "two runs in the first line, one in the second: %v", under.Boxes)
	require.Len(t, ground.Boxes, 2)
	first := r.Text.Runs[0].Glyphs[0].Origin
	require.InDelta(t, first.Y-2*0.8, under.Boxes[0].Y0, 1e-6)
	require.InDelta(t, first.Y-1*0.8, under.Boxes[0].Y1, 1e-6)
	require.Greater(t, under.Boxes[0].X0, first.X+10)
	require.InDelta(t, 100, under.Boxes[2].X0, 0.1)
	require.InDelta(t, first.Y-3*0.8, ground.Boxes[0].Y0, 1e-6)
	require.InDelta(t, first.Y+9*0.8, ground.Boxes[0].Y1, 1e-6)
	require.InDelta(t, under.Boxes[2].X1, ground.Boxes[1].X1, 0.1)
}

// A text is drawn above the highlights in it: files paint them one after the other, between the words.
func TestTextsAreDrawnAboveTheirGround(t *testing.T) {
	t.Parallel()
	b := block(1, document.AlignStart)
	b.Glyphs = []int{0, 1, 2}
	fill := func(x float64, op document.Op) document.Fill {
		return document.Fill{Box: document.Box{X0: x, X1: x + 30, Y0: 697, Y1: 709}, Op: op}
	}
	page := document.Page{Glyphs: []document.Glyph{{Op: 3}, {Op: 5}, {Op: 9}}, Fills: []document.Fill{fill(110, 4), fill(110, 2), fill(400, 7), fill(110, 12)}}
	r, err := setOn(t, page, "de", b, "Ein Satz.", 1)
	require.NoError(t, err)
	require.Equal(t, document.Op(5), r.Text.Op)
}
