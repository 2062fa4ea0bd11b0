package letter_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

var black, white = color.NRGBA{0, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}

// sound returns a drawn sound of lines in boxes.
func sound(boxes ...image.Rectangle) comic.Region {
	r := source(0, boxes[0], 1, 1)
	r.Kind, r.Text, r.SourceLang = comic.KindEffect, "KRRK", "en"
	r.Lines = nil
	for _, b := range boxes {
		x0, y0, x1, y1 := float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y)
		r.Lines = append(r.Lines, raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
		r.FontSize = float64(min(b.Dx(), b.Dy()))
	}
	return r
}

// drawnOver letters a text in place of a sound that is drawn as outlined bars, and returns its report and its box.
func drawnOver(t *testing.T, page *image.NRGBA, r comic.Region, lang, text string) (letter.Lettered, image.Rectangle) {
	t.Helper()
	before, original := clone(page), lettered(page, r, white, black)
	report, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: []comic.Region{r}, Translations: translations([]string{text}), Lang: lang,
	}, letter.DefaultParams())
	require.NoError(t, err)
	var box image.Rectangle
	for _, at := range changed(before, page) {
		box = box.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
	}
	return report.Regions[0], box
}

// A sound is as large as its source and inside of its place, although that is partly between two panels.
func TestASoundFillsThePlaceOfItsSource(t *testing.T) {
	t.Parallel()
	place := image.Rect(60, 100, 360, 180)
	for _, gutter := range []image.Rectangle{{}, image.Rect(0, 90, 420, 130)} {
		page := art(420, 300)
		fill(page, gutter, white)
		if !gutter.Empty() {
			for _, edge := range []image.Rectangle{image.Rect(0, 0, 420, 12), image.Rect(0, 288, 420, 300), image.Rect(0, 0, 12, 300), image.Rect(408, 0, 420, 300)} {
				fill(page, edge, white)
			}
		}
		got, box := drawnOver(t, page, sound(place), "en", "Boom!")
		require.Equal(t, letter.Effect, got.Style)
		require.Greater(t, got.Cap, 0.7*float64(place.Dy()))
		require.True(t, box.In(place.Inset(-6)), box)
	}
}

// A slanted sound that ends at the border of its panel does not cross it, although a corner of its box does.
func TestASlantedSoundStaysInItsPanel(t *testing.T) {
	t.Parallel()
	page := art(420, 300)
	for _, r := range []image.Rectangle{
		image.Rect(0, 96, 420, 128), image.Rect(0, 0, 420, 12), image.Rect(0, 288, 420, 300), image.Rect(0, 0, 12, 300), image.Rect(408, 0, 420, 300),
	} {
		fill(page, r, white)
	}
	r := sound(image.Rect(0, 0, 1, 1))
	r.Angle, r.FontSize = -20, 60
	sin, cos := math.Sincos(r.Angle * math.Pi / 180)
	at := func(x, y float64) raster.Point { return raster.Point{210 + x*cos - y*sin, 190 + x*sin + y*cos} }
	r.Lines = []raster.Quad{{at(-130, -30), at(130, -30), at(130, 30), at(-130, 30)}}
	original := clone(page)
	for x := -130.0; x < 130; x += 0.5 {
		for y := -30.0; y < 30; y += 0.5 {
			if p := at(x, y); p[1] >= 130 && math.Mod(x+130, 26) < 8 {
				original.SetNRGBA(int(p[0]), int(p[1]), black)
			}
		}
	}
	before := clone(page)
	_, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: []comic.Region{r}, Translations: translations([]string{"BOOM!"}), Lang: "en",
	}, letter.DefaultParams())
	require.NoError(t, err)
	set := changed(before, page)
	require.NotEmpty(t, set)
	for _, p := range set {
		require.GreaterOrEqual(t, p.Y, 127, "round letters are a fraction of a pixel higher than capitals")
	}
}

// A short sound is spread over the length of its source, and a long one is set in one line all the same.
func TestASoundIsAsLongAsItsSource(t *testing.T) {
	t.Parallel()
	place := image.Rect(60, 100, 460, 150)
	for _, text := range []string{"BUZZ-BUZZ", "BUZZ-BUZZ-BUZZZZZZZZZZ"} {
		got, box := drawnOver(t, art(520, 300), sound(place), "en", text)
		require.Len(t, got.Lines, 1)
		require.Greater(t, box.Dx(), 300, text)
	}
}

// A sound that is longer than its source has narrow letters before it has small ones, whatever cells its font has.
func TestALongSoundIsCondensed(t *testing.T) {
	t.Parallel()
	place := image.Rect(60, 100, 360, 200)
	got, box := drawnOver(t, art(420, 300), sound(place), "ja", "バンバンッ!")
	require.Len(t, got.Lines, 1)
	require.Greater(t, box.Dy(), 60, box)
	require.True(t, box.In(place.Inset(-6)), box)
}

// A small sound that is slanted is set like one, and has the outline of its source although that is hardly darker than its letters.
func TestASlantedSoundKeepsItsLook(t *testing.T) {
	t.Parallel()
	page := art(420, 300)
	r := sound(image.Rect(60, 100, 360, 170))
	r.Kind, r.Angle = comic.KindFree, -12
	brown, dark := color.NRGBA{170, 100, 60, 255}, color.NRGBA{115, 65, 35, 255}
	colors := drawnColors(t, page, lettered(page, r, brown, dark), r)
	require.Greater(t, colors[brown], 30)
	require.Greater(t, colors[dark], 30)
	require.Zero(t, colors[black]+colors[white])
	got, _ := drawnOver(t, page, r, "en", "Floof!")
	require.Equal(t, letter.Effect, got.Style)
}

// Words of a sound stand below each other as those of the source do.
func TestASoundHasTheLinesOfItsSource(t *testing.T) {
	t.Parallel()
	r := sound(image.Rect(60, 60, 260, 110), image.Rect(80, 115, 280, 165), image.Rect(60, 170, 260, 220))
	got, _ := drawnOver(t, art(420, 300), r, "ja", "トポ トポ トポ")
	require.Equal(t, []string{"トポ", "トポ", "トポ"}, got.Lines)
}

// A sound in a column is set along it in a script without columns.
func TestASoundInAColumnIsSetAlongIt(t *testing.T) {
	t.Parallel()
	column := image.Rect(180, 40, 240, 340)
	r := sound(column)
	r.Direction, r.SourceLang = comic.Vertical, "ja"
	_, box := drawnOver(t, art(420, 400), r, "en", "BZZZIIOO")
	require.Greater(t, box.Dy(), 3*box.Dx(), box)
	require.True(t, box.In(column.Inset(-8)), box)
}
