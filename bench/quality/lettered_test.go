package main

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

// A page with two lines of bars for glyphs in a bubble that is white between two black lines.
func TestMeasureLettering(t *testing.T) {
	t.Parallel()
	walls := []image.Rectangle{image.Rect(60, 60, 63, 140), image.Rect(160, 60, 163, 140), image.Rect(60, 60, 163, 63), image.Rect(60, 137, 163, 140)}
	erased := painted(0, nil, walls...)
	page := painted(0, erased, image.Rect(80, 80, 90, 90), image.Rect(100, 80, 110, 90), image.Rect(80, 104, 90, 114), image.Rect(100, 104, 110, 114))
	quad := raster.Quad{{80, 80}, {110, 80}, {110, 114}, {80, 114}}
	made := &letteredPage{
		name: "page", lang: "en", original: page, page: page, erased: erased, seconds: 2, texts: map[int]string{0: "Hi there"},
		regions: []comic.Region{{Kind: comic.KindDialogue, FontSize: 10, Lines: []raster.Quad{quad}}},
		report:  letter.Report{Regions: []letter.Lettered{{Cap: 12, Fit: letter.Fits, Box: image.Rect(80, 80, 110, 114)}}},
	}
	var tally letterTally
	made.measure(&tally)
	made.compare([]comic.Region{{Lines: []raster.Quad{quad}, Texts: []string{"Hi thare!"}}}, &tally)
	f := tally.figures()
	require.Equal(t, []int{1, 1, 1, 0, 0}, []int{f.Pages, f.Blocks, f.Dialogue, f.Outside, f.Overflow})
	require.InDelta(t, 2.4, f.Pitch, 0.21)        // 24 pixels from line to line, with glyphs of 10; the smoothing takes up to 2
	require.InDelta(t, 1.8, f.MarginMedian, 1e-9) // 18 pixels from the outline on the left to the first glyph
	require.InDelta(t, 1.0/7, f.CER, 1e-9)        // one of the letters of "hithere"
	require.InDelta(t, 5, f.CapMedian, 1e-9)      // 10 of 200 pixels
	require.InDelta(t, 1, f.SameSize+f.Exact, 1e-9)
	require.InDelta(t, 1, f.SameWeight, 1e-9)
	require.Equal(t, []string{"page misread: Hi there"}, tally.faults)

	made.page = painted(128, page, image.Rect(150, 80, 170, 90))
	made.report.Regions[0].Box.Max.X, made.report.Regions[0].Fit = 170, letter.Overflow
	var out letterTally
	made.measure(&out)
	tally.add(out)
	f = tally.figures()
	require.Equal(t, []int{2, 2, 2, 1, 1}, []int{f.Pages, f.Blocks, f.Dialogue, f.Outside, f.Overflow})
	require.Equal(t, []string{"page misread: Hi there", "page overflow: Hi there", "page outside: Hi there"}, tally.faults)
}

func TestSumsOfLetteringKeepHalvesAndDirectionsApart(t *testing.T) {
	t.Parallel()
	var rows letterRows
	for _, c := range []struct{ book, half, text string }{
		{"a", reportHalf, "en"}, {"b", tuningHalf, "en"}, {"c", reportHalf, "en"}, {"c", reportHalf, "fr"}, {"a", reportHalf, "en"},
	} {
		row := rows.row(c.book, c.half, "ja", c.text)
		row.names = append(row.names, c.book)
		row.add(letterTally{pages: 1})
	}
	require.Len(t, rows, 4)
	var got []string
	for _, s := range rows.sums() {
		for range s.pages {
			got = append(got, s.half+" "+s.text)
		}
	}
	require.Equal(t, []string{"tuning en", "report en", "report en", "report en", "report fr"}, got)
}
