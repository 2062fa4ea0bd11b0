package regions

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
)

func region(text string, size, angle, prob float64) comic.Region {
	return comic.Region{
		Text: text, Texts: []string{text}, Kind: comic.KindFree, FontSize: size, Angle: angle, Prob: prob,
		Lines: []raster.Quad{{{100, 100}, {200, 100}, {200, 100 + size}, {100, 100 + size}}},
	}
}

func TestSoundEffectsAreToldFromSpeech(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		region comic.Region
		kind   comic.RegionKind
		unread bool
	}{
		"a held sound":            {region("ズズズズ", 60, 0, 0.99), comic.KindEffect, false},
		"a sound in hiragana":     {region("ざわざわ", 60, 0, 0.99), comic.KindEffect, false},
		"a sign in katakana":      {region("コンテスト", 60, 0, 0.99), comic.KindFree, false},
		"a name in katakana":      {region("ペッパー！", 60, 0, 0.99), comic.KindFree, false},
		"a shout in French":       {region("ATTENTION !", 85, 0, 0.97), comic.KindFree, false},
		"a shout in German":       {region("Achtung!", 85, 0, 0.97), comic.KindFree, false},
		"a drawn-out sound":       {region("BZZZIIOO", 85, 0, 0.97), comic.KindEffect, false},
		"without a vowel":         {region("Pst!", 85, 0, 0.97), comic.KindEffect, false},
		"a large sound":           {region("ピカーン", 60, 0, 0.99), comic.KindEffect, false},
		"a slanted sound":         {region("CAW-CAW-Caa", 40, -33, 0.95), comic.KindEffect, false},
		"a repeated one":          {region("Clap Clap", 80, 0, 0.95), comic.KindEffect, false},
		"a Chinese one":           {region("噼里啪啦", 80, 0, 0.95), comic.KindEffect, false},
		"of dialogue's size":      {region("BAM!", 32, 0, 0.99), comic.KindFree, false},
		"a title":                 {region("雲くじらの灯台", 90, 0, 0.99), comic.KindFree, false},
		"a title in Latin":        {region("Komona Potion Contest", 60, -3, 0.99), comic.KindFree, false},
		"a shout":                 {region("HEY!", 85, 0, 0.97), comic.KindFree, false},
		"a shout in Japanese":     {region("ねえ！", 85, 0, 0.97), comic.KindFree, false},
		"a shout in Chinese":      {region("精彩绝伦！", 60, 0, 0.98), comic.KindFree, false},
		"a number":                {region("50,000 KO", 60, 0, 0.98), comic.KindFree, false},
		"large and not read":      {region("手儿子", 60, -35, 0.68), comic.KindEffect, true},
		"small and read badly":    {region("so it goes", 28, 0, 0.68), comic.KindFree, false},
		"a sound read with doubt": {region("ガガ", 90, 0, 0.7), comic.KindEffect, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := []comic.Region{c.region}
			markEffects(all, 30, nil)
			require.Equal(t, c.kind, all[0].Kind)
			require.Equal(t, c.unread, all[0].Unread)
			require.Equal(t, c.region.Texts, all[0].Texts)
			if c.unread {
				require.Empty(t, all[0].Text)
			} else {
				require.Equal(t, c.region.Text, all[0].Text)
			}
		})
	}
	flat := region("ボオオーン", 90, 0, 0.99)
	flat.Kind, flat.BG = comic.KindDialogue, raster.RGB{250, 250, 245}
	require.False(t, isEffect(flat, 30, look{}), "said in a bubble")
	require.True(t, isEffect(flat, 30, look{drawn: true, outlined: true}), "white as paper inside an outline")
	flat.BG = raster.RGB{20, 20, 80}
	require.True(t, isEffect(flat, 30, look{}), "drawn on a dark sky")
}

