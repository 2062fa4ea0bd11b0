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
