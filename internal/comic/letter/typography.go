package letter

import "strings"

// typography puts the marks of the language for those of a typewriter, where their meaning is plain: three dots, two
// hyphens, quotes that come in pairs, the apostrophe.
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

// ellipses: a run of three dots or more is one ellipsis; of Chinese and Japanese middle dots, too.
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
	return text
}

// dashes: two hyphens or three are a dash.
func dashes(text, dash string) string {
	for {
		at := strings.Index(text, "--")
		if at < 0 {
			return text
		}
		text = text[:at] + dash + strings.TrimLeft(text[at:], "-")
	}
}

// wideMarks are the full-width forms of marks that follow a Chinese or Japanese character, or another such mark. A pair of
// ! and ? is set narrow, as one mark.
func wideMarks(text string, japanese bool) string {
	wide := map[rune]rune{'!': '！', '?': '？', ':': '：', ';': '；', ',': '，', '.': '。'}
	if japanese {
		wide[','] = '、'
	}
	runes := []rune(text)
	for i := 1; i < len(runes); i++ {
		w, ok := wide[runes[i]]
		if ok && (isWide(runes[i-1]) || strings.ContainsRune("…—―", runes[i-1])) {
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
