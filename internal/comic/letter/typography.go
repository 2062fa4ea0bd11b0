package letter

import (
	"regexp"
	"strings"

	"plait/internal/comic"
)

// typography replaces typewriter marks with those of the language if their meaning is clear: three dots, two hyphens, paired quotes, the
// apostrophe.
func (t target) typography(text string) string {
	m, ok := languageMarks[t.lang]
	if !ok {
		m = englishMarks
	}
	text = hyphens.ReplaceAllLiteralString(ellipses(text), m.dash)
	text = t.quotes(text, m)
	text = t.spaceMarks(text)
	if t.ideographic() {
		text = wideMarks(text, t.script == japanese)
	}
	return text
}

// ellipses replaces a run of three or more dots with one ellipsis, and also a run of the middle dots of Chinese and Japanese. One ellipsis is
// left of those where a text that trails off is joined to one that sets in.
func ellipses(text string) string {
	return ellipsesApart.ReplaceAllString(dots.ReplaceAllString(text, "…"), "…")
}

var (
	dots          = regexp.MustCompile(`\.{3,}|・{3,}|･{3,}`)
	ellipsesApart = regexp.MustCompile(`…( …)+`)
	hyphens       = regexp.MustCompile(`-{2,}`)
	wideShouts    = regexp.MustCompile(`[！？!?]{2,}`)
	narrowShouts  = strings.NewReplacer("！", "!", "？", "?")
)

// wideMarks replaces marks after a Chinese or Japanese character, or after another such mark, with their full-width forms. A run of ! and
// ? is set narrow, as one mark.
func wideMarks(text string, japanese bool) string {
	wide := map[rune]rune{'!': '！', '?': '？', ':': '：', ';': '；', ',': '，', '.': '。'}
	if japanese {
		wide[','] = '、'
	}
	runes := []rune(text)
	for i := 1; i < len(runes); i++ {
		w, ok := wide[runes[i]]
		if ok && (comic.Unspaced(runes[i-1]) || strings.ContainsRune("…—―", runes[i-1])) {
			runes[i] = w
		}
	}
	return wideShouts.ReplaceAllStringFunc(string(runes), narrowShouts.Replace)
}
