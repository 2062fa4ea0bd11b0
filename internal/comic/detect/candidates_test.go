package detect

import (
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tiles cover each candidate with its margin, and own no pixel twice.
func TestTilesCoverTheCandidates(t *testing.T) {
	t.Parallel()
	p := DefaultParams()
	whole := newProbabilityMap(760, 1075)
	candidates := []image.Rectangle{
		image.Rect(100, 80, 220, 95), image.Rect(110, 100, 200, 115), // two lines of a bubble
		image.Rect(500, 90, 640, 105), image.Rect(0, 1060, 40, 1075), // at a corner
		image.Rect(40, 500, 720, 560), // larger than a tile
	}
	for _, c := range candidates {
		for y := c.Min.Y; y < c.Max.Y; y++ {
			for x := c.Min.X; x < c.Max.X; x++ {
				whole.values[y*whole.width+x] = 40
			}
		}
	}
	const width, height, ratio = 1400, 1980, 1400.0 / 760
	tiles := p.candidateTiles(whole, ratio, width, height)
	owners := make([]int, width*height)
	area := 0
	for _, tile := range tiles {
		require.True(t, tile.owned.In(tile.seen))
		require.True(t, tile.seen.In(image.Rect(0, 0, width, height)))
		require.LessOrEqual(t, max(tile.seen.Dx(), tile.seen.Dy()), p.TileSide+p.TileOverlap)
		area += tile.seen.Dx() * tile.seen.Dy()
		for y := tile.owned.Min.Y; y < tile.owned.Max.Y; y++ {
			for x := tile.owned.Min.X; x < tile.owned.Max.X; x++ {
				owners[y*width+x]++
			}
		}
	}
	require.LessOrEqual(t, slices.Max(owners), 1)
	for _, c := range candidates {
		around := image.Rect(int(float64(c.Min.X)*ratio), int(float64(c.Min.Y)*ratio), int(float64(c.Max.X)*ratio), int(float64(c.Max.Y)*ratio))
		around = around.Inset(-p.CandidateMargin).Intersect(image.Rect(0, 0, width, height))
		for y := around.Min.Y; y < around.Max.Y; y++ {
			require.Equal(t, 1, slices.Min(owners[y*width+around.Min.X:y*width+around.Max.X]))
		}
	}
	require.Less(t, area, width*height/3)
	require.Empty(t, p.candidateTiles(newProbabilityMap(760, 1075), ratio, width, height), "there is no candidate")
}
