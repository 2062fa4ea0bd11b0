package scripts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/ocr"
	"plait/internal/comic/scripts"
	"plait/internal/raster"
)

// The readings are what the base recognizer gives for pages in such scripts.
func TestForeignPages(t *testing.T) {
	t.Parallel()
	type line struct {
		text          string
		prob          float64
		width, height float64
	}
	for name, c := range map[string]struct {
		lines []line
		want  bool
	}{
		"Hangul":              {[]line{{"", 0, 230, 46}, {"？", 0.5, 220, 46}, {".", 0.76, 300, 46}, {"!", 0.65, 110, 46}}, true},
		"Cyrillic":            {[]line{{"  ?", 0.97, 300, 40}, {"HE 3HAHO,", 0.93, 220, 40}, {" ", 1, 160, 40}, {"TTOCMOTPETb", 0.96, 260, 40}, {"XOPOLO!", 0.94, 170, 40}}, true},
		"Hebrew":              {[]line{{"TixD j1un a7'7a", 0.64, 300, 44}, {" a ,", 0.47, 280, 44}}, true},
		"Latin":               {[]line{{"très sombre...", 0.99, 240, 42}, {"Où ça?", 0.98, 120, 40}, {"...", 0.9, 110, 40}}, false},
		"Japanese in columns": {[]line{{"雲くじらの子ども", 0.99, 40, 320}, {"だ。", 0.98, 40, 80}}, false},
		"drawn effects beside dialogue": {[]line{
			{"", 0, 400, 120}, {"P l", 0.3, 500, 110}, {"", 0, 420, 118}, {"もう寝よう", 0.99, 200, 40}, {"はい。", 0.99, 110, 40},
		}, false},
		"one line lost": {[]line{{"", 0, 160, 40}, {"Vâng, ngon", 0.99, 250, 40}, {"phåi không?", 0.95, 250, 40}}, false},
		"nothing":       {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p scripts.Page
			for _, l := range c.lines {
				p.Quads = append(p.Quads, raster.Quad{{0, 0}, {l.width, 0}, {l.width, l.height}, {0, l.height}})
				p.Readings = append(p.Readings, ocr.Reading{Text: l.text, Prob: l.prob})
			}
			require.Equal(t, c.want, p.Foreign())
		})
	}
}
