package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// The halves of detect and of render together give the same as the whole, on every call, and report the time of each part.
func TestHalvesMakeWhatTheWholeDoes(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	original, texts := page(t, "01.png"), translated("The stars are lovely tonight.")
	c, found, err := e.Detect(t.Context(), original, japaneseToEnglish)
	require.NoError(t, err)
	want, report, err := e.Render(t.Context(), c, texts)
	require.NoError(t, err)
	requireParts(t, found.Elapsed, "decode", "detect", "ocr")
	requireParts(t, report.Elapsed, "erase", "render", "encode")

	decoded, err := e.Decode(t.Context(), original)
	require.NoError(t, err)
	for range 2 {
		c, again, err := decoded.Detect(t.Context(), japaneseToEnglish)
		require.NoError(t, err)
		require.Equal(t, found.Regions, again.Regions)
		requireParts(t, again.Elapsed, "decode", "detect", "ocr")

		lettered, err := e.Letter(t.Context(), c, texts)
		require.NoError(t, err)
		for range 2 {
			got, report, err := lettered.Encode(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, got)
			requireParts(t, report.Elapsed, "erase", "render", "encode")
		}
	}
}

// requireParts requires these parts, with a sum equal to the total up to rounding to milliseconds.
func requireParts(t *testing.T, elapsed core.ElapsedMS, parts ...string) {
	t.Helper()
	require.Len(t, elapsed, len(parts)+1)
	sum := int64(0)
	for _, part := range parts {
		require.Contains(t, elapsed, part)
		sum += elapsed[part]
	}
	require.InDelta(t, sum, elapsed["total"], float64(len(parts)))
}
