package translate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// opener matches the beginning of a marker, as models and pages write it.
var opener = regexp.MustCompile(`([<＜])\s*([|｜])`)

// flatten makes text safe as one segment: valid UTF-8 on one line, without control characters, and with anything that could be read as a
// marker broken up.
func flatten(text string) string {
	if isFlat(text) {
		return text // the usual case, for every page of the context
	}
	var joined string
	for line := range strings.FieldsFuncSeq(strings.ToValidUTF8(text, ""), isLineBreak) {
		line = strings.Join(strings.Fields(strings.Map(dropControl, line)), " ")
		joined = joinLines(joined, line)
	}
	return opener.ReplaceAllString(joined, "$1 $2")
}

// isFlat reports whether flatten would not change text.
func isFlat(text string) bool {
	space := true
	for _, r := range text {
		switch {
		case r == utf8.RuneError, r == '<', r == '＜', unicode.IsControl(r), isLineBreak(r):
			return false
		case unicode.IsSpace(r):
			if r != ' ' || space {
				return false
			}
			space = true
		default:
			space = false
		}
	}
	return !space || text == ""
}

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func dropControl(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case unicode.IsControl(r):
		return -1
	}
	return r
}

// joinLines joins with a space, or without one if either side is Chinese or Japanese, as regions join their lines.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	if isIdeographic(last) || isIdeographic(first) {
		return a + b
	}
	return a + " " + b
}

// isIdeographic reports whether r is written without spaces: Han, kana, and their punctuation and full-width forms.
func isIdeographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x30FF || r >= 0xFF00 && r <= 0xFFEF
}

func hasLetter(text string) bool { return strings.IndexFunc(text, unicode.IsLetter) >= 0 }

// CountCharacters estimates the tokens of a text: one for each Chinese, Japanese or Korean character, and one for four others, the usual
// order of magnitude for models' tokenizers.
func CountCharacters(text string) int {
	wide, narrow := 0, 0
	for _, r := range text {
		if isIdeographic(r) || unicode.Is(unicode.Hangul, r) {
			wide++
		} else {
			narrow++
		}
	}
	return wide + (narrow+3)/4
}
