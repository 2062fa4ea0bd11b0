package engine_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
)

// A rectangle around a text is read as the page was, and lettered like the region that detect found.
func TestARectangleIsRead(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, found, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	want := c.Regions()[0]
	x0, y0, x1, y1 := want.Bounds()
	got, err := e.ReadArea(t.Context(), c, comic.Area{x0 - 12, y0 - 12, x1 + 12, y1 + 12}, found.FromLang)
	require.NoError(t, err)
	require.Equal(t, []any{want.Text, want.Kind, want.Direction, "en", false}, []any{got.Text, got.Kind, got.Direction, got.TargetLang, got.Unread})
	require.Len(t, got.Lines, len(want.Lines))

	// The page that was read without it, with the region drawn, is the same picture.
	got.Index, got.Reading = 0, comic.ReadingDone
	texts := []core.Translation{{Text: "So many stars!"}}
	alone := func(r comic.Region) []byte {
		r.Index = 0
		drawn, report, err := e.Render(t.Context(), e.Revise(c, []comic.Region{r}), texts)
		require.NoError(t, err)
		require.Empty(t, report.Overflow)
		return drawn
	}
	require.NotEqual(t, page(t, "01.png"), alone(got))
	got.Override.Deleted = true
	taken := alone(got)
	require.Equal(t, page(t, "01.png"), taken, "what was taken back leaves no trace")

	var blank bytes.Buffer
	require.NoError(t, png.Encode(&blank, image.NewGray(image.Rect(0, 0, 200, 200))))
	decoded, err := e.Decode(t.Context(), blank.Bytes())
	require.NoError(t, err)
	nothing, err := e.ReadArea(t.Context(), decoded.With(nil, japaneseToEnglish), comic.Area{0, 0, 40, 40}, found.FromLang)
	require.NoError(t, err)
	require.True(t, nothing.Unread)
	require.Empty(t, nothing.Text)
	require.Len(t, nothing.Lines, 1)
}
