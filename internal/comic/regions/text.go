package regions

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joinTexts joins lines by a space, or directly where either side is Chinese or Japanese.
func joinTexts(texts []string) string {
	var b strings.Builder
	last := rune(0)
	for _, t := range texts {
		t = strings.TrimSpace(t)
		if t == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(t)
		if b.Len() > 0 && !unspaced(last) && !unspaced(first) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
		last, _ = utf8.DecodeLastRuneInString(t)
	}
	return b.String()
}

// unspaced reports whether r belongs to Chinese or Japanese writing, including its punctuation.
func unspaced(r rune) bool {
	return isHan(r) || isKana(r) ||
		r >= 0x3000 && r <= 0x303F || // CJK symbols and punctuation
		r >= 0xFF00 && r <= 0xFFEF // half-width and full-width forms
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func isKana(r rune) bool {
	return unicode.In(r, unicode.Hiragana, unicode.Katakana) || r == 'ー'
}
