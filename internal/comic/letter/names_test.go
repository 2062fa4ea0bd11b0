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
