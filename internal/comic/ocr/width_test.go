package ocr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesHaveFewWidths(t *testing.T) {
	t.Parallel()
	widths := map[int]bool{}
	for width := 1; width <= 1024; width++ {
		padded := crop{width: width}.paddedWidth()
		widths[padded] = true
		require.Zero(t, padded%widthMultiple, "width %d", width)
		require.GreaterOrEqual(t, padded, width)
		require.Less(t, padded, width+max(widthMultiple, width/8+1), "width %d", width)
	}
	require.Len(t, widths, 40)
	require.Equal(t, maxLineWidth, crop{width: maxLineWidth}.paddedWidth())
}
