package motioncomic

import (
	"strings"
	"unicode"
)

// charactersAMinute are the mean speeds of reading texts aloud, in characters a minute, by language (Trauzettel-Klosinski and Dietz,
// Standardized Assessment of Reading Performance: The New International Reading Speed Texts IReST, Invest. Ophthalmol. Vis. Sci. 53(9), 2012,
// 5452-5461, doi:10.1167/iovs.11-8284, table 2). People read silently somewhat faster, which leaves them time for the picture.
var charactersAMinute = map[string]float64{
	"ar": 612, "de": 920, "en": 987, "es": 1025, "fi": 1078, "fr": 998, "he": 833, "it": 950, "ja": 357, "nl": 978, "pl": 916, "pt": 913, "ru": 986,
	"sl": 885, "sv": 917, "tr": 1054, "zh": 255,
}

const (
	// alphabetic is for a language that is not in that study: 68 ms for a character, which it gives for its 14 languages whose letters are both
	// vowels and consonants.
	alphabetic = 60_000.0 / 68
	// syllabic is the speed of Japanese, for text of an unlisted language in Chinese characters, kana or hangul.
	syllabic = 357
	// look is the time for a picture beside its text, and shortest and longest bound that of a panel, in seconds.
	look, shortest, longest = 1.0, 2.0, 15.0
)

// Seconds returns how long a panel with these texts is shown.
func Seconds(texts []string, language string) float64 {
	base, _, _ := strings.Cut(language, "-")
	total := look
	for _, text := range texts {
		for _, r := range text {
			if unicode.IsSpace(r) {
				continue
			}
			rate, listed := charactersAMinute[base]
			switch {
			case listed:
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
				rate = syllabic
			default:
				rate = alphabetic
			}
			total += 60 / rate
		}
	}
	return min(max(total, shortest), longest)
}
