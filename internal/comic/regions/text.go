package regions

import "unicode"

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func isKana(r rune) bool {
	return unicode.In(r, unicode.Hiragana, unicode.Katakana) || r == 'ー'
}
