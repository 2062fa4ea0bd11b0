package textarea_test

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
)

func TestTheInsideOfABubble(t *testing.T) {
	t.Parallel()
	page := blank(600, 600)
	panel(page, page.Rect)
	box := image.Rect(100, 200, 460, 380)
	oval(page, box, page.Rect)
	s := find(page, words(0, image.Pt(280, 290), 180, 3))[0]
	require.True(t, s.Bubble)
	got := bounds(t, page, s)
	require.True(t, near(t, box, got), "%v", got)
	require.True(t, got.In(box), "%v", got)
	require.InDelta(t, 280, s.CX, 3)
	require.InDelta(t, 290, s.CY, 3)
}

// Bubbles of the color of the paper that the edge of their panel cuts end at the edge of the panel.
func TestBubblesThatAreOpenIntoAGutter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		box      image.Rectangle
		text     image.Point
		expected image.Rectangle
	}{
		{"at the top", image.Rect(300, 420, 620, 640), image.Pt(460, 560), image.Rect(300, 500, 620, 640)},
		{"at the bottom", image.Rect(300, 760, 620, 960), image.Pt(460, 830), image.Rect(300, 760, 620, 900)},
		{"in a corner", image.Rect(-60, 410, 320, 650), image.Pt(160, 570), image.Rect(40, 500, 320, 650)},
	} {
		page := blank(1000, 1400)
		panel(page, image.Rect(40, 40, 960, 470))
		lower := image.Rect(40, 500, 960, 900)
		panel(page, lower)
		panel(page, image.Rect(40, 930, 960, 1360))
		oval(page, c.box, lower)
		s := find(page, words(0, c.text, 160, 2))[0]
		require.True(t, s.Bubble, c.name)
		got := bounds(t, page, s)
		require.True(t, near(t, c.expected, got), "%s: %v", c.name, got)
	}
}

// Two strokes of the art that reach into a gutter all but enclose the part of it that a bubble is open to.
func TestNoPartOfAGutterBelongsToABubble(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1400)
	panel(page, image.Rect(40, 40, 960, 470))
	lower := image.Rect(40, 500, 960, 900)
	panel(page, lower)
	panel(page, image.Rect(40, 930, 960, 1360))
	for _, x := range []int{281, 636} {
		panel(page, image.Rect(x, 474, x+6, 500))
	}
	oval(page, image.Rect(300, 420, 620, 640), lower)
	s := find(page, words(0, image.Pt(460, 560), 160, 2))[0]
	require.True(t, s.Bubble)
	require.InDelta(t, lower.Min.Y, bounds(t, page, s).Min.Y, slack)
}

func TestABubbleAcrossAGutterKeepsBothSides(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1000)
	panel(page, image.Rect(40, 40, 960, 480))
	panel(page, image.Rect(40, 510, 960, 960))
	box := image.Rect(300, 400, 620, 600)
	oval(page, box, page.Rect)
	s := find(page, words(0, image.Pt(460, 500), 200, 3))[0]
	require.True(t, s.Bubble)
	got := bounds(t, page, s)
	require.InDelta(t, box.Min.Y, got.Min.Y, slack)
	require.InDelta(t, box.Max.Y, got.Max.Y, slack)
	require.Less(t, got.Dx(), box.Dx()+60, "it has little of the gutter")
}

// A text stands in a low part of a bubble that is open to the page on one side and to the bubble of another text on the other. The part of the
// interior that is as wide as a line does not hold it.
func TestATextStaysWhereItStandsIfAnInteriorDoesNotHoldIt(t *testing.T) {
	t.Parallel()
	page := blank(1000, 1000)
	panel(page, image.Rect(40, 60, 960, 480))
	panel(page, image.Rect(40, 510, 960, 960))
	fill(page, image.Rect(0, 60, 330, 92), paper)
	oval(page, image.Rect(240, 20, 800, 300), image.Rect(0, 60, 1000, 1000))
	text := words(0, image.Pt(200, 75), 260, 1)
	s := find(page, text, words(1, image.Pt(520, 170), 280, 3))[0]
	x0, y0, x1, y1 := text.Bounds()
	got := bounds(t, page, s)
	require.True(t, image.Rect(int(x0), int(y0), int(x1), int(y1)).In(got), "%v", got)
}

