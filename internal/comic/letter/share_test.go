package letter_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
)

// Two texts divide a bubble equally, as in the source, but one translation is much longer than the other.
func TestALongTextTakesTheRoomThatItsNeighborLeaves(t *testing.T) {
	t.Parallel()
	page := art(700, 900)
	bubble := image.Rect(150, 200, 550, 480)
	oval(page, bubble)
	above := source(0, image.Rect(150, 200, 550, 340), 0.5, 2)
	below := source(1, image.Rect(150, 340, 550, 480), 0.5, 2)
	report := draw(t, page, "en", []comic.Region{above, below},
		"Our town is delighted to welcome no fewer than four witches for this first edition of the great potion contest, the best of all!", "Hurrah!")
	long, short := report.Regions[0], report.Regions[1]
	require.Equal(t, letter.Fits, long.Fit, long.Lines)
	require.Equal(t, letter.Fits, short.Fit)
	require.InDelta(t, short.Size, long.Size, 0.1*short.Size)
	require.Greater(t, long.Box.Max.Y, (bubble.Min.Y+bubble.Max.Y)/2, "it extends beyond its half")
	require.Greater(t, float64(short.Box.Min.Y-long.Box.Max.Y), 0.8*short.Cap, "the two texts keep a distance")
}

// A text with too little room in a shared bubble does not make the other texts of the page smaller, because its neighbor leaves room.
func TestASharedBubbleDoesNotMakeThePageSmaller(t *testing.T) {
	t.Parallel()
	page := func(texts ...string) letter.Report {
		img := art(1000, 1400)
		var regions []comic.Region
		for i := range 3 {
			box := image.Rect(520, 60+400*i, 960, 340+400*i)
			oval(img, box)
			regions = append(regions, source(i, box, 0.6, 3))
		}
		box := image.Rect(40, 200, 440, 480)
		oval(img, box)
		regions = append(regions, source(3, image.Rect(40, 200, 440, 340), 0.5, 2), source(4, image.Rect(40, 340, 440, 480), 0.5, 2))
		return draw(t, img, "en", regions, texts...)
	}
	said := []string{"I shall come with you.", "Nobody asked you to.", "And so the two of them went."}
	alone := page(said...)
	shared := page(append(said,
		"Our town is delighted to welcome no fewer than four witches for this first edition of the great potion contest, the best of all!", "Hurrah!")...)
	require.InDelta(t, alone.DialogueSize, shared.DialogueSize, 0.05*alone.DialogueSize)
	require.InDelta(t, shared.DialogueSize, shared.Regions[3].Size, 0.1*shared.DialogueSize)
}

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
