package engine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
	"plait/internal/document/pdftest"
	"plait/internal/document/typeset"
	"plait/internal/llmtest"
)

// priceList is a page with a table of four columns between two rules, with a rule behind its first column, with something more, and with links.
func priceList(more string, links ...string) []byte {
	b := pdftest.New()
	var annotations []pdftest.Ref
	for _, link := range links {
		annotations = append(annotations, b.Link(link, "https://example.org"))
	}
	var rows strings.Builder
	for i, name := range []string{"Barley", "Wheat flour", "Oats", "Rye bread", "Maize"} {
		y := 700 - 20*i
		fmt.Fprintf(&rows, "BT /F 11 Tf 72 %d Td (%s) Tj ET BT /F 11 Tf 240 %d Td (1%d.50) Tj ET ", y, name, y, i)
		fmt.Fprintf(&rows, "BT /F 11 Tf 330 %d Td (each sack) Tj ET BT /F 11 Tf 480 %d Td (7%d0) Tj ET ", y, y, i)
	}
	b.Page(pdftest.Page{
		Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Annotations: annotations,
		Content: "60 720 480 1 re f 60 610 480 1 re f 200 611 1 109 re f " + more + rows.String(),
	})
	return b.Bytes()
}

// numberPlaces are the places where the numbers of a price list begin, and rule that of its vertical rule.
func numberPlaces(t *testing.T, p document.Page) (places map[string]float64, rule float64) {
	t.Helper()
	places = map[string]float64{}
	for i, g := range p.Glyphs {
		if i+1 < len(p.Glyphs) && (g.Text == "1" && p.Glyphs[i+1].Text == "2" || g.Text == "7" && p.Glyphs[i+1].Text == "2") {
			places[g.Text] = g.Origin.X
		}
	}
	for _, r := range p.Rules {
		if rule == 0 && r.Box.Y1-r.Box.Y0 > 50 {
			rule = r.Box.X0
		}
	}
	return places, rule
}

// The columns of a table change sides in Arabic, with the numbers and the rules between them, so that its rows are read from right to left.
func TestColumnsChangeSides(t *testing.T) {
	t.Parallel()
	e := open(t)
	standIn := llmtest.StandIn("ar", 1)
	written, _ := resultIn(t, e, "ar", priceList(""), standIn)
	require.Contains(t, text(t, e, written), standIn("each sack"))
	use(t, e, written, func(f *pdf.File) {
		p, err := f.Content(t.Context(), 0)
		require.NoError(t, err)
		places, rule := numberPlaces(t, p)
		require.InDelta(t, 399, rule, 1, "the rule stands as far from the right as it stood from the left")
		require.Less(t, places["7"], 150.0)
		require.InDelta(t, 310, places["1"], 40)
		for _, g := range p.Glyphs { // the names end where the table begins in the source
			require.LessOrEqual(t, g.Box.X1, 529.0)
		}
	})
	got := text(t, e, written)
	for _, name := range []string{"Barley", "Maize"} {
		require.Regexp(t, standIn(name)+` .*`+standIn("each sack"), got, "the name is read before the rest of its row")
	}
}

// Links go with the cells that keep their text, too.
func TestLinksChangeSidesWithTheirCells(t *testing.T) {
	t.Parallel()
	e := open(t)
	written, _ := resultIn(t, e, "ar", priceList("", "478 698 502 710"), llmtest.StandIn("ar", 1))
	use(t, e, written, func(f *pdf.File) {
		p, err := f.Content(t.Context(), 0)
		require.NoError(t, err)
		places, _ := numberPlaces(t, p)
		require.Less(t, places["7"], 150.0)
		require.InDelta(t, places["7"]-2, p.Links[0].X0, .1)
		require.InDelta(t, 24, p.Links[0].X1-p.Links[0].X0, .1)
	})
}

