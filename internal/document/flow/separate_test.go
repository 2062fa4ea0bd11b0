package flow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// The lines of an address and of a list of names are no sentence. Those of prose that happens to begin its lines with capitals are.
func TestLinesThatAreNoSentence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  int
	}{
		"address":       {[]string{"Dr. Helen Marsh", "Institute of Coastal Research", "3 Lighthouse Road", "Plymouth"}, 4},
		"contact":       {[]string{"Maria Lindqvist", "maria@example.org", "Stockholm, Sweden"}, 3},
		"telephone":     {[]string{"Maria Lindqvist", "+46 8 123 456 78", "Stockholm, Sweden"}, 3},
		"names":         {[]string{"Swedish (native)", "English (fluent)", "German (basic)"}, 3},
		"prose":         {[]string{"The meeting was opened by the", "Mayor, who then welcomed the", "Council and its guests."}, 1},
		"small letters": {[]string{"Dr. Helen Marsh", "who leads the institute of research", "in Plymouth", "since May"}, 1},
		"two lines":     {[]string{"The Last Keepers", "Of the Mills"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			width := 500.0
			if name == "prose" {
				width = 150
			}
			s := newSheet().lines(50, 700, c.lines...)
			s.write(50, 780, 10, regular, "The head of the page is as wide as what stands below it may be, and wider than that of most letters."[:int(width/5)])
			blocks := flow.Build(s.page, nil).Blocks
			require.Len(t, blocks, c.want+1)
		})
	}
}

// Entries beside a list of prices are texts of their own, and reach up to these; so are the lines of an address on the right.
func TestEntriesBesideOtherTexts(t *testing.T) {
	t.Parallel()
	s := newSheet().lines(50, 700, "2 Loaves of bread", "1 Cinnamon roll", "3 Cups of coffee").lines(230, 700, "7.80", "2.40", "9.60")
	for i, text := range []string{"Northwind Instruments", "14 Harbour Street", "Bristol"} {
		s.write(400-5*float64(len(text)), 600-12*float64(i), 10, regular, text)
	}
	s.write(50, 600, 10, regular, "Letter")
	var texts []string
	for _, b := range flow.Build(s.page, nil).Blocks {
		if b.Text == "2 Loaves of bread" {
			require.InDelta(t, 218, b.Room.X1, 3)
		}
		if b.Text == "14 Harbour Street" {
			require.Equal(t, document.AlignEnd, b.Align)
			require.Less(t, b.Room.X0, 200.0)
		}
		if b.Untranslated == "" {
			texts = append(texts, b.Text)
		}
	}
	require.Equal(t, []string{"2 Loaves of bread", "1 Cinnamon roll", "3 Cups of coffee", "Letter", "Northwind Instruments", "14 Harbour Street", "Bristol"}, texts)
}

// A bullet begins an item of a list within an item.
func TestItemsWithinAnItem(t *testing.T) {
	t.Parallel()
	s := newSheet().lines(50, 700, "2. Draw what you see, with the colors", "   • Mark the roots", "   • Mark the stones")
	blocks := flow.Build(s.page, nil).Blocks
	require.Len(t, blocks, 3)
	require.Equal(t, "• Mark the roots", blocks[1].Text)
}

// A text on a ground stays on it, and keeps the space on its sides.
func TestTextsStayOnTheirGround(t *testing.T) {
	t.Parallel()
	s := newSheet().write(60, 700, 10, regular, "a note").write(50, 600, 10, regular, "a text as wide as the page is, which is much wider than the note")
	s.page.Fills = []document.Fill{{Box: document.Box{X0: 52, Y0: 690, X1: 150, Y1: 720}}}
	room := flow.Build(s.page, nil).Blocks[0].Room
	require.InDelta(t, 142, room.X1, 0.1)
	require.GreaterOrEqual(t, room.Y0, 690.0)
}

// Lines between which a field of a form stands are labels of fields, and no paragraph.
func TestLinesWithAFieldBetweenThemAreTextsOfTheirOwn(t *testing.T) {
	s := newSheet().write(50, 700, 10, regular, "the reader is").write(50, 674, 10, regular, "a pupil of the school").write(50, 648, 10, regular, "retired from work")
	require.Equal(t, "text start: the reader is a pupil of the school retired from work\n", s.read())
	for _, y := range []float64{685, 659} {
		s.page.Notes = append(s.page.Notes, document.Box{X0: 50, Y0: y, X1: 60, Y1: y + 10})
	}
	require.Equal(t, "text start: the reader is\ntext start: a pupil of the school\ntext start: retired from work\n", s.read())
}
