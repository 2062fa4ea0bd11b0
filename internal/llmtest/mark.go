package llmtest

import (
	"strings"
	"unicode/utf16"
)

// Sixteen consonants and four vowels spell 16 bits as consonant, vowel, consonant, vowel, consonant (D. S. Wilkerson, "A
// Proposal for Proquints", 2009).
const (
	consonants = "bdfghjklmnprstvz"
	vowels     = "aiou"
)

// spelled is the prefix of a text that is spelled and not rotated.
const spelled = "~ "

// Mark is a meaningless translation: Latin words, never equal to a source with letters, and reversible by Unmark. ASCII text is rotated by
// 13 letters; any other is spelled, with one word per UTF-16 unit.
func Mark(source string) string {
	if isASCII(source) && !strings.HasPrefix(source, spelled) {
		return strings.Map(rotate, source)
	}
	var words []string
	for _, unit := range utf16.Encode([]rune(source)) {
		words = append(words, string([]byte{
			consonants[unit>>12], vowels[unit>>10&3], consonants[unit>>6&15], vowels[unit>>4&3], consonants[unit&15],
		}))
	}
	return spelled + strings.Join(words, " ")
}

// Unmark returns the source of a text that Mark made.
func Unmark(marked string) string {
	words, found := strings.CutPrefix(marked, spelled)
	if !found {
		return strings.Map(rotate, marked)
	}
	var units []uint16
	for _, w := range strings.Fields(words) {
		if len(w) != 5 {
			continue
		}
		at := func(letters string, i int) uint16 { return uint16(max(strings.IndexByte(letters, w[i]), 0)) }
		units = append(units, at(consonants, 0)<<12|at(vowels, 1)<<10|at(consonants, 2)<<6|at(vowels, 3)<<4|at(consonants, 4))
	}
	return string(utf16.Decode(units))
}

func rotate(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0
}
