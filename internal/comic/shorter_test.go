package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
)

func TestShorterTextsTakeTheirPlaces(t *testing.T) {
	t.Parallel()
	said := []core.Translation{{Index: 0, Text: "Hello there"}, {Index: 2, Text: "Look out below"}}
	all, replaced := comic.Shorten(said, []core.Translation{
		{Index: 2, Text: "Look out"}, {Index: 0, Text: ""}, {Index: 7, Text: "Nobody's"},
	})
	require.Equal(t, []core.Translation{{Index: 0, Text: "Hello there"}, {Index: 2, Text: "Look out"}}, all)
	require.Equal(t, []int{2}, replaced)
	require.Equal(t, "Look out below", said[1].Text, "what was given stays as it is")
}

func TestLongTextsAreTheirRegions(t *testing.T) {
	t.Parallel()
	texts := comic.LongTexts(
		[]comic.OverflowText{{Index: 1, Room: 8}, {Index: -1, Room: 3}, {Index: 2, Room: 3}},
		[]comic.Region{{Index: 0, Text: "ああ"}, {Index: 1, Text: "危ない"}},
		[]core.Translation{{Index: 0, Text: "Ah"}, {Index: 1, Text: "Look out below"}},
	)
	require.Equal(t, []comic.LongText{{
		OverflowText: comic.OverflowText{Index: 1, Room: 8}, Source: "危ない", Translation: "Look out below",
	}}, texts)
}
