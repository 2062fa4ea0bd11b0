package flow_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// visual writes a text from right to left, so that it ends at x: runs of Latin letters and digits within it, in brackets, run to the right.
// Forward draws it in the order of reading, and backward in the order of its places.
func (s *sheet) visual(x, y float64, forward bool, text string) *sheet {
	var drawn []rune
	for i, run := range strings.Split(strings.ReplaceAll(text, "]", "["), "[") {
		part := []rune(run)
		if i%2 == 1 {
			slices.Reverse(part)
		}
		drawn = append(drawn, part...)
	}
	slices.Reverse(drawn)
	from := len(s.page.Glyphs)
	s.write(x-5*float64(len(drawn)), y, 10, regular, string(drawn))
	if forward {
		slices.Reverse(s.page.Glyphs[from:])
	}
	return s
}

// Arabic and Hebrew are read from the right, whatever the order in which a page draws them, and numbers and Latin words in them from the left.
func TestTextsFromRightToLeftAreReadInTheirOrder(t *testing.T) {
	for _, forward := range []bool{false, true} {
		s := newSheet()
		s.visual(500, 700, forward, "הקמת המגדלור נמשכה עד [1882.5] ובה")
		s.visual(500, 688, forward, "השתתפו [Smith and Sons] מן העיר.")
		s.visual(500, 676, forward, "[1883].")
		s.visual(500, 660, forward, "כותרת")
		require.Equal(t, `text start: הקמת המגדלור נמשכה עד 1882.5 ובה השתתפו Smith and Sons מן העיר. 1883.
text start: כותרת
`, strings.ReplaceAll(s.read(), "text justify", "text start"))
		block := flow.Build(s.page, nil).Blocks[0]
		require.True(t, block.RightToLeft)
		require.InDelta(t, 500, block.Box.X1, 0.1)
	}
}

func TestAWordFromRightToLeftInAnotherText(t *testing.T) {
	s := newSheet().write(50, 700, 10, regular, "The word ").visual(115, 700, false, "שלום").write(115, 700, 10, regular, " is Hebrew.")
	require.Equal(t, "text start: The word שלום is Hebrew.\n", s.read())
}

// Dots and vowels are glyphs of their own in some fonts, without a text or with one. They go with their letter.
func TestMarksGoWithTheirLetter(t *testing.T) {
	s := newSheet().visual(200, 700, false, "שלום")
	mark := document.Glyph{Size: 10, Op: 9, Origin: document.Point{X: 197, Y: 700}, Box: document.Box{X0: 197, Y0: 698, X1: 197, Y1: 708}}
	dot := mark
	mark.Text = "\u05c1"
	s.page.Glyphs = slices.Insert(s.page.Glyphs, 2, mark, dot)
	block := flow.Build(s.page, nil).Blocks[0]
	require.Equal(t, "שׁלום", block.Text)
	require.Len(t, block.Glyphs, 6)
	require.Empty(t, block.Untranslated)
}
