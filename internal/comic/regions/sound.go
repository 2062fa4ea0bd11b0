package regions

import (
	"slices"
	"strings"
	"unicode"

	"plait/internal/comic"
)

// isSound reports whether the spelling of a text is that of a sound and nothing else: drawn-out letters, repeated units of kana. A sound
// spelled like other words is translated like them.
func isSound(text string) bool {
	if strings.ContainsFunc(text, unicode.IsDigit) {
		return false
	}
	pieces := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && c != 'ー' })
	return len(pieces) > 0 && !slices.ContainsFunc(pieces, func(p string) bool { return !isSoundWord(p) })
}

func isSoundWord(word string) bool {
	runes := []rune(word)
	all := func(in func(rune) bool) bool {
		return !slices.ContainsFunc(runes, func(c rune) bool { return !in(c) })
	}
	switch {
	case all(comic.Kana):
		return repeats(runes) || all(comic.Katakana) && (len(runes) <= 2 || endsAsSound(runes))
	case all(func(c rune) bool { return unicode.Is(unicode.Latin, c) }):
		return drawnOut(runes)
	}
	return false
}

// repeats reports whether kana repeats a unit, as in どきどき, or holds a vowel, as in グアアア.
func repeats(runes []rune) bool {
	for size := 1; size <= len(runes)/2; size++ {
		if len(runes) >= 3 && slices.Equal(runes[size:], runes[:len(runes)-size]) {
			return true
		}
	}
	return drawnOut(runes) || strings.Contains(string(runes), "ーー")
}

// endsAsSound reports whether katakana ends as sounds do and words rarely do: in a small tsu, in a syllable held after a small vowel, or,
// if it is short, in an n.
func endsAsSound(runes []rune) bool {
	last, before := runes[len(runes)-1], runes[len(runes)-2]
	switch last {
	case 'ッ':
		return true
	case 'ー':
		return strings.ContainsRune("ァィゥェォャュョ", before)
	case 'ン':
		return len(runes) <= 3 || before == 'ー'
	}
	return false
}

// drawnOut reports whether a letter occurs three times in a row.
func drawnOut(runes []rune) bool {
	same := 1
	for i := 1; i < len(runes); i++ {
		if runes[i] != runes[i-1] {
			same = 0
		}
		if same++; same == 3 {
			return true
		}
	}
	return false
}
