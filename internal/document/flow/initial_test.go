package flow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// A drop capital begins the first word beside it, and is as large as the others in a translation.
func TestADropCapitalBelongsToItsParagraph(t *testing.T) {
	page := func(lines ...string) *sheet {
		s := newSheet().write(50, 676, 44, regular, "T")
		for i, text := range lines {
			x := 75.0
			if i > 2 {
				x = 50
			}
			s.write(x, 700-12*float64(i), 10, regular, text)
		}
		return s
	}
	s := page("he keeper wrote down what the wind and the sea had done",
		"in the night, and what the ships had told him when they",
		"passed by at noon, and then he went to bed for the day,",
		"before the lamp was lit again and the next night came, as",
		"it did.")
	require.Equal(t, "text start: The keeper wrote down what the wind and the sea had done in the night, and what the ships had told him when they "+
		"passed by at noon, and then he went to bed for the day, before the lamp was lit again and the next night came, as it did.\n", s.read())
	block := flow.Build(s.page, nil).Blocks[0]
	require.Len(t, block.Spans, 1)
	require.InDelta(t, 10, block.Spans[0].Size, 0.1)
	require.InDelta(t, 50, block.Box.X0, 0.1)
}

// The first line of a paragraph with a drop capital may be indented as others are.
func TestADropCapitalMayBeIndented(t *testing.T) {
	s := newSheet().write(62, 686, 30, regular, "T").write(90, 700, 10, regular, "he keeper wrote down all that he had seen")
	s.write(76, 688, 10, regular, "from the lamp in the nights, and what he had").write(50, 676, 10, regular, "heard of the ships, and went to bed for the whole")
	s.write(50, 664, 10, regular, "days, before the lamp was lit again, as it was on").write(50, 652, 10, regular, "each night.")
	block := flow.Build(s.page, nil).Blocks[0]
	require.True(t, strings.HasPrefix(block.Text, "The keeper wrote down all that he had seen from the lamp"), block.Text)
	require.Equal(t, document.AlignJustify, block.Align)
	require.InDelta(t, 12, block.Indent, 0.1)
}

// The last line beside a drop capital may stand below its box.
func TestTheLastLineBesideADropCapitalBelongsToItsParagraph(t *testing.T) {
	s := newSheet().write(50, 689, 30, regular, "T").lines(75, 700, "he keeper wrote down all that he had seen", "from the lamp in the night, and what he had", "heard of the ships, and went to bed for the")
	s.lines(50, 664, "whole day, before the lamp was lit again, as it", "was on each of the nights.")
	require.Equal(t, 1, strings.Count(s.read(), "text "), s.read())
}

// The box of a drop capital reaches over the line above its paragraph where its ink does not.
func TestADropCapitalBelongsToNoLineAboveIt(t *testing.T) {
	s := newSheet().write(50, 676, 44, regular, "T")
	s.page.Glyphs[0].Ink.Y1, s.page.Glyphs[0].Box.Y1 = 708, 720
	s.write(80, 712, 10, regular, "by the keeper himself").write(80, 700, 10, regular, "he keeper wrote down what").write(80, 688, 10, regular, "had happened in the night,")
	s.write(50, 676-12, 10, regular, "and all that he was told by").write(50, 652, 10, regular, "the ships.")
	require.Contains(t, s.read(), "The keeper wrote down what had happened in the night,")
}

// The spaces of a justified line may be as wide as the gaps of a table. They are all alike.
func TestStretchedLinesAreNoRowsOfATable(t *testing.T) {
	s := newSheet()
	stretched := func(x, y, space float64, text string) {
		for _, word := range strings.Fields(text) {
			s.write(x, y, 10, regular, word)
			x += 5*float64(len(word)) + space
		}
	}
	stretched(50, 700, 11, "earlier work we described a protocol")
	stretched(50, 688, 10, "that acknowledges each write only then")
	stretched(50, 676, 12, "when two of the copies are at hand")
	stretched(50, 664, 5, "and this is the end of it.")
	require.Equal(t, "text justify: earlier work we described a protocol that acknowledges each write only then "+
		"when two of the copies are at hand and this is the end of it.\n", strings.ReplaceAll(s.read(), "text start", "text justify"))
}
