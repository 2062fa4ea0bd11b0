package ocr

import (
	"regexp"
	"strings"
	"unicode"
)

// dots is an ellipsis as the model reads it: it cannot count the dots of one, and tells the one character from three
// full stops by chance.
var dots = regexp.MustCompile(`[.…]{2,}`)

// lookalikes are characters of Chinese that a katakana is drawn like, with that katakana.
var lookalikes = map[rune]rune{
	'三': 'ミ', '二': 'ニ', '口': 'ロ', '力': 'カ', '工': 'エ', '夕': 'タ', '卜': 'ト', '八': 'ハ', '一': 'ー', '千': 'チ', '才': 'オ',
}

// settle corrects what the shape of a single character leaves open: the number of dots of an ellipsis, and characters
// that only their neighbors tell apart.
func settle(text string) string {
	text = dots.ReplaceAllStringFunc(text, func(s string) string {
		if s == "..." || !strings.Contains(s, ".") {
			return s
		}
		return "…"
	})
	runes := []rune(text)
	for i, r := range runes {
		kana, known := lookalikes[r]
		if known && i > 0 && isKatakana(runes[i-1]) && (i+1 == len(runes) || !unicode.Is(unicode.Han, runes[i+1])) && inWord(runes, i) {
			runes[i] = kana
		}
	}
	return string(runes)
}

// inWord reports whether the katakana before i is not alone: スミ is a word, but a single ノ before 三 may be misread.
func inWord(runes []rune, i int) bool {
	return i+1 < len(runes) && isKatakana(runes[i+1]) || i > 1 && isKatakana(runes[i-2])
}

func isKatakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