func TestPageFurnitureIsMarked(t *testing.T) {
	t.Parallel()
	at := func(text string, y, size float64) comic.Region {
		r := region(text, size, 0, 0.99)
		r.Lines[0] = raster.Quad{{100, y}, {200, y}, {200, y + size}, {100, y + size}}
		return r
	}
	for name, c := range map[string]struct {
		region comic.Region
		want   bool
	}{
		"a page number":              {at("- 12 -", 1700, 25), true},
		"a number in the story":      {at("12", 900, 25), false},
		"credits":                    {at("Artwork and story by a painter", 1690, 22), true},
		"credits as large as speech": {at("Artwork by one painter, translation by another", 1690, 29), true},
		"speech about a translation": {at("A translation of that?", 1690, 29), false},
		"a watermark":                {at("www.example.com", 10, 20), true},
		"a watermark over the art":   {at("Comics-Example.org", 900, 40), true},
		"an address that is told":    {at("It was on example.org!", 900, 30), false},
		"an imprint in small print":  {at("Story: A. Writer Letters: C. Letterer. All rights reserved.", 1500, 15), true},
		"rights that are spoken of":  {at("All rights reserved? By whom?", 1500, 30), false},
		"who translated":             {at("Translated by: Example Scans", 20, 23), true},
		"who was translated":         {at("He was translated by a fool.", 900, 30), false},
		"a caption at the edge":      {at("Meanwhile, at home", 1690, 30), false},
		"a bubble at the top":        {at("All the way from the lands of the moon", 20, 30), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, isFurniture(c.region, 1754, 30))
		})
	}
}

func TestSoundsDrawnWithAnOutlineAreNoLinesOfTheTextBesideThem(t *testing.T) {
	t.Parallel()
	page := image.NewNRGBA(image.Rect(0, 0, 600, 600))
	for i := range page.Pix {
		page.Pix[i] = 255
	}
	line := func(y float64, text string, outlined bool) Line {
		return Line{
			Quad: raster.Quad{{100, y}, {300, y}, {300, y + 30}, {100, y + 30}}, Text: text, Prob: 0.95, Drawn: true, Outlined: outlined,
		}
	}
	for name, c := range map[string]struct {
		outlined bool
		regions  int
	}{"a sound": {true, 2}, "a line in white": {false, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := Group(t.Context(), Page{
				Image: page, Lines: []Line{line(100, "コリアンダーは", false), line(136, "死を否定しました", c.outlined)}, Language: "ja",
			})
			require.NoError(t, err)
			require.Len(t, found, c.regions)
		})
	}
}

func TestLetteringDrawnWithAnOutlineIsAnEffectUnlessItIsRead(t *testing.T) {
	t.Parallel()
	page := image.NewNRGBA(image.Rect(0, 0, 600, 600))
	for i := range page.Pix {
		page.Pix[i] = uint8(i*i/7 + i/600)
	}
	at := func(text string, prob float64, drawn bool) Line {
		return Line{Quad: raster.Quad{{100, 100}, {160, 100}, {160, 130}, {100, 130}}, Text: text, Prob: prob, Drawn: drawn}
	}
	for name, c := range map[string]struct {
		line  Line
		found bool
		text  string
	}{
		"not read":                {at("OOIIE", 0.4, true), true, ""},
		"read with doubt":         {at("OOIIE", 0.7, true), true, ""},
		"a character in doubt":    {at("啪", 0.65, true), true, ""},
		"a sound":                 {at("Clap", 0.97, true), true, "Clap"},
		"without an outline":      {at("OOIIE", 0.4, false), false, ""},
		"a character without one": {at("啪", 0.65, false), false, ""},
		"a mark in white on dark": {at("O", 0.95, true), false, ""},
		"letters in doubt":        {at("OG", 0.72, false), false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := Group(t.Context(), Page{Image: page, Lines: []Line{c.line}, Language: "zh-Hans"})
			require.NoError(t, err)
			if !c.found {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, comic.KindEffect, found[0].Kind)
			require.Equal(t, c.text, found[0].Text)
			require.Equal(t, c.text == "", found[0].Unread)
		})
	}
}

func TestKanaDrawnWithAnOutlineAndReadAsCharactersIsAnEffect(t *testing.T) {
	t.Parallel()
	at := func(text string, prob float64) comic.Region {
		r := region(text, 30, 0, prob)
		r.SourceLang = "ja"
		return r
	}
	outlined, light := look{drawn: true, outlined: true}, look{drawn: true}
	for name, c := range map[string]struct {
		region comic.Region
		look   look
		kind   comic.RegionKind
	}{
		"characters for kana":      {at("于于", 0.93), outlined, comic.KindEffect},
		"a digit for a stroke":     {at("1", 0.99), outlined, comic.KindEffect},
		"a shout":                  {at("危険！", 0.98), outlined, comic.KindFree},
		"a shout in kana":          {at("だめだ！", 0.9), outlined, comic.KindFree},
		"white characters on dark": {at("于于", 0.93), light, comic.KindFree},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := []comic.Region{c.region}
			markEffects(all, 30, map[raster.Quad]look{c.region.Lines[0]: c.look})
			require.Equal(t, c.kind, all[0].Kind)
			require.Equal(t, c.kind == comic.KindEffect, all[0].Unread)
		})
	}
}
