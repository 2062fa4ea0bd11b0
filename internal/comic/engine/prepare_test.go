package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// A prepared page gives the same bytes as the page itself, for any texts and on every call.
func TestAPreparedPageRendersTheSameBytes(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	saying := func(text string) []core.Translation {
		all := make([]core.Translation, len(c.Regions()))
		for i := range all {
			all[i] = core.Translation{Index: i, Text: text}
		}
		return all
	}
	prepared, err := e.Prepare(t.Context(), c, saying("The stars are lovely tonight."))
	require.NoError(t, err)
	require.Greater(t, prepared.Bytes(), c.Bytes())
	for _, text := range []string{"The stars are lovely tonight.", "So many stars!", "The stars are lovely tonight.", ""} {
		want, _, err := e.Render(t.Context(), c, saying(text))
		require.NoError(t, err)
		got, report, err := e.Render(t.Context(), prepared, saying(text))
		require.NoError(t, err)
		require.Equal(t, want, got, text)
		require.Positive(t, report.Elapsed["erase"], "as long as it took to prepare the page")
	}
	again, err := e.Prepare(t.Context(), prepared, saying("Again."))
	require.NoError(t, err)
	require.Same(t, prepared, again)
	_, err = e.Prepare(t.Context(), c, nil)
	require.Equal(t, core.CodeRenderInputInvalid, core.CodeOf(err))
	same, err := e.Prepare(t.Context(), c, saying(""))
	require.NoError(t, err)
	require.Equal(t, c.Bytes(), same.Bytes(), "without a text there is nothing to prepare")
}

// A page whose regions are known is lettered as the page in which they were found, and needs no reading.
func TestAPageWithKnownRegionsRendersTheSameBytes(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, found, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	texts := make([]core.Translation, len(found.Regions))
	for i := range texts {
		texts[i] = core.Translation{Index: i, Text: "So many stars!"}
	}
	want, _, err := e.Render(t.Context(), c, texts)
	require.NoError(t, err)
	decoded, err := e.Decode(t.Context(), page(t, "01.png"))
	require.NoError(t, err)
	got, report, err := e.Render(t.Context(), decoded.With(found.Regions, japaneseToEnglish), texts)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Zero(t, report.Elapsed["ocr"])
}
