package comic

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// JoinTexts joins texts by a space, or directly where either side is Chinese or Japanese. Empty ones are left out.
func JoinTexts(texts []string) string {
	var b strings.Builder
	last := rune(0)
	for _, t := range texts {
		t = strings.TrimSpace(t)
		if t == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(t)
		if b.Len() > 0 && !Unspaced(last) && !Unspaced(first) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
		last, _ = utf8.DecodeLastRuneInString(t)
	}
	return b.String()
}

// Letters is the number of letters and digits of a text.
func Letters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// Unspaced reports whether r belongs to Chinese or Japanese writing, including its punctuation.
func Unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' ||
		r >= 0x3000 && r <= 0x303F || // CJK symbols and punctuation
		r >= 0xFF00 && r <= 0xFFEF // half-width and full-width forms
}
