package textarea_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
)

// The box of a line is slightly larger than its ink, and extends over the edge of the panel that cuts its bubble.
func TestALineThatReachesOverTheEdgeOfItsPanel(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1000)
	frame := image.Rect(50, 50, 950, 950)
	panel(page, frame)
	oval(page, image.Rect(-60, 400, 320, 560), frame)
	s := find(page, words(0, image.Pt(140, 480), 196, 2))[0]
	require.True(t, s.Bubble)
	got := bounds(t, page, s)
	require.True(t, near(t, image.Rect(50, 400, 320, 560), got), "%v", got)
}

// A sound effect was read as the last line of the bubble beside it. The text is set in the bubble.
func TestALineBesideItsBubbleDoesNotCount(t *testing.T) {
	t.Parallel()
	page := blank(800, 800)
	panel(page, page.Rect)
	box := image.Rect(200, 200, 560, 400)
	oval(page, box, page.Rect)
	r := words(0, image.Pt(380, 300), 200, 3)
	r.Lines = append(r.Lines, raster.Quad{{500, 420}, {580, 420}, {580, 480}, {500, 480}})
	s := find(page, r)[0]
	require.True(t, s.Bubble)
	require.False(t, s.OverArt)
	got := bounds(t, page, s)
	require.True(t, near(t, box, got), "%v", got)
}

// Two flat bubbles overlap. Compared with their depth the border between them is too long for a neck, but it is shorter than the bubbles.
func TestOverlappingBubblesAreLobes(t *testing.T) {
	t.Parallel()
	page := blank(800, 600)
	panel(page, page.Rect)
	oval(page, image.Rect(80, 100, 480, 240), page.Rect)
	oval(page, image.Rect(240, 220, 640, 360), page.Rect)
	for i, s := range find(page, words(0, image.Pt(280, 170), 240, 2), words(1, image.Pt(440, 290), 240, 2)) {
		require.True(t, s.Bubble, i)
		require.False(t, s.Shared, i)
	}
}

// A sound effect that the source draws over the border of its panel is lettered inside the panel.
func TestASoundEndsWithItsPanel(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1000)
	frame := image.Rect(50, 50, 600, 950)
	panel(page, frame)
	r := words(0, image.Pt(560, 300), 200, 2)
	r.Kind = comic.KindEffect
	s := find(page, r)[0]
	require.False(t, s.Bubble)
	got := bounds(t, page, s)
	require.LessOrEqual(t, got.Max.X, frame.Max.X)
	require.Greater(t, got.Dx(), 100)
}

// The lower edge of the last line overlaps a tip of the art below the bubble, which is not a stroke of a drawing behind the text.
func TestALineThatOverlapsATipOfArt(t *testing.T) {
	t.Parallel()
	page := blank(800, 800)
	panel(page, page.Rect)
	oval(page, image.Rect(200, 180, 560, 400), page.Rect)
	panel(page, image.Rect(372, 328, 388, 400))
	s := find(page, words(0, image.Pt(380, 290), 180, 3))[0]
	require.True(t, s.Bubble)
	require.False(t, s.OverArt)
}

// A word in a large white part of a panel stays where the letterer of the source put it.
func TestAShortTextKeepsItsPlaceInALargeInterior(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1000)
	panel(page, page.Rect)
	fill(page, image.Rect(270, 330, 470, 480), paper)
	s := find(page, words(0, image.Pt(340, 420), 60, 1))[0]
	require.True(t, s.Bubble)
	require.InDelta(t, 340, s.CX, 2)
	require.InDelta(t, 420, s.CY, 2)
}
