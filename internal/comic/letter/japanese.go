package letter

import (
	"slices"
	"strings"
	"unicode"
)

// Pairs of kana that are one particle, or a verb's ending; a break falls before or after, never inside.
var kanaPairs = map[string]bool{
	"から": true, "まで": true, "より": true, "ので": true, "のに": true, "には": true, "では": true, "とは": true,
	"でも": true, "にも": true, "とも": true, "へと": true, "への": true, "です": true, "ます": true, "でき": true,
	"した": true, "して": true, "する": true, "った": true, "って": true, "ない": true, "なる": true, "もう": true,
	"でし": true, "まし": true, "ませ": true, "こと": true, "もの": true, "よう": true, "とこ": true, "ここ": true,
	"この": true, "その": true, "あの": true, "どの": true, "これ": true, "それ": true, "あれ": true, "どれ": true,
}

// endsWord reports whether the kana text[at] can only end the word before it: ん, and the う that makes the last vowel of a
// clause long, as in だろう？
func endsWord(text []rune, at int) bool {
	switch text[at] {
	case 'ん', 'ン':
		return true
	case 'う':
		return at+1 == len(text) || unicode.IsPunct(text[at+1])
	}
	return false
}

// particles of more than one word: と and に lean on what follows.
var compoundParticles = []string{"として", "という", "といっ", "とする", "について", "につき", "によって", "により", "による", "に対し", "において", "における"}

// isParted reports whether a break before text[at] takes a word from its honorific お or ご, or parts a compound particle.
func isParted(text []rune, at int) bool {
	if (text[at-1] == 'お' || text[at-1] == 'ご') && unicode.Is(unicode.Han, text[at]) {
		return true
	}
	rest := string(text[at-1 : min(at+3, len(text))])
	return slices.ContainsFunc(compoundParticles, func(p string) bool { return strings.HasPrefix(rest, p) })
}

// japaneseCost is the cost of a break inside a phrase (bunsetsu), by script: a word begins with an ideograph or katakana
// and ends with its particles in hiragana.
func japaneseCost(text []rune, at int) float64 {
	before, after := text[at-1], text[at]
	hira := func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }
	kata := func(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
	switch {
	case before == 'っ' || before == 'ッ':
		return 2 * costInWord
	case isTopicParticle(after):
		return costInWord // it leans on the word before, as no phrase begins with it
	case hira(before) && !hira(after):
		return 0.05
	case hira(before) && kanaPairs[string(text[at-1:at+1])]:
		return costInWord
	case hira(before) && isTopicParticle(before):
		return 0.6
	case kata(before) && kata(after):
		return costInName
	case hira(after):
		return costInWord
	case kata(before), kata(after):
		return 0.7
	default:
		return costInWord
	}
}

func isTopicParticle(r rune) bool {
	switch r {
	case 'は', 'が', 'を', 'に', 'で', 'と', 'も', 'へ', 'の':
		return true
	}
	return false
}