func TestJoinedBubblesAreDividedAtTheirNeck(t *testing.T) {
	t.Parallel()
	page := blank(800, 600)
	panel(page, page.Rect)
	oval(page, image.Rect(80, 80, 380, 300), page.Rect)
	oval(page, image.Rect(340, 220, 720, 460), page.Rect)
	a, b := words(0, image.Pt(220, 190), 150, 3), words(1, image.Pt(540, 340), 200, 3)
	both := find(page, a, b)
	for i, s := range both {
		require.True(t, s.Bubble, i)
	}
	require.True(t, bounds(t, page, both[0]).In(image.Rect(80, 80, 390, 310)), bounds(t, page, both[0]))
	require.True(t, bounds(t, page, both[1]).In(image.Rect(330, 210, 720, 460)), bounds(t, page, both[1]))

	alone := find(page, a)[0]
	require.True(t, alone.Bubble)
	require.True(t, bounds(t, page, alone).In(image.Rect(80, 80, 400, 310)), "it does not have the other lobe: %v", bounds(t, page, alone))
}

func TestTwoTextsInOneBubbleDivideItHalfWay(t *testing.T) {
	t.Parallel()
	page := blank(800, 600)
	panel(page, page.Rect)
	oval(page, image.Rect(100, 60, 500, 500), page.Rect)
	both := find(page, words(0, image.Pt(300, 180), 200, 2), words(1, image.Pt(300, 380), 200, 2))
	for _, s := range both {
		require.True(t, s.Bubble)
	}
	require.InDelta(t, both[0].Count(), both[1].Count(), 0.15*float64(both[0].Count()))
	require.True(t, both[0].Contains(300, 250))
	require.True(t, both[1].Contains(300, 310))
}

func TestTextOverArtKeepsItsBox(t *testing.T) {
	t.Parallel()
	page := blank(600, 600)
	panel(page, page.Rect)
	r := words(0, image.Pt(300, 300), 200, 1)
	r.Kind, r.Angle = comic.KindFree, 12
	s := find(page, r)[0]
	require.False(t, s.Bubble)
	require.True(t, s.OverArt)
	require.Less(t, bounds(t, page, s).Dx(), 260)
}

// A sound effect is on a uniform sky between two arcs. The part of the sky between them looks like the inside of a bubble.
func TestASoundEffectKeepsItsBox(t *testing.T) {
	t.Parallel()
	page := blank(600, 300)
	fill(page, image.Rect(10, 10, 590, 290), color.NRGBA{20, 24, 70, 255})
	for _, x := range []int{150, 450} {
		fill(page, image.Rect(x, 10, x+4, 290), paper)
	}
	sound := comic.Region{
		Kind: comic.KindEffect, FontSize: 120, Direction: comic.Horizontal, SourceLang: "ja",
		Lines: []raster.Quad{{{120, 90}, {480, 90}, {480, 210}, {120, 210}}},
	}
	got := find(page, sound)[0]
	require.False(t, got.Bubble)
	for _, corner := range []image.Point{{121, 91}, {479, 91}, {479, 209}, {121, 209}} {
		require.True(t, got.Contains(corner.X, corner.Y), corner)
	}
}

func TestRemainsOfErasingInABubbleAreNotArt(t *testing.T) {
	t.Parallel()
	page := blank(600, 600)
	panel(page, page.Rect)
	box := image.Rect(100, 200, 460, 380)
	oval(page, box, page.Rect)
	fill(page, image.Rect(270, 284, 276, 296), pale)
	require.True(t, find(page, words(0, image.Pt(280, 290), 180, 3))[0].Bubble)
}

