package ocr

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// leastVoiced is the least probability at which a kana that differs only by its voicing mark counts as a possible reading.
const leastVoiced = 0.1

// mayBeVoiced reports whether the model hesitates between the kana that was read and the one with, or without, a voicing mark.
func (d Dictionary) mayBeVoiced(o occurrence, probabilities []float32) bool {
	kana := unvoiced(d[o.class])
	if !unicode.In(kana, unicode.Hiragana, unicode.Katakana) {
		return false
	}
	for i, p := range probabilities[o.from*len(d) : (o.to+1)*len(d)] {
		if class := i % len(d); p >= leastVoiced && class != o.class && unvoiced(d[class]) == kana {
			return true
		}
	}
	return false
}

// unvoiced is the first character of an entry, without its voicing mark.
func unvoiced(entry string) rune {
	r, _ := utf8.DecodeRuneInString(norm.NFD.String(entry))
	return r
}
