package textarea_test

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/textarea"
)

// Two round bubbles overlap so much that there is hardly a neck. The notches of their outline show where one ends.
func TestBubblesWithAWideNeckAreDividedBetweenItsNotches(t *testing.T) {
	t.Parallel()
	page := blank(800, 700)
	panel(page, page.Rect)
	oval(page, image.Rect(200, 80, 520, 340), page.Rect)
	oval(page, image.Rect(260, 230, 600, 520), page.Rect)
	both := find(page, words(0, image.Pt(360, 190), 200, 3), words(1, image.Pt(430, 390), 200, 4))
	requireOwn(t, both)
	// The outlines cross at (273, 319) and (513, 248).
	for x := 290; x < 500; x += 15 {
		y := 319 - (x-273)*71/240
		require.True(t, both[0].Contains(x, y-10), x)
		require.True(t, both[1].Contains(x, y+10), x)
	}
}

func TestBubblesThatAPanelCutsAreDividedFromNotchToEdge(t *testing.T) {
	t.Parallel()
	page := blank(800, 800)
	frame := image.Rect(50, 50, 750, 750)
	panel(page, frame)
	oval(page, image.Rect(-120, 200, 420, 420), frame)
	oval(page, image.Rect(-160, 370, 330, 580), frame)
	requireOwn(t, find(page, words(0, image.Pt(200, 310), 240, 3), words(1, image.Pt(160, 475), 200, 3)))
}

func requireOwn(tb testing.TB, areas []*textarea.Area) {
	tb.Helper()
	for i, s := range areas {
		require.True(tb, s.Bubble, i)
		require.False(tb, s.Shared, i)
	}
}

// The corners between the spikes of a jagged bubble are not notches.
func TestTwoTextsInOneJaggedBubbleShareIt(t *testing.T) {
	t.Parallel()
	for _, spike := range []float64{18, 36} {
		page := blank(800, 700)
		panel(page, page.Rect)
		jagged(page, image.Pt(400, 350), 260, 220, spike)
		for i, s := range find(page, words(0, image.Pt(400, 270), 240, 3), words(1, image.Pt(400, 430), 240, 3)) {
			require.True(t, s.Bubble, i)
			require.True(t, s.Shared, i)
		}
	}
}

// jagged draws an ellipse with spikes.
func jagged(img *image.NRGBA, at image.Point, rx, ry, spike float64) {
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			dx, dy := float64(x-at.X), float64(y-at.Y)
			_, turn := math.Modf((math.Atan2(dy, dx)/math.Pi + 1) * 14)
			if math.Hypot(dx/rx, dy/ry) <= 1+spike/rx*math.Abs(2*turn-1) {
				img.SetNRGBA(x, y, paper)
			}
		}
	}
}
