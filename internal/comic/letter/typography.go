package letter

import (
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
	text = t.quotes(dashes(ellipses(text), m.dash), m)
	text = t.spaceMarks(text)
	if t.ideographic() {
		text = wideMarks(text, t.script == japanese)
	}
	return text
}

// ellipses replaces a run of three or more dots with one ellipsis, and also a run of the middle dots of Chinese and Japanese. One ellipsis is
// left of those where a text that trails off is joined to one that sets in.
func ellipses(text string) string {
	for _, dot := range []string{".", "・", "･"} {
		three := strings.Repeat(dot, 3)
		for {
			at := strings.Index(text, three)
			if at < 0 {
				break
			}
			text = text[:at] + "…" + strings.TrimLeft(text[at:], dot)
		}
	}
	for strings.Contains(text, "… …") {
		text = strings.ReplaceAll(text, "… …", "…")
	}
	return text
}

// dashes replaces two or more hyphens with a dash.
func dashes(text, dash string) string {
	for {
		at := strings.Index(text, "--")
		if at < 0 {
			return text
		}
		text = text[:at] + dash + strings.TrimLeft(text[at:], "-")
	}
}

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
	narrow := map[rune]rune{'！': '!', '？': '?', '!': '!', '?': '?'}
	for i := 0; i < len(runes); {
		z := i
		for z < len(runes) && narrow[runes[z]] != 0 {
			z++
		}
		if z-i > 1 {
			for k := i; k < z; k++ {
				runes[k] = narrow[runes[k]]
			}
		}
		i = max(z, i+1)
	}
	return string(runes)
}
