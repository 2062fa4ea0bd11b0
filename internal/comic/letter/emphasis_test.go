package letter_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

// TestEmphasis letters a bubble whose second line is bold or regular, and large or not, and translates the result. The second sentence
// of the translation looks like the second line, or is bold between tags.
func TestEmphasis(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, font string
		size       float64
		least      float64 // ratio of the strokes of the second sentence to those of the first
		most       float64
		text       string
	}{
		{"bold", "ComicNeue_700Bold", 30, 1.15, 1.8, "Personne ici ne le sait. Courez vers le port !"},
		{"bold and large", "ComicNeue_700Bold", 38, 1.3, 2.4, "Personne ici ne le sait. Courez vers le port !"},
		{"regular", "ComicNeue_400Regular", 30, 0.9, 1.1, "Personne ici ne le sait. Courez vers le port !"},
		{"bold between tags", "ComicNeue_700Bold", 30, 1.15, 1.8, "Personne ici ne le sait. <em>Courez vers le port !</em>"},
		{"only between tags", "ComicNeue_400Regular", 30, 1.15, 1.8, "Personne ici ne le sait. <em>Courez vers le port !</em>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bare := art(700, 1400)
			oval(bare, image.Rect(40, 40, 660, 360))
			original := clone(bare)
			r := comic.Region{
				Kind: comic.KindDialogue, FontSize: 30, Direction: comic.Horizontal, Alignment: comic.AlignCenter, SourceLang: "en",
				FG: raster.Black, BG: raster.White,
				Text: "Nobody here knows yet. Hurry to the harbour!", Texts: []string{"Nobody here knows yet.", "Hurry to the harbour!"},
			}
			for i, line := range []struct {
				font string
				size float64
				area comic.Area
			}{
				{"ComicNeue_400Regular", 30, comic.Area{120, 140, 580, 190}}, {c.font, c.size, comic.Area{120, 200, 580, 260}},
			} {
				one := r
				one.Lines = []raster.Quad{line.area.Quad()}
				one.Override = comic.Override{Area: line.area, Style: comic.Style{Size: line.size}}
				box := setSource(t, line.font, bare, original, one, r.Texts[i]).Inset(-3)
				r.Lines = append(r.Lines, quadOf(box))
			}
			if r.Emphasized = letter.Emphasized(original, r); c.font == "ComicNeue_700Bold" {
				require.Equal(t, []int{1}, r.Emphasized)
			} else {
				require.Empty(t, r.Emphasized)
			}
			page := clone(bare)
			report, err := letterer(t).Draw(t.Context(), letter.Page{
				Erased: page, Original: original, Regions: []comic.Region{r}, Lang: "fr",
				Translations: translations([]string{c.text}),
			}, letter.DefaultParams())
			require.NoError(t, err)
			require.Equal(t, letter.Fits, report.Regions[0].Fit)
			require.Equal(t, []string{"Personne ici ne le sait.", "Courez vers le port\u202f!"}, report.Regions[0].Lines)
			first, second := report.Regions[0], report.Regions[0]
			middle := first.Box.Min.Y + first.Box.Dy()/2
			first.Box.Max.Y, second.Box.Min.Y = middle, middle
			ratio := strokeOf(bare, page, second) / strokeOf(bare, page, first)
			require.GreaterOrEqual(t, ratio, c.least)
			require.LessOrEqual(t, ratio, c.most)
		})
	}
}

// setSource letters a line of a source in a font, and returns its box.
func setSource(t *testing.T, font string, bare, original *image.NRGBA, r comic.Region, text string) image.Rectangle {
	t.Helper()
	report, err := lettererOf(t, "latin", font).Draw(t.Context(), letter.Page{
		Erased: original, Original: bare, Regions: []comic.Region{r}, Lang: "en", Translations: translations([]string{text}),
	}, letter.DefaultParams())
	require.NoError(t, err)
	require.Len(t, report.Regions[0].Lines, 1)
	return report.Regions[0].Box
}

func quadOf(b image.Rectangle) raster.Quad {
	return comic.Area{float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y)}.Quad()
}

func TestEmphasizedPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lang, text, want string
		source                 []string
	}{
		{"first sentence", "ja", "見事！彼女は死に打ち勝った！", "[見事！]彼女は死に打ち勝った！", []string{"*Splendid!", "She has", "defied death!"}},
		{"last sentence", "fr", "Bon. Allons-y ! Tous dehors !", "Bon. Allons-y ! [Tous dehors !]", []string{"Well. Let us go!", "*Everybody out!"}},
		{
			"a name at the end", "ja", "そして最後の参加者は森の外れからきたマチルダ！", "そして最後の参加者は森の外れからきた[マチルダ！]",
			[]string{"And finally, our last", "participant, from the edge", "of the forest,", "*Mathilda!"},
		},
		{
			"the end of a sentence", "fr", "Et voici la grande, la célèbre Mathilde !", "Et voici la grande, la célèbre [Mathilde !]",
			[]string{"And here is the great,", "the famous", "*Mathilda!"},
		},
		{"after a mark as in the source", "zh-Hans", "测试一：完败！", "测试一：[完败！]", []string{"First test:", "*TOTAL FAILURE!"}},
		{"inside a sentence", "fr", "De grands applaudissements pour elle", "De grands applaudissements pour elle", []string{"Please give a", "*huge", "applause to her"}},
		{"all in one sentence", "fr", "Sortez, tous !", "Sortez, tous !", []string{"*Everybody out!", "Now, at once, please, leave."}},
		{"no emphasis", "fr", "Bon. Allons-y !", "Bon. Allons-y !", []string{"Well.", "Let us go!"}},
		{"a source without letters", "fr", "Bon.", "Bon.", []string{"*"}},
		{"only marks", "fr", "…", "…", []string{"…", "*What?!"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := letterer(t).Emphasized(c.lang, c.text, c.source...)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestTaggedPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lang, text, want string
		capitals               bool
	}{
		{"a word", "fr", "C'est <em>moi</em> !", "C’est [moi\u202f!]", false},
		{"a comma before it", "fr", "Non, <em>moi !</em>", "Non, [moi\u202f!]", false},
		{"an opening mark", "en", "run «to <em>«me</em>»", "run «to [«me»]", false},
		{"two words in capitals", "en", "run <em>to me</em> now", "RUN [TO ME] NOW", true},
		{"a phrase", "ja", "これが<em>私の</em>薬です!", "これが[私の]薬です！", false},
		{"no pair", "en", "run <em>to me", "run to me", false},
		{"no letter", "en", "run <em>…</em>", "run…", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := letterer(t).Tagged(c.lang, c.text, c.capitals)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}
