package engine_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// What is tight is told before rendering as rendering tells it, and so much of the text as is said to fit does.
func TestTightTellsWhatWouldFit(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	long := strings.TrimSpace(strings.Repeat("The stars are lovely tonight. ", 60))
	prepared, err := e.Prepare(t.Context(), c, translated(long))
	require.NoError(t, err)

	tight, err := e.Tight(t.Context(), prepared, translated(long))
	require.NoError(t, err)
	erasing, err := e.Tight(t.Context(), c, translated(long))
	require.NoError(t, err)
	require.Equal(t, erasing, tight)
	_, report, err := e.Render(t.Context(), c, translated(long))
	require.NoError(t, err)
	require.Len(t, tight, 1)
	require.Equal(t, []int{tight[0].Index}, report.Tight)
	require.Greater(t, tight[0].Room, utf8.RuneCountInString("The stars are lovely tonight."))
	require.Less(t, tight[0].Room, utf8.RuneCountInString(long))

	short := string([]rune(long)[:tight[0].Room])
	require.Contains(t, []byte(" ."), short[len(short)-1], "whole words")
	tight, err = e.Tight(t.Context(), prepared, translated(strings.TrimSpace(short)))
	require.NoError(t, err)
	require.Empty(t, tight)
}

func TestTightAsksForATextOfEveryRegion(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	_, err = e.Tight(t.Context(), c, nil)
	require.Equal(t, core.CodeRenderInputInvalid, core.CodeOf(err))
	tight, err := e.Tight(t.Context(), c, []core.Translation{{Index: 0}})
	require.NoError(t, err)
	require.Empty(t, tight, "nothing is lettered")
}
