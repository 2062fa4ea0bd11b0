package typeset_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

// long are words that German divides, in a text that is justified.
const long = "Die Donaudampfschifffahrtsgesellschaft veröffentlichte unterdessen außerordentliche Geschäftsberichte, deren Veröffentlichung " +
	"ausgesprochen zuversichtliche Zukunftsaussichten bekanntgab und selbstverständlich Überraschungen versprach."

// Words are hyphenated in justified and in narrow columns. A reader who joins the lines at soft hyphens has the text again.
func TestWordsAreHyphenatedInColumns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang    string
		change  func(*document.Block)
		hyphens bool
	}{
		"justified":           {"de", func(b *document.Block) { b.Align = document.AlignJustify }, true},
		"narrow":              {"de-AT", func(*document.Block) {}, true},
		"without patterns":    {"ro", func(b *document.Block) { b.Align = document.AlignJustify }, false},
		"wide, not justified": {"de", func(b *document.Block) { b.Box.X1, b.Room.X1 = 400, 400 }, false},
		"a heading":           {"de", func(b *document.Block) { b.Class = document.ClassTitle }, false},
		"a cell":              {"de", func(b *document.Block) { b.Cell = &document.Cell{} }, false},
		"centered":            {"de", func(b *document.Block) { b.Align = document.AlignCenter }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := block(9, document.AlignStart)
			c.change(&b)
			r, err := set(t, c.lang, b, long, 1)
			require.NoError(t, err)
			requireWithin(t, r, b.Room)
			list := lines(r)
			row, hyphens := 0, 0
			for _, line := range list[:len(list)-1] {
				require.NotContains(t, strings.TrimSuffix(line, "\u00ad"), "\u00ad", "a hyphen within a line")
				if row++; !strings.HasSuffix(line, "\u00ad") {
					row = 0
				}
				require.LessOrEqual(t, row, 2, "hyphens below each other")
				hyphens += strings.Count(line, "\u00ad")
			}
			require.Equal(t, c.hyphens, hyphens > 0, "%q", list)
			require.Equal(t, long, strings.ReplaceAll(strings.Join(list, ""), "\u00ad", ""))
			require.NotContains(t, list[len(list)-1], "\u00ad")
		})
	}
}

// A word that fits on no line is divided where its language divides it, also in a heading.
func TestWordsThatDoNotFitAreHyphenated(t *testing.T) {
	t.Parallel()
	b := block(4, document.AlignStart)
	b.Class = document.ClassTitle
	b.Room.X1, b.Box.X1 = 170, 170
	r, err := set(t, "de", b, "Donaudampfschifffahrtsgesellschaft", 1)
	require.NoError(t, err)
	requireWithin(t, r, b.Room)
	list := lines(r)
	require.Greater(t, len(list), 1)
	for _, line := range list[:len(list)-1] {
		require.True(t, strings.HasSuffix(line, "\u00ad"), "%q", list)
	}
}

// Abbreviations stay whole, and the soft hyphens of a translation are drawn where a line ends.
func TestSoftHyphensOfATranslation(t *testing.T) {
	t.Parallel()
	b := block(8, document.AlignJustify)
	b.Room.X1, b.Box.X1 = 150, 150
	r, err := set(t, "ja", b, strings.Repeat("abcde\u00adfghijk\u00adlmn ", 4), 1)
	require.NoError(t, err)
	text := strings.Join(lines(r), "|")
	require.Equal(t, strings.Count(text, "\u00ad"), strings.Count(text, "\u00ad|"), text)
	require.Contains(t, text, "\u00ad|")
	b = block(8, document.AlignJustify)
	r, err = set(t, "en", b, strings.Repeat("DEMONSTRATION ", 9), 1)
	require.NoError(t, err)
	require.NotContains(t, strings.Join(lines(r), "|"), "\u00ad")
	r, err = set(t, "en", b, strings.Repeat("https://demonstration.example/documentation ", 4), 1)
	require.NoError(t, err)
	require.NotContains(t, strings.Join(lines(r), "|"), "\u00ad")
}