// The first column of a table in Hebrew is the right one. It is the left one in German, and stays on the right in Arabic.
func TestColumnsOfATableFromRightToLeft(t *testing.T) {
	t.Parallel()
	e := open(t)
	page := document.Page{Crop: document.Box{X1: 600, Y1: 800}, Fonts: []document.Font{{Name: "Hebrew"}}}
	var blocks []engine.Translated
	for i, name := range []string{"גובה", "שנה", "שם"} {
		x := 100 + 100*float64(i)
		box := document.Box{X0: x + 50, X1: x + 90, Y0: 698, Y1: 708}
		page.Glyphs = append(page.Glyphs, document.Glyph{Text: name, Size: 10, Origin: document.Point{X: box.X0, Y: 700}, Box: box, Op: document.Op(i)})
		area := document.Box{X0: x, X1: x + 95, Y0: 696, Y1: 710}
		blocks = append(blocks, engine.Translated{Translation: "Wort", Block: document.Block{
			Index: i, Class: document.ClassTable, Box: box, Room: area, Text: name, Size: 10, Lines: 1, Baseline: document.Point{X: box.X0, Y: 700}, Glyphs: []int{i},
			Align: document.AlignStart, RightToLeft: true, Spans: []document.Span{{End: len(name), Style: document.Style{Size: 10}}},
			Cell: &document.Cell{Column: i, RowSpan: 1, ColumnSpan: 1, Area: area},
		}})
	}
	edit, _ := e.Set(page, blocks, "de", typeset.Scales{})
	require.Less(t, edit.Texts[2].Box.X1, edit.Texts[0].Box.X0)
	require.InDelta(t, 105, edit.Texts[2].Box.X0, 1)
	edit, _ = e.Set(page, blocks, "ar", typeset.Scales{})
	require.Greater(t, edit.Texts[2].Box.X0, edit.Texts[0].Box.X1)
}

// The numbers of a table in a picture cannot be moved, and so its texts stay in their columns.
func TestColumnsOfATableInAPictureStay(t *testing.T) {
	t.Parallel()
	e := open(t)
	page := document.Page{Crop: document.Box{X1: 600, Y1: 800}}
	var blocks []engine.Translated
	for i, text := range []string{"Wheat", "sack", "120"} {
		x := 100 + 100*float64(i)
		area := document.Box{X0: x, X1: x + 95, Y0: 696, Y1: 710}
		b := engine.Translated{Translation: "Wort", Block: document.Block{
			Index: i, Class: document.ClassTable, Box: document.Box{X0: x, X1: x + 40, Y0: 698, Y1: 708}, Room: area, Text: text, Size: 10, Lines: 1,
			Baseline: document.Point{X: x, Y: 700}, Align: document.AlignStart, Spans: []document.Span{{End: len(text), Style: document.Style{Size: 10}}},
			Cell: &document.Cell{Column: i, RowSpan: 1, ColumnSpan: 1, Area: area},
		}}
		if i == 2 {
			b.Translation, b.Untranslated = "", document.ReasonNoText
		}
		blocks = append(blocks, b)
	}
	edit, _ := e.Set(page, blocks, "ar", typeset.Scales{})
	require.Len(t, edit.Texts, 2)
	require.Less(t, edit.Texts[0].Box.X1, 200.0)
	require.Less(t, edit.Texts[1].Box.X1, 300.0)
}

// What clips each cell of a table, as programs for spreadsheets do, clips none of its numbers and grounds on the other side. Rules around a table may
// go on above and below it.
func TestColumnsOfClippedCellsChangeSides(t *testing.T) {
	t.Parallel()
	e := open(t)
	more := `0 g 66 740 4 4 re f q 235 590 60 20 re W n 0.9 0.9 0.5 rg 236 591 58 18 re f Q q 235 590 60 20 re W n BT /F 11 Tf 240 600 Td (15.50) Tj ET Q
59 300 1 500 re f 540 300 1 500 re f BT /F 11 Tf 72 600 Td (Millet) Tj ET BT /F 11 Tf 330 600 Td (each sack) Tj ET `
	written, _ := resultIn(t, e, "ar", priceList(more), llmtest.StandIn("ar", 1))
	use(t, e, written, func(f *pdf.File) {
		p, err := f.Content(t.Context(), 0)
		require.NoError(t, err)
		places, rule := numberPlaces(t, p)
		require.InDelta(t, 399, rule, 1)
		require.True(t, slices.ContainsFunc(p.Rules, func(r document.Rule) bool { return r.Box.X0 == 59 }), "what is around the table stays")
		require.True(t, slices.ContainsFunc(p.Fills, func(f document.Fill) bool { return f.Box.X0 == 66 }), "and what is above it")
		require.Less(t, places["7"], 150.0)
		for i, g := range p.Glyphs {
			require.False(t, g.Hidden)
			if g.Text == "1" && p.Glyphs[i+1].Text == "5" {
				require.InDelta(t, places["1"], g.Origin.X, 0.1)
			}
		}
		require.True(t, slices.ContainsFunc(p.Fills, func(f document.Fill) bool { return math.Abs(f.Box.X0-306) < 2 && f.Box.X1-f.Box.X0 > 57 }))
	})
}

