package flow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// Each box to tick has a text of its own.
func TestLinesBesideBoxesToTickAreTextsOfTheirOwn(t *testing.T) {
	s := newSheet().write(80, 700, 10, regular, "Private residence").write(80, 680, 10, regular, "Commercial use of").write(80, 668, 10, regular, "the whole house")
	for _, y := range []float64{698, 678} {
		s.page.Fixed = append(s.page.Fixed, document.Box{X0: 60, Y0: y, X1: 72, Y1: y + 12})
	}
	require.Equal(t, "text start: Private residence\ntext justify: Commercial use of the whole house\n", s.read())
}

func TestRulesBetweenColumnsOfProseMakeNoTable(t *testing.T) {
	s := newSheet()
	for i, text := range []string{"the keeper wrote what the wind had done", "in the night, and what the ships", "had told him when they passed"} {
		for column := range 3 {
			s.write(40+180*float64(column), 700-12*float64(i), 8, regular, text)
		}
	}
	s.upright(210, 660, 720).upright(390, 660, 720)
	require.NotContains(t, s.read(), "table")
}

// A text may grow to a right margin that is as wide as the left one, and not over the ground of what stands below it.
func TestTextsGrowToTheMargin(t *testing.T) {
	s := newSheet().write(60, 700, 10, regular, "A short line on an empty page").fill(60, 540, 660, 690).write(70, 670, 10, regular, "on a ground")
	room := flow.Build(s.page, nil).Blocks[0].Room
	require.InDelta(t, 540, room.X1, 0.1)
	require.Greater(t, room.Y0, 690.0)
	s = newSheet().write(60, 700, 10, regular, "A short line")
	s.lines(60, 660, "lines of prose that all end", "where the edge of the text", "stands, which is no margin.")
	require.InDelta(t, 195, flow.Build(s.page, nil).Blocks[0].Room.X1, 0.1)
}

// A number in the corner of a page is no column of its own: the texts beside it may grow as far as it does.
func TestANumberInTheCornerIsNoColumn(t *testing.T) {
	s := newSheet().lines(50, 700, "A short title").lines(50, 660, "and a short text that", "has a second line").write(50, 100, 10, regular, "Company").write(540, 100, 10, regular, "2")
	for _, b := range flow.Build(s.page, nil).Blocks {
		if b.Text == "A short title" {
			require.Greater(t, b.Room.X1, 500.0)
		}
	}
}
