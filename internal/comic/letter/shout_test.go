package letter_test

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

// said is a text in a bubble, as its source is set.
type said struct {
	font, text string
	size       float64
	bubble     image.Rectangle
}

// withSources draws the bubbles of texts into a page, and returns the page with the texts, and their regions.
func withSources(t *testing.T, bare *image.NRGBA, lang string, texts []said) (original *image.NRGBA, regions []comic.Region) {
	t.Helper()
	for _, s := range texts {
		oval(bare, s.bubble)
	}
	original = clone(bare)
	for i, s := range texts {
		middle := float64(s.bubble.Min.Y+s.bubble.Max.Y) / 2
		area := comic.Area{100, middle - 30, 600, middle + 30}
		r := comic.Region{
			Index: i, Text: s.text, Texts: []string{s.text}, Kind: comic.KindDialogue, Direction: comic.Horizontal, Alignment: comic.AlignCenter,
			SourceLang: lang, FontSize: s.size, FG: raster.Black, BG: raster.White,
			Lines: []raster.Quad{area.Quad()}, Override: comic.Override{Area: area, Style: comic.Style{Size: s.size}},
		}
		one := r
		one.Index = 0
		r.Lines, r.Override = []raster.Quad{quadOf(setSource(t, s.font, bare, original, one, s.text).Inset(-3))}, comic.Override{}
		regions = append(regions, r)
	}
	return original, regions
}

// A page with two bubbles of dialogue and a shout in a third, which is lettered larger or bolder, and translated. The shout keeps its
// proportion to the dialogue as far as there is room around it, condensed rather than lower, its slant, and its weight.
func TestAShoutIsSetAsItsSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, font    string
		text          string  // of the source
		size          float64 // of the source; that of dialogue is 24
		box           image.Rectangle
		least, most   float64 // size in units of that of dialogue
		bolder, leans bool
	}{
		{"large, bold and slanted", "ComicNeue_700Bold_Italic", "NOW!", 36, image.Rect(100, 600, 600, 900), 1.4, 1.6, true, true},
		{"slightly larger and bold", "ComicNeue_700Bold", "NOW!", 29, image.Rect(100, 600, 600, 900), 1.12, 1.3, true, false},
		{"large alone", "ComicNeue_400Regular", "NOW!", 36, image.Rect(100, 600, 600, 900), 1.4, 1.6, false, false},
		{"little room", "ComicNeue_700Bold_Italic", "NOW!", 36, image.Rect(275, 690, 425, 750), 1, 1.35, true, true},
		{"too narrow", "ComicNeue_700Bold_Italic", "NOW!", 36, image.Rect(275, 670, 425, 770), 1.3, 1.6, true, true},
		{"marks alone", "ComicNeue_700Bold", "?!", 36, image.Rect(100, 600, 600, 900), 1.3, 1.6, true, false},
		{"as large", "ComicNeue_400Regular", "NOW!", 24, image.Rect(100, 600, 600, 900), 0.95, 1.05, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bare := art(700, 1400)
			original, regions := withSources(t, bare, "en", []said{
				{"ComicNeue_400Regular", "Nobody hid behind the barn.", 24, image.Rect(40, 40, 660, 260)},
				{"ComicNeue_400Regular", "The harbour was quiet then.", 24, image.Rect(40, 300, 660, 520)},
				{c.font, c.text, c.size, c.box},
			})
			page := clone(bare)
			report, err := letterer(t).Draw(t.Context(), letter.Page{
				Erased: page, Original: original, Regions: regions, Lang: "fr",
				Translations: translations([]string{"Personne derrière la grange.", "Le port était calme alors.", "HHHHHH"}),
			}, letter.DefaultParams())
			require.NoError(t, err)
			said, shouted := report.Regions[0], report.Regions[2]
			require.Equal(t, letter.Fits, shouted.Fit)
			require.GreaterOrEqual(t, shouted.Size/said.Size, c.least)
			require.LessOrEqual(t, shouted.Size/said.Size, c.most)
			heavier := strokeOf(bare, page, shouted) / shouted.Size / (strokeOf(bare, page, said) / said.Size)
			require.Equal(t, c.bolder, heavier > 1.15, "%v", heavier)
			var ink []image.Point
			for _, p := range changed(bare, page) {
				if p.In(shouted.Box) {
					ink = append(ink, p)
				}
			}
			require.Equal(t, c.leans, -slope(ink, true) > 0.08, "%v", -slope(ink, true))
		})
	}
}

