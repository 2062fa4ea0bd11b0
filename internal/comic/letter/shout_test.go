package letter_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

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
		{"marks alone", "ComicNeue_700Bold", "?!", 36, image.Rect(100, 600, 600, 900), 1.4, 1.6, true, false},
		{"as large", "ComicNeue_400Regular", "NOW!", 24, image.Rect(100, 600, 600, 900), 0.95, 1.05, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bare := art(700, 1400)
			boxes := []image.Rectangle{image.Rect(40, 40, 660, 260), image.Rect(40, 300, 660, 520), c.box}
			for _, box := range boxes {
				oval(bare, box)
			}
			original := clone(bare)
			var regions []comic.Region
			for i, text := range []string{"Nobody hid behind the barn.", "The harbour was quiet then.", c.text} {
				font, size := "ComicNeue_400Regular", 24.0
				if i == 2 {
					font, size = c.font, c.size
				}
				middle := float64(boxes[i].Min.Y+boxes[i].Max.Y) / 2
				area := comic.Area{100, middle - 30, 600, middle + 30}
				r := comic.Region{
					Index: i, Text: text, Texts: []string{text}, Kind: comic.KindDialogue, Direction: comic.Horizontal, Alignment: comic.AlignCenter,
					SourceLang: "en", FontSize: size, FG: raster.Black, BG: raster.White,
					Lines: []raster.Quad{area.Quad()}, Override: comic.Override{Area: area, Style: comic.Style{Size: size}},
				}
				one := r
				one.Index = 0
				r.Lines, r.Override = []raster.Quad{quadOf(setSource(t, font, bare, original, one, text).Inset(-3))}, comic.Override{}
				regions = append(regions, r)
			}
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
