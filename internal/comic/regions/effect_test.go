package regions

import (
	"strings"
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

// inBubbleOf is a sound on a flat area of a color.
func inBubbleOf(c raster.RGB) comic.Region {
	r := region("ドキドキ", 60, 0, 0.99)
	r.Kind, r.BG = comic.KindDialogue, c
	return r
}

func TestSoundEffectsAreToldFromSpeech(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		region comic.Region
		kind   comic.RegionKind
		unread bool
	}{
		"a held sound":             {region("ズズズズ", 60, 0, 0.99), comic.KindEffect, false},
		"a sound in hiragana":      {region("ざわざわ", 60, 0, 0.99), comic.KindEffect, false},
		"a sign in katakana":       {region("コンテスト", 60, 0, 0.99), comic.KindFree, false},
		"a name in katakana":       {region("エミリー！", 60, 0, 0.99), comic.KindFree, false},
		"a shout in French":        {region("ATTENTION !", 85, 0, 0.97), comic.KindFree, false},
		"a shout in German":        {region("Achtung!", 85, 0, 0.97), comic.KindFree, false},
		"a drawn-out sound":        {region("VRRRUUUM", 85, 0, 0.97), comic.KindEffect, false},
		"a large sound":            {region("ピカーン", 60, 0, 0.99), comic.KindEffect, false},
		"a slanted sound":          {region("MOOO-Mooo", 40, -33, 0.95), comic.KindEffect, false},
		"spelled as words are":     {region("Clap Clap", 80, 0, 0.95), comic.KindFree, false},
		"a Chinese one":            {region("噼里啪啦", 80, 0, 0.95), comic.KindFree, false},
		"of dialogue's size":       {region("BAM!", 32, 0, 0.99), comic.KindFree, false},
		"a title":                  {region("雲くじらの灯台", 90, 0, 0.99), comic.KindFree, false},
		"a title in Latin":         {region("The Annual Village Fair", 60, -3, 0.99), comic.KindFree, false},
		"a shout":                  {region("HEY!", 85, 0, 0.97), comic.KindFree, false},
		"a shout in Japanese":      {region("ねえ！", 85, 0, 0.97), comic.KindFree, false},
		"a shout in Chinese":       {region("太了不起了！", 60, 0, 0.98), comic.KindFree, false},
		"a number":                 {region("40,000 Yen", 60, 0, 0.98), comic.KindFree, false},
		"large and not read":       {region("手儿子", 60, -35, 0.68), comic.KindEffect, true},
		"small and read badly":     {region("so it goes", 28, 0, 0.68), comic.KindFree, false},
		"in a white bubble":        {inBubbleOf(raster.RGB{255, 255, 255}), comic.KindDialogue, false},
		"in a bubble on old paper": {inBubbleOf(raster.RGB{244, 234, 208}), comic.KindDialogue, false},
		"on flat blue":             {inBubbleOf(raster.RGB{40, 60, 200}), comic.KindEffect, false},
		"a sound read with doubt":  {region("ガガ", 90, 0, 0.7), comic.KindEffect, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := []comic.Region{c.region}
			markKinds(all, 1754, 30)
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
	require.False(t, isEffect(flat, 30), "said in a bubble")
	flat.BG = raster.RGB{20, 20, 80}
	require.True(t, isEffect(flat, 30), "drawn on a dark sky")
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
		"credits":                    {at("Artwork by a painter", 1690, 22), true},
		"as large as speech":         {at("Translated by a fool? He was!", 1690, 29), false},
		"speech about a translation": {at("A translation of that?", 1690, 29), false},
		"a watermark":                {at("www.example.com", 10, 20), true},
		"an address that is told":    {at("It was on example.org!", 900, 30), false},
		"a list of names":            {at(strings.Repeat("Somebody, ", 70), 900, 15), true},
		"a long speech":              {at(strings.Repeat("and then, ", 70), 900, 30), false},
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
