package detect

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyTilesWithCandidatesAreRun(t *testing.T) {
	t.Parallel()
	p := DefaultParams()
	const width, height = 1400, 1980
	whole := newProbabilityMap(620, 877)
	ratio := float64(width) / float64(whole.width)
	require.Empty(t, p.withCandidates(p.cut(width, height), whole, ratio), "there is no candidate")
	candidate := image.Rect(400, 30, 460, 40)
	for y := candidate.Min.Y; y < candidate.Max.Y; y++ {
		for x := candidate.Min.X; x < candidate.Max.X; x++ {
			whole.values[y*whole.width+x] = 40
		}
	}
	scaled := image.Rect(int(400*ratio), int(30*ratio), int(460*ratio), int(40*ratio))
	kept := p.withCandidates(p.cut(width, height), whole, ratio)
	for _, tile := range p.cut(width, height) {
		if tile.owned.Overlaps(scaled) {
			require.Contains(t, kept, tile)
		}
		if !tile.owned.Overlaps(scaled.Inset(-2 * p.CandidateMargin)) {
			require.NotContains(t, kept, tile)
		}
	}
}
