package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
)

// A page that is prepared renders whatever texts as the page itself does, as often as it is asked.
func TestAPreparedPageRendersTheSameBytes(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	prepared, err := e.Prepare(t.Context(), c, translated("The stars are lovely tonight."))
	require.NoError(t, err)
	require.Greater(t, prepared.Bytes(), c.Bytes())
	for _, text := range []string{"The stars are lovely tonight.", "So many stars!", "The stars are lovely tonight.", ""} {
		want, _, err := e.Render(t.Context(), c, translated(text))
		require.NoError(t, err)
		got, _, err := e.Render(t.Context(), prepared, translated(text))
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
	_, err = e.Prepare(t.Context(), c, nil)
	require.Equal(t, pipeline.CodeRenderInputInvalid, pipeline.CodeOf(err))
	same, err := e.Prepare(t.Context(), c, translated(""))
	require.NoError(t, err)
	require.Equal(t, c.Bytes(), same.Bytes(), "without a text there is nothing to prepare")
}
