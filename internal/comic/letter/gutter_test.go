package letter_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
)

// twoPanels is a page with two panels below each other and a bubble in the upper one.
func twoPanels() (page *image.NRGBA, lower image.Rectangle, bubble comic.Region) {
	page = art(1000, 1400)
	lower = image.Rect(40, 740, 960, 1360)
	for _, paper := range []image.Rectangle{
		image.Rect(0, 0, 40, 1400), image.Rect(960, 0, 1000, 1400), image.Rect(0, 0, 1000, 40), image.Rect(0, 700, 1000, 740), image.Rect(0, 1360, 1000, 1400),
	} {
		fill(page, paper, white)
	}
	box := image.Rect(300, 100, 700, 300)
	oval(page, box)
	return page, lower, source(0, box, 0.5, 2)
}

// note is a text of one line in the gutter.
func note(index int, line image.Rectangle, kind comic.RegionKind, text string) comic.Region {
	r := sound(line)
	r.Index, r.Kind, r.Text, r.FontSize = index, kind, text, float64(line.Dy())
	return r
}

// A note in the gutter stays on its line, in its color, without an outline, and at the end of the panel at which it was, however long it is.
func TestANoteInTheGutterStaysThere(t *testing.T) {
	t.Parallel()
	gray := color.NRGBA{150, 150, 150, 255}
	for _, c := range []struct {
		name   string
		line   image.Rectangle
		center float64
	}{
		{"at the end of the panel", image.Rect(760, 708, 964, 732), 0},
		{"near the panel", image.Rect(760, 696, 964, 722), 0},
		{"in the middle", image.Rect(400, 708, 600, 732), 500},
	} {
		page, lower, bubble := twoPanels()
		r := note(1, c.line, comic.KindFree, "A note that is small print.")
		before, original := clone(page), lettered(page, r, gray, gray)
		report, err := letterer(t).Draw(t.Context(), letter.Page{
			Erased: page, Original: original, Regions: []comic.Region{bubble, r}, Lang: "en",
			Translations: translations([]string{"Some dialogue of two lines.", "A translation of the note that is a good deal longer than it was."}),
		}, letter.DefaultParams())
		require.NoError(t, err)
		got := report.Regions[1]
		require.Len(t, got.Lines, 1, c.name)
		require.Equal(t, letter.Fits, got.Fit, c.name)
		require.True(t, got.Box.In(image.Rect(40, 700, 962, 740)), "%s: %v", c.name, got.Box)
		if c.center > 0 {
			require.InDelta(t, c.center, float64(got.Box.Min.X+got.Box.Max.X)/2, 4, c.name)
		} else {
			require.InDelta(t, lower.Max.X, got.Box.Max.X, 4, c.name)
		}
		for _, at := range changed(before, page) {
			if at.In(got.Box) {
				require.GreaterOrEqual(t, page.NRGBAAt(at.X, at.Y).R, gray.R, c.name)
			}
		}
	}
}

// A word in the gutter is as large as its source although it is longer.
func TestALongerWordInTheGutterKeepsItsSize(t *testing.T) {
	t.Parallel()
	page, _, bubble := twoPanels()
	line := image.Rect(450, 705, 550, 735)
	r := note(1, line, comic.KindFree, "THE END")
	original := lettered(page, r, black, black)
	report, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: []comic.Region{bubble, r}, Lang: "ja",
		Translations: translations([]string{"何でもない台詞だ", "−このお話はおしまい−"}),
	}, letter.DefaultParams())
	require.NoError(t, err)
	got := report.Regions[1]
	require.Equal(t, letter.Fits, got.Fit)
	require.Greater(t, got.Cap, 0.6*float64(line.Dy()))
	require.InDelta(t, 500, float64(got.Box.Min.X+got.Box.Max.X)/2, 6)
}

// Of two texts in one gutter each has its half.
func TestTextsInOneGutterKeepApart(t *testing.T) {
	t.Parallel()
	page, _, bubble := twoPanels()
	regions := []comic.Region{
		bubble, note(1, image.Rect(300, 705, 560, 735), comic.KindFree, "Episode 6: the contest"), note(2, image.Rect(600, 705, 680, 735), comic.KindFree, "FIN"),
	}
	original := lettered(lettered(page, regions[1], black, black), regions[2], black, black)
	report, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: regions, Lang: "en",
		Translations: translations([]string{"Some dialogue.", "The sixth episode, in which there is a contest", "The end of it all"}),
	}, letter.DefaultParams())
	require.NoError(t, err)
	require.LessOrEqual(t, report.Regions[1].Box.Max.X, 581)
	require.GreaterOrEqual(t, report.Regions[2].Box.Min.X, 579)
}
