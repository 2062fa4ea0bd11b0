package engine_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// Overflow reports the same regions as rendering, and a text cut to the reported room fits.
func TestOverflowTellsWhatWouldFit(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	long := strings.TrimSpace(strings.Repeat("The stars are lovely tonight. ", 60))
	prepared, err := e.Prepare(t.Context(), c, translated(long))
	require.NoError(t, err)

	overflow, err := e.Overflow(t.Context(), prepared, translated(long))
	require.NoError(t, err)
	erasing, err := e.Overflow(t.Context(), c, translated(long))
	require.NoError(t, err)
	require.Equal(t, erasing, overflow)
	_, report, err := e.Render(t.Context(), c, translated(long))
	require.NoError(t, err)
	require.Len(t, overflow, 1)
	require.Equal(t, []int{overflow[0].Index}, report.Overflow)
	require.Greater(t, overflow[0].Room, utf8.RuneCountInString("The stars are lovely tonight."))
	require.Less(t, overflow[0].Room, utf8.RuneCountInString(long))

	short := string([]rune(long)[:overflow[0].Room])
	require.Contains(t, []byte(" ."), short[len(short)-1], "whole words")
	overflow, err = e.Overflow(t.Context(), prepared, translated(strings.TrimSpace(short)))
	require.NoError(t, err)
	require.Empty(t, overflow)
}

func TestOverflowAsksForATextOfEveryRegion(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	_, err = e.Overflow(t.Context(), c, nil)
	require.Equal(t, core.CodeRenderInputInvalid, core.CodeOf(err))
	overflow, err := e.Overflow(t.Context(), c, []core.Translation{{Index: 0}})
	require.NoError(t, err)
	require.Empty(t, overflow, "nothing is lettered")
}
