package letter_test

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/core"
)

// The annotation of a sound effect leaves it as drawn. It is small, says a repeated word once, does not cover a bubble, and is where the
// art is calm, near the sound or farther from it.
func TestASoundIsAnnotatedBesideIt(t *testing.T) {
	t.Parallel()
	for _, beside := range []int{10, 60} {
		page := art(700, 900)
		bubble, sound := image.Rect(60, 40, 480, 240), image.Rect(180, 460, 380, 580)
		calm := image.Rect(sound.Max.X+beside, 420, 700, 620)
		fill(page, calm, color.NRGBA{150, 160, 170, 255})
		oval(page, bubble)
		dialogue, effect := source(0, bubble, 0.7, 3), source(1, sound, 1, 1)
		effect.Kind, effect.FontSize, effect.Text = comic.KindEffect, 110, "ドン"
		bare := clone(page)
		report, err := letterer(t).Draw(t.Context(), letter.Page{
			Erased: page, Original: bare, Regions: []comic.Region{dialogue}, Annotated: []comic.Region{effect}, Lang: "en",
			Translations: []core.Translation{{Index: 0, Text: "Who is there at this hour?"}, {Index: 1, Text: "Boom! Boom!"}},
		}, letter.DefaultParams())
		require.NoError(t, err)
		require.Len(t, report.Regions, 2)
		note := report.Regions[1]
		require.Equal(t, 1, note.Index)
		require.Equal(t, []string{"BOOM!"}, note.Lines)
		require.Equal(t, letter.Fits, note.Fit)
		require.Less(t, note.Cap, report.Regions[0].Cap, "it is smaller than dialogue")
		require.True(t, note.Box.In(calm), note.Box)
		require.Less(t, note.Box.Min.X-calm.Min.X, 40, "it is near the sound")
		for _, at := range changed(bare, page) {
			require.False(t, at.In(sound), "the sound stays as drawn")
		}
	}
}

// The annotation of a sound effect in a panel stands in that panel and not at its border, although the gutter beside it is calmer, and although
// the sound reaches into it. It has an outline.
func TestAnAnnotationStaysInItsPanel(t *testing.T) {
	t.Parallel()
	page := art(700, 900)
	gutter := image.Rect(0, 560, 700, 640)
	fill(page, gutter, white)
	for _, edge := range []image.Rectangle{image.Rect(0, 0, 700, 20), image.Rect(0, 880, 700, 900), image.Rect(0, 0, 20, 900), image.Rect(680, 0, 700, 900)} {
		fill(page, edge, white)
	}
	effect := sound(image.Rect(180, 470, 380, 566))
	before := clone(page)
	report, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: clone(page), Annotated: []comic.Region{effect}, Lang: "en", Translations: translations([]string{"Boom!"}),
	}, letter.DefaultParams())
	require.NoError(t, err)
	require.Len(t, report.Regions, 1)
	require.False(t, report.Regions[0].Box.Inset(-6).Overlaps(gutter), report.Regions[0].Box)
	colors := map[color.NRGBA]int{}
	for _, at := range changed(before, page) {
		colors[page.NRGBAAt(at.X, at.Y)]++
	}
	require.Greater(t, min(colors[white], colors[black]), 10, "an outline")
}

func fill(page *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	stddraw.Draw(page, r, image.NewUniform(c), image.Point{}, stddraw.Src)
}
