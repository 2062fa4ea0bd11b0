package letter_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/letter"
	"plait/internal/pipeline"
)

// Two texts share a bubble half and half, as their sources did; the translation of one is much longer than that of the other.
func TestALongTextTakesTheRoomThatItsNeighborLeaves(t *testing.T) {
	t.Parallel()
	page := art(700, 900)
	bubble := image.Rect(150, 200, 550, 480)
	oval(page, bubble)
	above := source(0, image.Rect(150, 200, 550, 340), 0.5, 2)
	below := source(1, image.Rect(150, 340, 550, 480), 0.5, 2)
	report := draw(t, page, "en", []pipeline.Region{above, below},
		"Our town is delighted to welcome no fewer than four witches for this first edition of the great potion contest, the best of all!", "Hurrah!")
	long, short := report.Regions[0], report.Regions[1]
	require.Equal(t, letter.Fits, long.Fit, long.Lines)
	require.Equal(t, letter.Fits, short.Fit)
	require.InDelta(t, short.Size, long.Size, 0.1*short.Size)
	require.Greater(t, long.Box.Max.Y, (bubble.Min.Y+bubble.Max.Y)/2, "it reaches beyond its half")
	require.Greater(t, float64(short.Box.Min.Y-long.Box.Max.Y), 0.8*short.Cap, "the two are told apart")
}
