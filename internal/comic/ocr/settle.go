package ocr

import (
	"regexp"
	"strings"
	"unicode"

	"plait/internal/comic"
)

// dots matches an ellipsis as the model reads it. The model cannot count the dots of an ellipsis, and chooses between one character and
// three full stops at random.
var dots = regexp.MustCompile(`[.…]{2,}`)

// lookalikes maps Chinese characters to the katakana that look like them.
var lookalikes = map[rune]rune{
	'三': 'ミ', '二': 'ニ', '口': 'ロ', '力': 'カ', '工': 'エ', '夕': 'タ', '卜': 'ト', '八': 'ハ', '一': 'ー', '千': 'チ', '才': 'オ',
}

// settle corrects characters that their shape leaves ambiguous: the number of dots of an ellipsis, and characters that only their
// neighbors distinguish.
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
		if known && i > 0 && comic.Katakana(runes[i-1]) && !unicode.Is(unicode.Han, afterRun(runes, i)) && inWord(runes, i) {
			runes[i] = kana
		}
		if strings.ContainsRune("ヘベペ", r) && i+1 < len(runes) && unicode.Is(unicode.Hiragana, runes[i+1]) && (i == 0 || !comic.Katakana(runes[i-1])) {
			runes[i] = r - 'ヘ' + 'へ' // the hiragana of the same shape: a word of a single katakana is rare
		}
	}
	return string(runes)
}

// afterRun returns the character after those at i that are the same, as in a drawn-out sound; 0 at the end.
func afterRun(runes []rune, i int) rune {
	for _, r := range runes[i:] {
		if r != runes[i] {
			return r
		}
	}
	return 0
}

// inWord reports whether the katakana before i is not alone: スミ is a word, but a single ノ before 三 may be misread.
func inWord(runes []rune, i int) bool {
	return i+1 < len(runes) && comic.Katakana(runes[i+1]) || i > 1 && comic.Katakana(runes[i-2])
}
