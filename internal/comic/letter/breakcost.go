package letter

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"

	"plait/internal/comic"
)

// Costs of breaks. A line whose width is off by a third of the mean costs about 1.
const (
	costAfterClause   = 0.1 // after a mark that does not end a sentence, and where a phrase begins
	costInPhrase      = 0.6 // between two words of a phrase; added after the first word of a clause
	costAfterFunction = 2.4 // after a function word
	costAfterHyphen   = 6.0
	costPerhaps       = 3.0  // added where the model hardly prefers a phrase to begin; at most, between a word in katakana and one in ideographs
	costInWord        = 12.0 // inside a phrase (Chinese, Japanese); up to twice that, the more likely it is inside a word
	// inside a given name or term, or a word, where its language hyphenates it: worse than a fifth of the size, the least margin and a tight pitch
	costDivided  = 20.0
	costAnywhere = 30.0 // anywhere inside a word of a script with spaces or in katakana, if it does not fit on a line
)

// cost returns the cost of the break before text[at].
func (b *breaker) cost(at int) float64 {
	before := b.text[at-1]
	if b.within[at] {
		return costDivided
	}
	if before == ' ' {
		return b.costAtSpace(at)
	}
	return b.costInText(at)
}

// costAtSpace returns the cost of a break at the space before text[at]. A phrase is some function words and the words after them up to the
// next function word (Liberman and Church, Text analysis and word pronunciation in text-to-speech synthesis, 1992).
func (b *breaker) costAtSpace(at int) (cost float64) {
	w := wordBefore(b.text[:at-1])
	switch {
	case endsWith(b.text[:at], endsClause):
		return 0
	case len(w) > 0 && unicode.IsPunct(w[len(w)-1]), b.square():
		return costAfterClause
	}
	if begin := at - 1 - len(w); begin < 2 || unicode.IsPunct(b.text[begin-2]) {
		cost = costInPhrase
	}
	switch {
	case b.functional(w):
		return cost + costAfterFunction
	case b.functional(firstPart(b.text[at:])):
		return cost + costAfterClause
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
	case before == '-' || before == '‐':
		return costAfterHyphen
	case unicode.IsPunct(before) && (b.phrases == nil || !unicode.In(before, unicode.Pe, unicode.Pf)):
		return 0
	case before == b.text[at]:
		return costDivided // laughter, or a reduplicated word
	case inKatakana(b.text, at):
		return costAnywhere
	case b.phrases == nil:
		return costInWord
	case comic.Katakana(before) && unicode.Is(unicode.Han, b.text[at]), unicode.Is(unicode.Han, before) && comic.Katakana(b.text[at]):
		return min(phraseCost(b.phrases[at]), costPerhaps)
	default:
		return phraseCost(b.phrases[at])
	}
}

// phraseCost converts the score of a place to the cost of a break: the less likely a phrase begins there, the higher.
func phraseCost(score float64) float64 {
	if score > 0 {
		return costAfterClause + costPerhaps*max(0, 1-score)
	}
	return costInWord * (1 + min(1, -score/2))
}

// inKatakana reports whether text[at] continues a run of katakana: one word, as the phrase model does not know every name.
func inKatakana(text []rune, at int) bool {
	return comic.Katakana(text[at-1]) && comic.Katakana(text[at])
}

// functionWords say which words of a language, in lower case, are function words: articles, prepositions, conjunctions, pronouns and
// auxiliary verbs. They are the lists of stop words of the Snowball project.
var functionWords = map[string]func(string) bool{
	"en": english.IsStopWord, "es": spanish.IsStopWord, "fr": french.IsStopWord, "hu": hungarian.IsStopWord, "nb": norwegian.IsStopWord,
	"ru": russian.IsStopWord, "sv": swedish.IsStopWord,
}

// A word counts as a function word if it has at most mostShort letters, or mostShortUnlisted in a language without a list.
const mostShort, mostShortUnlisted = 2, 3

// functional reports whether a word is a function word, or several that are joined by apostrophes.
func (t target) functional(word []rune) bool {
	letters := strings.TrimFunc(strings.ToLower(string(word)), func(r rune) bool { return !unicode.IsLetter(r) })
	known := functionWords[t.lang]
	if known == nil {
		return len([]rune(letters)) <= mostShortUnlisted
	}
	parts := strings.FieldsFunc(letters, isApostrophe)
	for _, part := range parts {
		if !known(part) && len([]rune(part)) > mostShort {
			return false
		}
	}
	return len(parts) > 0
}

// firstPart returns the word at the start of a text up to its first apostrophe.
func firstPart(text []rune) []rune {
	if i := slices.IndexFunc(text, func(r rune) bool { return r == ' ' || isApostrophe(r) }); i >= 0 {
		return text[:i]
	}
	return text
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }
