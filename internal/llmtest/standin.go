package llmtest

import (
	"hash/fnv"
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// StandIn returns a translation into a script that reads like a text and means nothing, for tests of layout: every word of a source becomes
// one word in the script, Latin (the default), "zh" or "ar". Digits and punctuation stay, and so do the markers of formulas and the tags of
// styles. Length is the length of the result relative to a usual one in the script, which in Latin is that of the source. The same source has
// the same translation.
func StandIn(script string, length float64) func(source string) string {
	letters, ratio, spaces := standInScript(script)
	return func(source string) string {
		var out strings.Builder
		owed := 0.0
		for _, part := range parts.FindAllString(source, -1) {
			first, _ := utf8.DecodeRuneInString(part)
			switch {
			case unicode.IsLetter(first):
				owed += float64(utf8.RuneCountInString(part)) * ratio * length
				n := max(int(math.Round(owed)), 1)
				owed -= float64(n)
				out.WriteString(standInWord(part, n, letters))
			case unicode.IsSpace(first) && !spaces:
			default:
				out.WriteString(part)
			}
		}
		return out.String()
	}
}

// parts divides a text into markers, tags, words, spaces and everything else.
var parts = regexp.MustCompile(`\{v\d+\}|</?s\d+>|[\p{L}\p{M}]+|\s+|[^\p{L}\p{M}\s]`)

const (
	// The most frequent characters of Chinese (Jun Da, Modern Chinese Character Frequency List, 2004), and the letters of Arabic.
	han    = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实"
	arabic = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
	// The ratios are the usual lengths of Chinese and Arabic relative to English, in characters.
	hanRatio, arabicRatio = 0.33, 0.85
)

func standInScript(script string) (letters []rune, ratio float64, spaces bool) {
	switch script {
	case "zh":
		return []rune(han), hanRatio, false
	case "ar":
		return []rune(arabic), arabicRatio, true
	}
	return nil, 1, true
}

// standInWord is a word of n letters; without an alphabet, it has syllables of Latin letters and the capitals of the source.
func standInWord(source string, n int, letters []rune) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(source)) // never fails
	state := h.Sum64()
	next := func(below int) int {
		state = state*6364136223846793005 + 1442695040888963407 // the multiplier of Knuth's MMIX
		return int(state>>33) % below
	}
	word := make([]rune, n)
	for i := range word {
		switch {
		case letters != nil:
			word[i] = letters[next(len(letters))]
		case i%2 == 0:
			word[i] = rune("bdfgklmnprstvz"[next(14)])
		default:
			word[i] = rune("aeiou"[next(5)])
		}
	}
	text := string(word)
	first, size := utf8.DecodeRuneInString(source)
	switch {
	case !unicode.IsUpper(first):
		return text
	case len(source) > size && strings.ToUpper(source) == source:
		return strings.ToUpper(text)
	}
	return string(unicode.ToUpper(word[0])) + string(word[1:])
}
