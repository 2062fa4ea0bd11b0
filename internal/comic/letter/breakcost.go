package letter

import (
	"strings"
	"unicode"

	"plait/internal/comic"
)

// Costs of breaks. A line whose width is off by a third of the mean costs about 1.
const (
	costAfterClause   = 0.1 // after a mark that does not end a sentence
	costAfterPhrase   = 0.2 // between a word and a function word: there a phrase begins
	costInPhrase      = 0.6 // between two words of a phrase
	costAfterFunction = 2.4 // after a function word
	costAfterFirst    = 0.6 // added after the first word of a clause
	costAfterHyphen   = 6.0
	costNewPhrase     = 0.05 // where a phrase certainly begins (Chinese, Japanese)
	costPerhaps       = 3.0  // added where the model hardly prefers a phrase to begin
	costInCompound    = 4.0  // at most, between a word in katakana and one in ideographs
	costInWord        = 12.0 // inside a phrase (Chinese, Japanese); up to twice that, the more likely it is inside a word
	costInName        = 26.0 // inside a given name or term
	costDivided       = 20.0 // inside a word, where its language hyphenates it: worse than a fifth of the size, the least margin and a tight pitch
	costAnywhere      = 30.0 // anywhere inside a word of a script with spaces or in katakana, if it does not fit on a line
)

// cost returns the cost of the break before text[at].
func (b *breaker) cost(at int) float64 {
	before := b.text[at-1]
	if b.within[at] {
		return costInName
	}
	if before == ' ' {
		return b.costAtSpace(at)
	}
	return b.costInText(at)
}

// costAtSpace returns the cost of a break at the space before text[at]. A phrase is some function words, such as articles, prepositions and
// pronouns, and the words after them up to the next function word (Liberman and Church, "Text analysis and word pronunciation in
// text-to-speech synthesis", 1992).
func (b *breaker) costAtSpace(at int) (cost float64) {
	w := wordBefore(b.text[:at-1])
	switch {
	case endsWith(b.text[:at], endsClause):
		return 0
	case len(w) > 0 && unicode.IsPunct(w[len(w)-1]):
		return costAfterClause
	case b.square():
		return costAfterPhrase
	}
	if begin := at - 1 - len(w); begin < 2 || unicode.IsPunct(b.text[begin-2]) {
		cost = costAfterFirst
	}
	switch {
	case b.functional(w):
		return cost + costAfterFunction
	case b.functional(firstPart(word(b.text[at:]))):
		return cost + costAfterPhrase
	}
	return cost + costInPhrase
}

// endsWith reports whether a text ends with one of some marks, not counting spaces.
func endsWith(text []rune, marks string) bool {
	for i := len(text) - 1; i >= 0; i-- {
		if !unicode.IsSpace(text[i]) {
			return strings.ContainsRune(marks, text[i])
		}
	}
	return false
}

// endsClause are the marks at the end of a clause.
const endsClause = "!?.;:…！？。；：，、‼⁇⁈⁉"

// costInText returns the cost of a break where there is no space.
func (b *breaker) costInText(at int) float64 {
	before := b.text[at-1]
	switch {
	case isHyphen(before):
		return costAfterHyphen
	case unicode.IsPunct(before) && (b.phrases == nil || !unicode.In(before, unicode.Pe, unicode.Pf)):
		return 0
	case before == b.text[at]:
		return costInName // laughter, or a reduplicated word
	case inKatakana(b.text, at):
		return costAnywhere
	case b.phrases == nil:
		return costInWord
	case comic.Katakana(before) && unicode.Is(unicode.Han, b.text[at]), unicode.Is(unicode.Han, before) && comic.Katakana(b.text[at]):
		return min(phraseCost(b.phrases[at]), costInCompound)
	default:
		return phraseCost(b.phrases[at])
	}
}

func isHyphen(r rune) bool { return r == '-' || r == '‐' }

// phraseCost converts the score of a place to the cost of a break: the less likely a phrase begins there, the higher.
func phraseCost(score float64) float64 {
	if score > 0 {
		return costNewPhrase + costPerhaps*max(0, 1-score)
	}
	return costInWord * (1 + min(1, -score/2))
}

// inKatakana reports whether text[at] continues a run of katakana. Such a run counts as one word, because the phrase model does not know
// every name.
func inKatakana(text []rune, at int) bool {
	return comic.Katakana(text[at-1]) && comic.Katakana(text[at])
}