// Numbers stay below each other, as far from the text beside them as in the source.
func TestNumbersOfALongColumnDoNotTouchTextsOnTheOtherSide(t *testing.T) {
	t.Parallel()
	e := open(t)
	b := pdftest.New()
	var rows strings.Builder
	for i, name := range []string{"Barley of a field", "Wheat flour that was ground", "Oats", "Rye", "Maize from the coast and the hills beyond it"} {
		y := 700 - 20*i
		fmt.Fprintf(&rows, "BT /F 11 Tf 72 %d Td (sack) Tj ET BT /F 11 Tf 200 %d Td (%s) Tj ET BT /F 11 Tf 480 %d Td (7%d0) Tj ET ", y, y, name, y, i)
	}
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: "60 720 480 1 re f 60 610 480 1 re f " + rows.String()})
	written, _ := resultIn(t, e, "ar", b.Bytes(), llmtest.StandIn("ar", 1.4))
	use(t, e, written, func(f *pdf.File) {
		p, err := f.Content(t.Context(), 0)
		require.NoError(t, err)
		for _, g := range p.Glyphs {
			if strings.ContainsAny(g.Text, "0123456789") {
				require.Less(t, g.Box.X1, 125.0)
			} else if g.Text != " " {
				require.Greater(t, g.Box.X0, 125.0, g.Text)
			}
		}
	})
}

// A rule that runs through the table and past it on both sides belongs to something larger, and keeps no column from changing sides.
func TestColumnsAtALongerRuleChangeSides(t *testing.T) {
	t.Parallel()
	e := open(t)
	written, _ := resultIn(t, e, "ar", priceList("10 673 596 1 re f "), llmtest.StandIn("ar", 1))
	use(t, e, written, func(f *pdf.File) {
		p, err := f.Content(t.Context(), 0)
		require.NoError(t, err)
		places, rule := numberPlaces(t, p)
		require.InDelta(t, 399, rule, 1)
		require.Less(t, places["7"], 150.0)
		require.True(t, slices.ContainsFunc(p.Rules, func(r document.Rule) bool { return r.Box.X0 == 10 }))
	})
}

// A long text keeps off a short number that stands below longer ones on the other side.
func TestLongTextsKeepOffShortNumbersOnTheOtherSide(t *testing.T) {
	t.Parallel()
	e := open(t)
	b := pdftest.New()
	var rows strings.Builder
	for i, name := range []string{"Barley", "Wheat", "Oats from the hills beyond", "Rye", "Maize"} {
		y, x, number := 700-20*i, 215, "11.50 - 12.50"
		if name[0] == 'O' {
			x, number = 257, "12.50"
		}
		fmt.Fprintf(&rows, "BT /F 11 Tf 72 %d Td (%s) Tj ET BT /F 11 Tf %d %d Td (%s) Tj ET BT /F 11 Tf 400 %d Td (7%d0) Tj ET ", y, name, x, y, number, y, i)
	}
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: "60 720 400 1 re f 60 610 400 1 re f " + rows.String()})
	written, _ := resultIn(t, e, "ar", b.Bytes(), llmtest.StandIn("ar", 1.6))
	use(t, e, written, func(f *pdf.File) {
		p, err := f.Content(t.Context(), 0)
		require.NoError(t, err)
		number, text := 0.0, 600.0
		for _, g := range p.Glyphs {
			switch {
			case math.Abs(g.Origin.Y-660) > 3 || g.Box.X0 < 180 || strings.TrimSpace(g.Text) == "":
			case strings.ContainsAny(g.Text, "0123456789."):
				number = max(number, g.Box.X1)
			default:
				text = min(text, g.Box.X0)
			}
		}
		require.Positive(t, number)
		require.Greater(t, text, number)
	})
}

// A table stays as it is if something stands in it that cannot change sides, or if its grounds would leave an area beyond which nothing is drawn.
func TestColumnsStay(t *testing.T) {
	t.Parallel()
	e := open(t)
	for name, more := range map[string]string{
		"a curve":                "1 0 0 RG 100 650 m 150 690 200 690 250 650 c S ",
		"an uneven grid":         "0 G 100 611 m 100 720 l 150 611 m 150 720 l 300 611 m 300 720 l S ",
		"a page that is clipped": "100 100 400 700 re W n 0.9 0.9 0.5 rg 205 612 30 80 re f ",
	} {
		written, _ := resultIn(t, e, "ar", priceList(more), llmtest.StandIn("ar", 1))
		use(t, e, written, func(f *pdf.File) {
			p, err := f.Content(t.Context(), 0)
			require.NoError(t, err)
			places, rule := numberPlaces(t, p)
			require.Equal(t, map[string]float64{"1": 240, "7": 480}, places, name)
			require.InDelta(t, 200, rule, 0.1, name)
		})
	}
}
