package main

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
)

// painted returns a white page with rectangles of a gray level.
func painted(level uint8, on *image.NRGBA, rects ...image.Rectangle) *image.NRGBA {
	page := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	if draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src); on != nil {
		copy(page.Pix, on.Pix)
	}
	for _, r := range rects {
		draw.Draw(page, r, image.NewUniform(color.Gray{Y: level}), image.Point{}, draw.Src)
	}
	return page
}

// testPage is a page with two glyphs in a bubble, whose outline is a line below them. bare is the page without the glyphs.
func testPage() (page, bare *image.NRGBA, glyphs []image.Rectangle, outline image.Rectangle, blocks []block) {
	outline = image.Rect(66, 110, 124, 113)
	glyphs = []image.Rectangle{image.Rect(80, 80, 90, 100), image.Rect(100, 80, 110, 100)}
	bare = painted(0, nil, outline)
	return painted(0, bare, glyphs...), bare, glyphs, outline, []block{{Box: box{78, 78, 112, 102}, Lines: []string{"HI"}}}
}

func TestScoreErased(t *testing.T) {
	t.Parallel()
	page, bare, glyphs, outline, blocks := testPage()
	far := image.Rect(250, 20, 254, 25)
	for name, c := range map[string]struct {
		erased                   *image.NRGBA
		leastDB, mostDB          float64
		clean, missed, destroyed bool
		far                      int
	}{
		"as without text":        {bare, mostDB, mostDB, true, false, false, 0},
		"nothing is erased":      {page, 0, badDB, false, true, false, 0},
		"one glyph is left":      {painted(0, bare, glyphs[0]), 0, badDB, false, false, false, 0},
		"a faint rest is clean":  {painted(240, bare, glyphs...), 20, 40, true, false, false, 0},
		"the outline is gone":    {painted(255, bare, outline), 20, mostDB, true, false, true, 0},
		"a dent in the outline":  {painted(255, bare, image.Rect(100, 110, 106, 113)), 20, mostDB, true, false, false, 0},
		"art far away is gone":   {painted(0, bare, far), mostDB, mostDB, true, false, false, far.Dx() * far.Dy()},
		"a change of one level":  {painted(254, bare, far), mostDB, mostDB, true, false, false, 0},
		"a paler outline is not": {painted(40, bare, outline), 20, mostDB, true, false, false, 0},
	} {
		got := scoreErased(c.erased, page, bare, blocks)
		require.Len(t, got.blocks, 1, name)
		b := got.blocks[0]
		require.Equal(t, "HI", b.text)
		require.Equal(t, []bool{c.clean, c.missed, c.destroyed}, []bool{b.clean, b.missed, b.destroyed}, name)
		require.GreaterOrEqual(t, b.db(), c.leastDB, name)
		require.LessOrEqual(t, b.db(), c.mostDB, name)
		require.Equal(t, c.far, got.far, name)
	}
}

func TestFiguresOfErasingPoolTheZonesOfAClass(t *testing.T) {
	t.Parallel()
	tally := eraseTally{pages: 1, far: 3, blocks: []erasedBlock{
		{class: flat, squares: 0, pixels: 100, clean: true}, {class: flat, squares: 65025, pixels: 900}, {class: art, squares: 65025, pixels: 10, missed: true},
		{class: art, squares: 65025, pixels: 5, missed: true, kept: true},
	}}
	f := tally.figures()
	require.Equal(t, classFigures{2, 30}, f.Flat)
	require.Equal(t, classFigures{1, 10}, f.Art)
	require.Zero(t, f.Mixed)
	require.InDelta(t, 29.542, f.Median, 1e-3)
	require.InDelta(t, 10, f.Least, 1e-9)
	require.InDelta(t, 0.333, f.Clean, 1e-9)
	require.Equal(t, []int{4, 1, 1, 1, 0, 3}, []int{f.Blocks, f.Bad, f.Missed, f.Kept, f.Destroyed, f.Far})
}

func TestClassOf(t *testing.T) {
	t.Parallel()
	page, bare, glyphs, _, blocks := testPage()
	require.Equal(t, flat, classOf(findGlyphs(page, bare, blocks).of[0], bare))
	touched := image.Rect(60, 96, 180, 99)
	stripes := make([]image.Rectangle, 0, 20)
	for y := 60; y < 120; y += 6 {
		stripes = append(stripes, image.Rect(60, y, 180, y+3))
	}
	for want, ground := range map[class]*image.NRGBA{mixed: painted(128, nil, touched), art: painted(128, nil, stripes...)} {
		require.Equal(t, want, classOf(findGlyphs(painted(0, ground, glyphs...), ground, blocks).of[0], ground))
	}
}

func TestGlyphsBelongToTheNearestBlock(t *testing.T) {
	t.Parallel()
	a, b, none := image.Rect(20, 20, 30, 40), image.Rect(60, 20, 70, 40), image.Rect(200, 150, 210, 170)
	speck := image.Rect(100, 100, 101, 103)
	bare := painted(0, nil)
	g := findGlyphs(painted(0, bare, a, b, none, speck), bare, []block{
		{Box: box{18, 18, 45, 42}}, {Box: box{58, 18, 72, 42}}, {Box: box{90, 90, 110, 110}},
	})
	require.Equal(t, a, g.of[0].Bounds())
	require.Equal(t, b, g.of[1].Bounds())
	require.Nil(t, g.of[2], "three pixels are noise")
	require.Equal(t, a.Dx()*a.Dy()*3, g.all.Count(), "glyphs outside of blocks are glyphs all the same")
}

func TestRegionsWithABlockAreErased(t *testing.T) {
	t.Parallel()
	at := func(index int, x0, y0, x1, y1 float64) comic.Region {
		return comic.Region{Index: index, Lines: []raster.Quad{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}, Kind: comic.KindDialogue}
	}
	regions := []comic.Region{at(0, 0, 0, 100, 20), at(1, 0, 100, 100, 120), at(2, 0, 200, 100, 220)}
	blocks := []block{{Box: box{5, 2, 95, 18}, Lines: []string{"Up", "here"}}, {Box: box{90, 115, 190, 135}, Lines: []string{"Beside"}}}
	got := matched(regions, blocks)
	require.Len(t, got, 1)
	require.Zero(t, got[0].Index)

	// A translation is given to the region that it overlaps, however little, if the region has no other.
	var texts []string
	for _, text := range pairTexts(regions, blocks) {
		texts = append(texts, text.Text)
	}
	require.Equal(t, []string{"Up here", "Beside", ""}, texts)
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	values := []float64{4, 1, 3, 2}
	require.InDelta(t, 1, quantile(values, 0), 1e-9)
	require.InDelta(t, 2.5, median(values), 1e-9)
	require.InDelta(t, 1.3, quantile(values, 0.1), 1e-9)
	require.InDelta(t, 4, quantile(values, 1), 1e-9)
	require.Zero(t, quantile(nil, 0.5))
	require.True(t, slices.Equal(values, []float64{4, 1, 3, 2}), "the values stay in order")
}
