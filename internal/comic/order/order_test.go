package order_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/order"
	"plait/internal/pipeline"
)

// comicPage is a page of paper with panels of art.
func comicPage(width, height int, paper color.Color, panels ...image.Rectangle) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	for _, p := range panels {
		draw.Draw(img, p, image.NewUniform(color.NRGBA{120, 150, 90, 255}), image.Point{}, draw.Src)
	}
	return img
}

// region is a region with one line, named by its text.
func region(name string, x0, y0, x1, y1 float64) pipeline.Region {
	return pipeline.Region{Text: name, Lines: []pipeline.Quad{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}}
}

func names(regions []pipeline.Region) string {
	s := ""
	for _, r := range regions {
		s += r.Text
	}
	return s
}

// Two rows of panels: one wide, then two beside each other.
var (
	top   = image.Rect(40, 40, 960, 600)
	left  = image.Rect(40, 630, 480, 1360)
	right = image.Rect(510, 630, 960, 1360)
)

func TestPanels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		img         *image.NRGBA
		rightToLeft bool
		want        []image.Rectangle
	}{
		"left to right":  {comicPage(1000, 1400, color.White, top, left, right), false, []image.Rectangle{top, left, right}},
		"right to left":  {comicPage(1000, 1400, color.White, top, left, right), true, []image.Rectangle{top, right, left}},
		"black paper":    {comicPage(1000, 1400, color.Black, top, left, right), false, []image.Rectangle{top, left, right}},
		"art to the rim": {comicPage(1000, 1400, color.White, image.Rect(0, 0, 1000, 1400)), false, []image.Rectangle{image.Rect(0, 0, 1000, 1400)}},
		"blank":          {comicPage(1000, 1400, color.White), false, []image.Rectangle{image.Rect(0, 0, 1000, 1400)}},
		"tiny":           {comicPage(5, 5, color.White), false, []image.Rectangle{image.Rect(0, 0, 5, 5)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := order.Panels(c.img, c.rightToLeft)
			require.Len(t, got, len(c.want))
			for i, w := range c.want {
				// A panel is known to within a few cells.
				for _, d := range []int{got[i].Min.X - w.Min.X, got[i].Min.Y - w.Min.Y, got[i].Max.X - w.Max.X, got[i].Max.Y - w.Max.Y} {
					require.LessOrEqual(t, max(d, -d), 4, "panel %d is %v, want %v", i, got[i], w)
				}
			}
		})
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	page := comicPage(1000, 1400, color.White, top, left, right)
	regions := []pipeline.Region{
		region("a", 60, 60, 300, 120), region("b", 600, 90, 900, 160), // in the top panel
		region("c", 80, 650, 300, 700), region("d", 200, 1200, 440, 1300), // left
		region("e", 600, 640, 900, 700), region("f", 540, 1000, 700, 1100), // right, beside d
	}
	for language, want := range map[string]string{"en": "abcdef", "zh-Hans": "abcdef", "ja": "baefcd", "zh-Hant": "baefcd"} {
		sorted := order.Sort(page, regions, language)
		require.Equal(t, want, names(sorted), language)
		for i, r := range sorted {
			require.Equal(t, i, r.Index)
		}
	}
	require.Empty(t, order.Sort(page, nil, "ja"))
}

func TestSortInsidePanel(t *testing.T) {
	t.Parallel()
	page := comicPage(1000, 1400, color.White, image.Rect(20, 20, 980, 1380))
	for name, c := range map[string]struct {
		regions []pipeline.Region
		en, ja  string
	}{
		"a tall one beside two": {
			[]pipeline.Region{region("a", 100, 100, 400, 200), region("b", 100, 300, 400, 400), region("c", 600, 120, 900, 390)},
			"abc", "cab",
		},
		"a staircase": {
			[]pipeline.Region{region("c", 600, 500, 900, 600), region("a", 100, 100, 400, 200), region("b", 300, 300, 600, 400)},
			"abc", "abc",
		},
		"bulging past each other": {
			[]pipeline.Region{region("b", 420, 180, 800, 300), region("a", 100, 100, 500, 200)},
			"ab", "ab",
		},
		"one row": {
			[]pipeline.Region{region("a", 100, 110, 300, 200), region("b", 350, 100, 550, 190), region("c", 600, 105, 800, 195)},
			"abc", "cba",
		},
		"outside all panels": {
			[]pipeline.Region{region("b", 100, 100, 300, 200), region("a", 100, 0, 300, 15)},
			"ab", "ab",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.en, names(order.Sort(page, c.regions, "en")))
			require.Equal(t, c.ja, names(order.Sort(page, c.regions, "ja")))
		})
	}
}
