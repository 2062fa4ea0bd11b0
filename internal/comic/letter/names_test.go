package letter_test

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
)

// Given names stay whole where a line would otherwise end inside them.
func TestNamesStayWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, text, name string
		box              image.Rectangle
	}{
		{"zh-Hans", "…可我为什么能从窗口看到科魔那城市呢？", "科魔那", image.Rect(100, 500, 300, 640)},
		{"en", "I saw the Wyvern-Dragon", "wyvern-dragon", image.Rect(100, 500, 250, 620)},
	} {
		page := art(560, 840)
		usual := image.Rect(60, 80, 500, 400)
		oval(page, usual)
		oval(page, c.box)
		lines := func(terms ...string) []string {
			texts := translations([]string{c.text, c.text})
			for i := range texts {
				texts[i].Terms = terms
			}
			report, err := letterer(t).LayOut(t.Context(), letter.Page{
				Erased: page, Original: page, Lang: c.lang, Translations: texts,
				Regions: []comic.Region{source(0, usual, 0.5, 3), source(1, c.box, 0.6, 2)},
			}, letter.DefaultParams())
			require.NoError(t, err)
			return report.Regions[1].Lines
		}
		name := strings.ToUpper(c.name)
		require.NotContains(t, strings.Join(lines(), "\n"), name)
		require.Contains(t, strings.Join(lines(c.name), "\n"), name)
	}
}

// A short text in quotation marks, such as a name, stays whole. A quoted sentence may be broken.
func TestQuotedNamesStayWhole(t *testing.T) {
	t.Parallel()
	wide, tall := image.Rect(100, 100, 420, 260), image.Rect(100, 100, 290, 400)
	for _, c := range []struct {
		lang, text, quote string
		box               image.Rectangle
		broken            bool
	}{
		{lang: "zh-Hant", text: "你們聽過「飛天魔藥」的故事嗎？", quote: "「飛天魔藥」", box: wide},
		{lang: "zh-Hant", text: "你們聽過「飛天魔藥」的故事嗎？", quote: "「飛天魔藥」", box: tall},
		{lang: "zh-Hans", text: "你们听过\"飞天魔药\"的故事吗？", quote: "“飞天魔药”", box: wide},
		{lang: "zh-Hans", text: "你们听过《飞天魔药》的故事吗？", quote: "《飞天魔药》", box: tall},
		{lang: "zh-Hant", text: "她說「我們明天一早就出發」", quote: "「我們明天一早就出發」", box: tall, broken: true},
		{lang: "zh-Hant", text: "她小聲說「好吧，我來」就走了", quote: "「好吧，我來」", box: tall, broken: true},
	} {
		page := art(560, 840)
		oval(page, c.box)
		set := draw(t, page, c.lang, []comic.Region{source(0, c.box, 0.5, 2)}, c.text).Regions[0]
		require.Equal(t, !c.broken, strings.Contains(strings.Join(set.Lines, "\n"), c.quote), "%s, %v: %q", c.lang, c.box, set.Lines)
	}
}
