package textarea_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
	"plait/internal/comic/textarea"
)

// A note below a panel ends where the panel does. The box of its line, as detectors give it, extends beyond.
func TestANoteEndsAtTheEdgeOfItsPanel(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1000)
	panel(page, image.Rect(40, 40, 960, 480))
	panel(page, image.Rect(40, 520, 960, 960))
	original := blank(1000, 1000)
	copy(original.Pix, page.Pix)
	fill(original, image.Rect(680, 492, 958, 508), color.NRGBA{A: 255})
	note := words(0, image.Pt(820, 500), 310, 1)
	note.Kind = comic.KindFree
	s := textarea.Find(page, original, readingorder.Look(page), []comic.Region{note}, func(comic.Region) bool { return false })[0]
	require.True(t, s.InGutter())
	for _, width := range []float64{100, 278, 400} {
		require.InDelta(t, 959, s.Start(width)+width, 2, width)
	}
	require.LessOrEqual(t, bounds(t, page, s).Max.X, 961)
}
