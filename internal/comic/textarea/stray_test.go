package textarea_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
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

// A caption crosses the side of its panel. Another bubble is cut by the bottom of the panel, and ends there.
func TestATextAcrossOneEdgeLeavesTheOthersClosed(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1000)
	frame := image.Rect(50, 50, 700, 600)
	panel(page, frame)
	panel(page, image.Rect(50, 640, 700, 950))
	panel(page, image.Rect(740, 50, 950, 950))
	fill(page, image.Rect(560, 480, 730, 590), paper)
	oval(page, image.Rect(200, 440, 520, 680), frame)
	s := find(page, words(0, image.Pt(360, 520), 160, 2), words(1, image.Pt(650, 530), 150, 2))[0]
	require.True(t, s.Bubble)
	got := bounds(t, page, s)
	require.True(t, near(t, image.Rect(200, 440, 520, 600), got), "%v", got)
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
