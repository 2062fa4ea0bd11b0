package detect

import (
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyTilesInDoubtAreRun(t *testing.T) {
	t.Parallel()
	p := DefaultParams()
	const width, height = 1400, 1980
	for _, c := range []struct {
		name        string
		core        image.Rectangle
		probability uint8
		doubtful    bool
	}{
		{"nothing", image.Rectangle{}, 0, false},
		{"a clear line", image.Rect(450, 30, 530, 40), 250, false},
		{"an uncertain line", image.Rect(450, 30, 530, 40), 160, true},
		{"a faint mark", image.Rect(450, 30, 530, 40), 10, true},
		{"a small line", image.Rect(450, 30, 530, 34), 250, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole := image.NewGray(image.Rect(0, 0, 720, 1018))
			ratio := float64(width) / float64(whole.Stride)
			for y := c.core.Min.Y; y < c.core.Max.Y; y++ {
				for x := c.core.Min.X; x < c.core.Max.X; x++ {
					whole.Pix[y*whole.Stride+x] = c.probability
				}
			}
			tiles := p.cut(width, height)
			run, believed := p.divide(tiles, whole, p.cores(whole), ratio)
			require.ElementsMatch(t, tiles, append(slices.Clone(run), believed.tiles...))
			at := func(v int) int { return int(float64(v) * ratio) }
			scaled := image.Rect(at(c.core.Min.X), at(c.core.Min.Y), at(c.core.Max.X), at(c.core.Max.Y))
			for _, tile := range tiles {
				if c.doubtful && tile.owned.Overlaps(scaled) {
					require.Contains(t, run, tile)
				}
				if !c.doubtful || !tile.owned.Overlaps(scaled.Inset(-2*p.CandidateMargin)) {
					require.Contains(t, believed.tiles, tile)
				}
			}
		})
	}
}

func TestTheRestOfAMapIsEnlargedFromTheReducedPage(t *testing.T) {
	t.Parallel()
	whole := image.NewGray(image.Rect(0, 0, 3, 2))
	copy(whole.Pix, []uint8{0, 100, 200, 0, 100, 200})
	m := image.NewGray(image.Rect(0, 0, 6, 4))
	reduced{whole, []tile{{owned: image.Rect(2, 1, 6, 3)}}, 2}.fill(m)
	require.Equal(t, []uint8{
		0, 0, 0, 0, 0, 0,
		0, 0, 75, 125, 175, 200,
		0, 0, 75, 125, 175, 200,
		0, 0, 0, 0, 0, 0,
	}, m.Pix)
}
