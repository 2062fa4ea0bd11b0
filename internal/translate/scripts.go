package translate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
)

// native maps the ISO 15924 script of a language to the Unicode scripts of its letters.
var native = map[string][]*unicode.RangeTable{
	"Latn": {unicode.Latin},
	"Cyrl": {unicode.Cyrillic},
	"Grek": {unicode.Greek},
	"Arab": {unicode.Arabic},
	"Hebr": {unicode.Hebrew},
	"Thai": {unicode.Thai},
	"Deva": {unicode.Devanagari},
	"Beng": {unicode.Bengali},
	"Taml": {unicode.Tamil},
	"Jpan": {unicode.Han, unicode.Hiragana, unicode.Katakana},
	"Hans": {unicode.Han, unicode.Bopomofo},
	"Hant": {unicode.Han, unicode.Bopomofo},
	"Kore": {unicode.Hangul},
}

const (
	// minForeignWords is the number of words in Latin letters from which a text in a language of another script is a sentence and not a
	// name.
	minForeignWords = 3
	// minBareHan is the length in characters from which a Japanese text without kana is more likely Chinese.
	minBareHan = 10
)

// scriptOf returns the most common script of a language, empty when it is not known.
func scriptOf(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil || tag == "" {
		return ""
	}
	script, _ := parsed.Script()
	if _, known := native[script.String()]; !known {
		return ""
	}
	return script.String()
}

// wrongScript reports whether more than half of the letters belong to a script that the target language does not use. Latin letters are
// accepted everywhere: as names, and in texts that were already Latin.
func wrongScript(text, to string) bool {
	script := scriptOf(to)
	if script == "" {
		return false
	}
	letters, foreign := 0, 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if !unicode.In(r, native[script]...) && !unicode.In(r, unicode.Latin) && r != 'ー' {
			foreign++
		}
	}
	return foreign*2 > letters
}

// doubtfulScript reports whether a text is probably in another language, although the target language may use its letters: a sentence in
// Latin letters alone where these are not native, unless the source is one too, or a long Japanese text without kana.
func doubtfulScript(source, text, to string) bool {
	script := scriptOf(to)
	switch {
	case script == "" || script == "Latn":
		return false
	case latinSentence(text) && !latinSentence(source):
		return true
	case script == "Jpan":
		ideographic, kana := letterCounts(text)
		return kana == 0 && ideographic >= minBareHan
	}
	return false
}

func latinSentence(text string) bool {
	words := 0
	for _, word := range strings.Fields(text) {
		if first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })); unicode.In(first, unicode.Latin) {
			words++
		}
	}
	return words >= minForeignWords && strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin) }) < 0
}
