package flow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

// A margin with notes stands beside the text, and is no column of a table with it: its lines are at heights of their own.
func TestTextsAtOtherHeightsAreNoTable(t *testing.T) {
	s := newSheet()
	for i, text := range []string{"Rowing club", "Blue harbor", "Old market", "Long bridge", "Salt house"} {
		s.write(30, 700-14*float64(i), 10, regular, text)
	}
	for i, year := range []string{"2019", "2014", "2012"} {
		y := 702 - 26*float64(i)
		s.write(180, y, 10, regular, year).write(260, y, 10, regular, "built boats of oak").write(260, y-12, 10, regular, "and mended others")
	}
	require.NotContains(t, s.read(), "table")
	require.Regexp(t, "(?s)Salt house.*built boats of oak and mended others", s.read())
}

// Cards stand beside each other with space between them. Their texts are read card by card, and those of the cells of a table row by row.
func TestTextsOfCardsAreNoTable(t *testing.T) {
	for gap, table := range map[float64]bool{10: false, 0: true} {
		s := newSheet()
		for i, texts := range [][]string{{"12 cm", "mean error of the", "old book"}, {"4 cm", "mean error of the", "new book"}, {"30 min", "time to run on one", "machine"}} {
			x := 50 + 150*float64(i)
			s.page.Fills = append(s.page.Fills, document.Fill{Box: document.Box{X0: x - 10, X1: x + 140 - gap, Y0: 650, Y1: 730}})
			s.write(x, 700, 20, regular, texts[0]).write(x, 680, 10, regular, texts[1]).write(x, 668, 10, regular, texts[2])
		}
		require.Equal(t, table, strings.Contains(s.read(), "table"))
		require.Equal(t, !table, strings.Contains(s.read(), "mean error of the old book"))
	}
}

// The prose of a column beside a table in another one is no column of the table.
func TestProseBesideATableIsNoPartOfIt(t *testing.T) {
	s := newSheet()
	for i, row := range [][3]string{{"Set", "Score", "Rank"}, {"A", "0.91", "1"}, {"B", "0.83", "2"}, {"C", "0.77", "3"}} {
		y := 700 - 18*float64(i)
		s.write(60, y, 10, regular, row[0]).write(130, y, 10, regular, row[1]).write(200, y, 10, regular, row[2])
	}
	s.lines(310, 703, "each experiment was repeated ten times with", "other seeds and the mean of them is reported", "as it was in the book that we wrote before it",
		"which has more of them than we have here and", "says where they were made and who made them")
	got := s.read()
	require.Contains(t, got, "table 3,2 (no_text): 3\n")
	require.Contains(t, got, "each experiment was repeated ten times with other seeds and the mean of them is reported as it was in the book")
}
