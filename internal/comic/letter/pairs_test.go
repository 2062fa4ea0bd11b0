package letter_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

// Two bubbles that touch have texts of one size, that of the smaller bubble. Other bubbles keep the size of the page.
func TestTextsSideBySideHaveOneSize(t *testing.T) {
	t.Parallel()
	page := art(1000, 1400)
	var regions []comic.Region
	for i := range 4 {
		box := image.Rect(0, 0, 440, 280).Add(image.Pt(30+490*(i%2), 60+300*(i/2)))
		oval(page, box)
		regions = append(regions, source(i, box, 0.6, 3))
	}
	above, below := image.Rect(60, 800, 420, 900), image.Rect(150, 896, 330, 976)
	oval(page, above)
	oval(page, below)
	regions = append(regions, source(4, above, 0.6, 2), source(5, below, 0.7, 2))
	const said = "I shall come with you."
	set := draw(t, page, "en", regions, said, said, said, said, said, said).Regions
	require.Less(t, set[5].Size, 0.93*set[0].Size)
	require.InDelta(t, set[5].Size, set[4].Size, 0.01*set[5].Size)
	require.InDelta(t, set[0].Size, set[3].Size, 0.01*set[0].Size)
}