// The first line of an upright shout is louder, and few of its strokes stand upright. No line of the translation leans.
func TestAShoutLeansAsAWhole(t *testing.T) {
	t.Parallel()
	bare := art(1100, 1700)
	original, regions := withSources(t, bare, "en", []said{
		{"ComicNeue_400Regular", "Nobody hid behind the barn.", 24, image.Rect(40, 40, 660, 260)},
		{"ComicNeue_400Regular", "The harbour was quiet then.", 24, image.Rect(40, 300, 660, 520)},
		{"ComicNeue_700Bold", "Z//7!", 44, image.Rect(100, 600, 600, 900)},
		{"ComicNeue_700Bold", "Tell the BULL HERE!", 30, image.Rect(100, 660, 600, 960)},
	})
	shout := regions[2]
	shout.Text, shout.Texts, shout.Lines = shout.Text+" "+regions[3].Text, append(shout.Texts, regions[3].Text), append(shout.Lines, regions[3].Lines...)
	page := clone(bare)
	report, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: append(regions[:2], shout), Lang: "fr",
		Translations: translations([]string{"Personne derrière la grange.", "Le port était calme alors.", "HH HH ! IL FILE LE HHHH HIHI !"}),
	}, letter.DefaultParams())
	require.NoError(t, err)
	require.Len(t, report.Regions[2].Lines, 2)
	ink := changed(bare, page)
	ink = slices.DeleteFunc(ink, func(p image.Point) bool { return !p.In(report.Regions[2].Box) })
	for _, upper := range []bool{true, false} {
		line := slices.DeleteFunc(slices.Clone(ink), func(p image.Point) bool {
			return (p.Y < report.Regions[2].Box.Min.Y+report.Regions[2].Box.Dy()/2) != upper
		})
		require.Greater(t, upright(line, 0), 1.3*upright(line, 0.2), upper)
	}
}

// upright tells how few columns have the ink of level letters, sheared back by their lean: more for letters with that lean than for others.
func upright(ink []image.Point, lean float64) (sum float64) {
	columns := map[int]float64{}
	for _, p := range ink {
		columns[p.X+int(lean*float64(p.Y))]++
	}
	for _, n := range columns {
		sum += n * n
	}
	return sum
}

// A page whose dialogue is small because its bubbles are crowded has shouts that are as high as their source.
func TestAShoutKeepsItsHeightBesideCrowdedDialogue(t *testing.T) {
	t.Parallel()
	bare := art(1100, 1700)
	original, regions := withSources(t, bare, "en", []said{
		{"ComicNeue_400Regular", "Nobody hid there.", 24, image.Rect(200, 40, 500, 130)},
		{"ComicNeue_400Regular", "It was quiet then.", 24, image.Rect(200, 300, 500, 390)},
		{"ComicNeue_700Bold", "NOW!", 36, image.Rect(100, 600, 600, 900)},
	})
	page := clone(bare)
	report, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: regions, Lang: "fr",
		Translations: translations([]string{"Personne ne se cachait derrière la vieille grange.", "Ce jour le port était très calme et gris.", "HHHH"}),
	}, letter.DefaultParams())
	require.NoError(t, err)
	var source image.Rectangle
	for _, p := range changed(bare, original) {
		if p.In(raster.Enclosing(regions[2].Bounds())) {
			source = source.Union(image.Rectangle{Min: p, Max: p.Add(image.Pt(1, 1))})
		}
	}
	require.InEpsilon(t, source.Dy(), report.Regions[2].Box.Dy(), 0.1)
}

// Marks that people letter taper. Alone they are set as high as their source.
func TestMarksAloneAreAsHighAsTheirSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		wide     int // the widest part of a mark
	}{
		{"en", "fr", 8}, {"en", "fr", 4}, {"en", "ja", 9}, {"ja", "en", 9},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			bare := art(1100, 1700)
			texts := []string{"Nobody hid behind the barn.", "The harbour was quiet then.", "!!!"}
			oval(bare, image.Rect(100, 600, 600, 900))
			original, regions := withSources(t, bare, c.from, []said{
				{"ComicNeue_400Regular", texts[0], 24, image.Rect(40, 40, 660, 260)},
				{"ComicNeue_400Regular", texts[1], 24, image.Rect(40, 300, 660, 520)},
			})
			box := image.Rect(330, 731, 370, 769)
			for x := box.Min.X; x < box.Max.X; x += 14 {
				mark(original, image.Pt(x, box.Min.Y), c.wide)
			}
			third := regions[1]
			third.Index, third.Text, third.Texts, third.Lines = 2, texts[2], texts[2:], []raster.Quad{quadOf(box.Inset(-3))}
			regions = append(regions, third)
			page := clone(bare)
			report, err := letterer(t).Draw(t.Context(), letter.Page{
				Erased: page, Original: original, Regions: regions, Lang: c.to, Translations: translations(texts),
			}, letter.DefaultParams())
			require.NoError(t, err)
			set := report.Regions[2]
			require.InEpsilon(t, box.Dy(), set.Box.Dy(), 0.15)
		})
	}
}

// mark draws an exclamation mark 38 pixels high, whose stem tapers to a quarter of its widest part.
func mark(img *image.NRGBA, at image.Point, wide int) {
	for y := range 38 {
		w := wide - wide*y/36
		if y >= 27 && y < 38-wide {
			continue
		}
		for x := range w {
			img.SetNRGBA(at.X+(wide-w)/2+x, at.Y+y, color.NRGBA{A: 255})
		}
	}
}
