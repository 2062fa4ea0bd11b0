package letter_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

// In a wide bubble a text stands where its source stood. One that is longer than the room on both sides of that place stands beside it, rather
// than much smaller.
func TestALongerTextStandsBesideThePlaceOfItsSource(t *testing.T) {
	t.Parallel()
	page := art(960, 1400)
	const said = "I shall come with you."
	var texts []string
	var regions []comic.Region
	for i := range 8 {
		box := image.Rect(20, 20, 280, 190).Add(image.Pt(310*(i%3), 220*(i/3)))
		oval(page, box)
		regions, texts = append(regions, source(i, box, 0.5, 2)), append(texts, said)
	}
	caption(page, image.Rect(100, 700, 500, 752))
	regions = append(regions, source(8, image.Rect(145, 700, 265, 752), 0.6, 1))
	set := draw(t, page, "en", regions, append(texts, "Unquestionable!")...).Regions
	require.Greater(t, set[8].Size, 0.93*set[0].Size)
	require.Greater(t, set[8].Box.Min.X, 103)
}
