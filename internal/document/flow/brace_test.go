package flow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// piece draws a part of a brace, three points high.
func (s *sheet) piece(x, y float64, text string) *sheet {
	s.write(x, y, 10, math, text)
	for i := range []rune(text) {
		g := &s.page.Glyphs[len(s.page.Glyphs)-1-i]
		g.Ink.Y0, g.Ink.Y1 = y, y+3
	}
	return s
}

// brace draws a brace of pieces and rules from 80 to 130, whose ends are 2 points higher or lower than its middle.
func (s *sheet) brace(y, ends float64) *sheet {
	return s.piece(80, y+ends, "|").rule(85, 100, y+1.5).piece(100, y, "{z").rule(110, 125, y+1.5).piece(125, y+ends, "}")
}

// A brace with its label is a part of the formula that it embraces, and moves with it.
func TestBracesBelongToTheirFormula(t *testing.T) {
	sentence := "so that \x01(a∩b)∪(cd)\x01 holds for all of the sets here"
	for name, s := range map[string]*sheet{
		"below": newSheet().write(40, 700, 10, regular, sentence).brace(691, 1).write(102, 684, 7, math, "x"),
		"above": newSheet().write(40, 700, 10, regular, sentence).brace(710, -1).write(102, 716, 7, math, "y"),
	} {
		s.lines(40, 660, "Another line of text stands below, and it is longer.", "It stays as it is.")
		blocks := flow.Build(s.page, nil).Blocks
		require.Equal(t, "so that {v0} holds for all of the sets here", blocks[0].Text, name)
		require.Len(t, blocks, 2, name)
		formula := blocks[0].Formulas[0]
		require.Len(t, formula.Glyphs, 15, "%s: ten of the formula, four of the brace, and the label: %q", name, formula.Text)
		require.Equal(t, []int{0, 1}, formula.Rules, name)
		require.InDelta(t, 700, formula.Origin.Y, 1e-9, name)
	}
	// A rule without pieces is no brace.
	s := newSheet().write(40, 700, 10, regular, sentence).rule(85, 100, 692)
	require.Len(t, flow.Build(s.page, nil).Blocks[0].Formulas[0].Glyphs, 10)
}

// A running head stands at the right edge of the text below it. A single line that ends there is no edge.
func TestARunningHeadStandsAtTheEdgeOfTheText(t *testing.T) {
	for count, want := range map[int]document.Align{1: document.AlignStart, 3: document.AlignEnd} {
		s := newSheet().write(50, 760, 10, regular, "12").write(480, 760, 10, regular, "Some head")
		for i := range count {
			s.write(50, 700-12*float64(i), 10, regular, strings.Repeat("from the left to the right edge ", 3))
		}
		if want == document.AlignEnd {
			s.write(70, 500, 10, regular, "an indented line of its own that goes to the edge of the text, as those above it, and back.")
		}
		aligns := map[string]document.Align{}
		for _, b := range flow.Build(s.page, nil).Blocks {
			aligns[b.Text] = b.Align
		}
		require.Equal(t, want, aligns["Some head"], "%v", aligns)
		for text, align := range aligns {
			require.True(t, align != document.AlignEnd || text == "Some head", text)
		}
	}
}

// A formula below a single line does not take the width of the line.
func TestASingleLineKeepsItsWidth(t *testing.T) {
	s := newSheet().lines(50, 700, "A line of text that goes from the left margin of the page to the one on the other side.")
	s.write(50, 660, 10, regular, "a short one").write(110, 636, 10, math, "a=b+c")
	for _, b := range flow.Build(s.page, nil).Blocks {
		if b.Text == "a short one" {
			require.Greater(t, b.Room.X1, 400.0)
			require.Greater(t, b.Room.Y0, 636.0)
		}
	}
}
