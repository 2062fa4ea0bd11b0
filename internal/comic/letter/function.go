package letter

import (
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
)

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

// firstPart returns a word up to its first apostrophe.
func firstPart(word []rune) []rune {
	for i, r := range word {
		if isApostrophe(r) {
			return word[:i]
		}
	}
	return word
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }
