package comic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/raster"
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

const (
	// SureReading is the probability from which a reading of a line, or of its least certain letter, is no longer in doubt: recognizers read
	// legible lettering in their scripts with a higher one.
	SureReading = 0.9
	// LeastReading is the probability below which a line is noise, like characters read where there is no text: thresholds of 0.5 to 0.8
	// keep all lettering, 0.9 loses some.
	LeastReading = 0.6
)

// SameSize is the greatest ratio of the sizes of two lines of one text. Lettering of another size is another text, such as a title, or a drawn
// sound.
const SameSize = 1.6

// columnRatio is the least ratio of height to width at which a line is read as a column.
const columnRatio = 1.5

// IsColumn reports whether an outline is high enough for a column of vertical text.
func IsColumn(q raster.Quad) bool {
	width, height := q.Sides()
	return height >= columnRatio*width
}

// Lettered reports whether r is a letter or a number, rather than a mark or a space.
func Lettered(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// Letters is the number of letters and digits of a text.
func Letters(text string) (n int) {
	for _, r := range text {
		if Lettered(r) {
			n++
		}
	}
	return n
}

// Katakana reports whether r is katakana, or the mark of a long vowel.
func Katakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }

// Kana reports whether r is hiragana or katakana, or the mark of a long vowel.
func Kana(r rune) bool { return unicode.Is(unicode.Hiragana, r) || Katakana(r) }

// Unspaced reports whether r belongs to Chinese or Japanese writing, including its punctuation.
func Unspaced(r rune) bool {
	return unicode.Is(unicode.Han, r) || Kana(r) ||
		r >= 0x3000 && r <= 0x303F || // CJK symbols and punctuation
		r >= 0xFF00 && r <= 0xFFEF // half-width and full-width forms
}