// A text on empty paper has no boundary: it stays near its position.
func TestTextOnPaperStaysNearItsLines(t *testing.T) {
	t.Parallel()
	page := blank(900, 900)
	s := find(page, words(0, image.Pt(450, 40), 200, 2))[0]
	require.False(t, s.Bubble)
	require.Nil(t, s.Wider)
	got := bounds(t, page, s)
	require.True(t, got.In(page.Rect))
	require.True(t, image.Rect(350, 11, 550, 69).In(got), "%v", got)
	require.Less(t, got.Dx(), 260)
}

func TestColumnsUseTheSamePixels(t *testing.T) {
	t.Parallel()
	page := blank(600, 600)
	panel(page, page.Rect)
	oval(page, image.Rect(100, 200, 460, 380), page.Rect)
	lines, columns := words(0, image.Pt(280, 290), 180, 3), words(0, image.Pt(280, 290), 180, 3)
	columns.Direction = comic.Vertical
	a, b := find(page, lines)[0], find(page, columns)[0]
	require.False(t, a.Frame.Columns)
	require.True(t, b.Frame.Columns)
	require.Equal(t, a.Count(), b.Count())
	require.Equal(t, bounds(t, page, a), bounds(t, page, b))
}

// On any page, a text area shares no pixel with another, and has none outside the page.
func TestAreasNeverOverlap(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		page := blank(320, 320)
		panel(page, image.Rect(rng.IntN(40), rng.IntN(40), 280+rng.IntN(40), 280+rng.IntN(40)))
		var regions []comic.Region
		for i := range 5 {
			at := image.Pt(rng.IntN(320), rng.IntN(320))
			w, h := 40+rng.IntN(80), 30+rng.IntN(50)
			oval(page, image.Rect(at.X-w, at.Y-h, at.X+w, at.Y+h), page.Rect)
			regions = append(regions, words(i, at, 20+rng.IntN(w), 1+rng.IntN(3)))
		}
		for i := range 3 {
			r := words(5+i, image.Pt(rng.IntN(320), rng.IntN(320)), 20+rng.IntN(60), 1+rng.IntN(3))
			r.Kind, r.Angle = comic.KindFree, float64(rng.IntN(40)-20)
			regions = append(regions, r)
		}
		areas := find(page, regions...)
		for i := range areas {
			for rng.IntN(2) == 0 && areas[i].Wider != nil {
				areas[i] = areas[i].Wider()
			}
		}
		// A pixel on the edge of a rotated area is partly outside of it.
		whole := func(s *textarea.Area, x, y int) bool {
			return s.Contains(x, y) && s.Contains(x-1, y) && s.Contains(x+1, y) && s.Contains(x, y-1) && s.Contains(x, y+1)
		}
		for y := -2; y < 322; y++ {
			for x := -2; x < 322; x++ {
				in := 0
				for _, s := range areas {
					if whole(s, x, y) {
						in++
					}
				}
				require.LessOrEqual(t, in, 1, "(%d, %d)", x, y)
				require.True(t, in == 0 || image.Pt(x, y).In(page.Rect), "(%d, %d)", x, y)
			}
		}
	}
}

func TestRegionsOutsideThePageOrWithoutLines(t *testing.T) {
	t.Parallel()
	page := blank(100, 100)
	outside := words(0, image.Pt(400, 400), 50, 1)
	for _, s := range find(page, outside, comic.Region{Index: 1}) {
		require.NotNil(t, s)
		require.False(t, s.Bubble)
	}
}

func TestFramesMapBothWays(t *testing.T) {
	t.Parallel()
	for _, f := range []textarea.Frame{textarea.PageFrame(), textarea.ColumnFrame(), textarea.TurnedFrame(raster.Point{120, 80}, 33)} {
		back := f.ToLocal(f.ToPage(raster.Point{17, -5}))
		require.InDelta(t, 17, back[0], 1e-9)
		require.InDelta(t, -5, back[1], 1e-9)
	}
}
