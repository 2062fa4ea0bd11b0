package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// rule adds a rule of half a point, whose lower edge is at y.
func (s *sheet) rule(x0, x1, y float64) *sheet {
	s.op++
	s.page.Rules = append(s.page.Rules, document.Rule{Box: document.Box{X0: x0, Y0: y, X1: x1, Y1: y + 0.5}, Op: s.op})
	return s
}

// fill adds a yellow ground.
func (s *sheet) fill(x0, x1, y0, y1 float64) *sheet {
	s.op++
	yellow := document.Color{R: 255, G: 255}
	s.page.Fills = append(s.page.Fills, document.Fill{Box: document.Box{X0: x0, Y0: y0, X1: x1, Y1: y1}, Color: yellow, Op: s.op})
	return s
}

// decorated lists the runs of the blocks that have a rule or a fill, with what the blocks take with them.
func (s *sheet) decorated() string {
	var b strings.Builder
	for _, block := range flow.Build(s.page, nil).Blocks {
		for _, span := range block.Spans {
			if span.Rule > 0 || span.Fill > 0 {
				fmt.Fprintf(&b, "%q rule %d fill %d\n", strings.TrimSpace(block.Text[span.Start:span.End]), span.Rule, span.Fill)
			}
		}
		if len(block.Rules)+len(block.Fills) > 0 {
			fmt.Fprintf(&b, "takes rules %v fills %v\n", block.Rules, block.Fills)
		}
	}
	return b.String()
}

func TestRulesAndFillsBelongToTheirText(t *testing.T) {
	text := []string{"The keeper wrote down what the wind", "and the sea had done in the night."}
	// A letter is 5 points wide: "keeper" runs from 70 to 100, and "and the sea" from 50 to 105.
	for name, c := range map[string]struct {
		sheet *sheet
		want  string
	}{
		"an underline":              {newSheet().lines(50, 700, text...).rule(70, 100, 698), "\"keeper\" rule 1 fill 0\ntakes rules [0] fills []\n"},
		"a line through words":      {newSheet().lines(50, 700, text...).rule(70, 130, 702.5), "\"keeper wrote\" rule 1 fill 0\ntakes rules [0] fills []\n"},
		"an underline on two lines": {newSheet().lines(50, 700, text...).rule(50, 225, 698).rule(50, 105, 686), "\"The keeper wrote down what the wind and the sea\" rule 1 fill 0\ntakes rules [0 1] fills []\n"},
		"an underline and a line":   {newSheet().lines(50, 700, text...).rule(70, 100, 698).rule(50, 105, 690.5), "\"keeper\" rule 1 fill 0\n\"and the sea\" rule 2 fill 0\ntakes rules [0 1] fills []\n"},
		"a highlight":               {newSheet().fill(69, 101, 697, 709).lines(50, 700, text...), "\"keeper\" rule 0 fill 1\ntakes rules [] fills [0]\n"},
		"a ground above the text":   {newSheet().lines(50, 700, text...).fill(69, 101, 697, 709), ""},
		"the ground of a box":       {newSheet().fill(40, 240, 680, 720).lines(50, 700, text...), ""},
		"the rule of a column":      {newSheet().lines(50, 700, text...).rule(40, 300, 684), ""},
		"a rule below a paragraph":  {newSheet().lines(50, 700, text...).rule(50, 220, 676), ""},
		"a rule at one letter":      {newSheet().lines(50, 700, text...).rule(75, 80, 698), ""},
		"an underline above a word": {newSheet().write(100, 700, 10, regular, "Total:").rule(100, 130, 698).write(100, 688, 10, regular, "12"), "\"Total:\" rule 1 fill 0\ntakes rules [0] fills []\n"},
		"the bar of a fraction":     {newSheet().write(100, 700, 10, regular, "true").rule(98, 132, 697).write(100, 688, 10, regular, "all"), ""},
	} {
		require.Equal(t, c.want, c.sheet.decorated(), name)
	}
	shared := newSheet().lines(50, 700, text...).rule(70, 100, 698)
	shared.page.Rules[0].Shared = true
	require.Empty(t, shared.decorated(), "a rule that cannot be changed alone")
}

// An underline does not keep a text from growing.
func TestUnderlinesLeaveRoom(t *testing.T) {
	room := func(s *sheet) document.Box { return flow.Build(s.page, nil).Blocks[0].Room }
	plain := newSheet().lines(50, 700, "one line that is alone").lines(50, 600, strings.Repeat("below ", 12))
	underlined := newSheet().lines(50, 700, "one line that is alone").lines(50, 600, strings.Repeat("below ", 12)).rule(50, 160, 698)
	require.Equal(t, room(plain), room(underlined))
}
