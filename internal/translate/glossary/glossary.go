// Package glossary contains the required translations of names and terms: it reads them from CSV, TSV or JSON, finds them in texts, checks
// translations for them, and suggests entries from earlier translations.
package glossary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/width"

	"plait/internal/core"
)

// Entry is one term.
type Entry struct {
	Source string `json:"source"`
	// Target is the translation of the term; it is empty for a term to keep.
	Target string `json:"target,omitempty"`
	// Case makes source and target case-sensitive.
	Case bool `json:"case,omitempty"`
	// PartOfSpeech and Note are for the model: "name", "she is the older sister".
	PartOfSpeech string `json:"part_of_speech,omitempty"`
	Note         string `json:"note,omitempty"`
	// Keep means that the term is not translated.
	Keep bool `json:"keep,omitempty"`
}

// Wanted returns the text that a translation should contain.
func (e Entry) Wanted() string {
	if e.Keep {
		return e.Source
	}
	return e.Target
}

// maxOccurring bounds the entries that are sent with one page.
const maxOccurring = 100

// Occurring returns the entries whose source occurs in any of the texts, the longest first, so that a term precedes its parts.
func Occurring(entries []Entry, texts []string) []Entry {
	var found []Entry
	for _, e := range entries {
		if slices.ContainsFunc(texts, e.occursIn) {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b Entry) int { return utf8.RuneCountInString(b.Source) - utf8.RuneCountInString(a.Source) })
	return found[:min(len(found), maxOccurring)]
}

// Violated returns the entries that occur in the source and whose target is missing in the translation. A term within a longer term that
// also occurs is not required.
func Violated(entries []Entry, source, translation string) []Entry {
	var violated []Entry
	left := source
	for _, e := range Occurring(entries, []string{source}) {
		if !e.occursIn(left) {
			continue
		}
		left = strings.ReplaceAll(left, e.Source, "\n")
		if !holds(translation, e) {
			violated = append(violated, e)
		}
	}
	return violated
}

func (e Entry) occursIn(text string) bool { return contains(text, e.Source, e.Case) }

// form normalizes text for comparisons: without differences of width, nor of case unless exact.
func form(text string, exact bool) string {
	text = width.Fold.String(text)
	if exact {
		return text
	}
	return cases.Fold().String(text)
}

// contains reports whether text contains term: as a whole word if the term's script separates words by spaces, else anywhere.
func contains(text, term string, exact bool) bool {
	text, term = form(text, exact), form(term, exact)
	if term == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(term)
	last, _ := utf8.DecodeLastRuneInString(term)
	for from := 0; ; {
		at := strings.Index(text[from:], term)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(term):])
		within := spaced(first) && spaced(before) || spaced(last) && spaced(after)
		if !within {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		from = at + size
	}
}

// spaced reports whether r is a letter or digit of a script that separates words by spaces.
func spaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

const (
	// Endings change with case and number: this many letters at the end of a word may differ, and this many may be added.
	otherEnding, longerEnding = 2, 2
	// minStem is the least length of a word without its ending, in letters.
	minStem = 3
)

// holds reports whether a translation contains the target; its words may have other endings.
func holds(translation string, e Entry) bool {
	if contains(translation, e.Wanted(), e.Case) {
		return true
	}
	said := strings.FieldsFunc(form(translation, e.Case), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words := strings.Fields(form(e.Wanted(), e.Case))
	for _, word := range words {
		if !slices.ContainsFunc(said, func(s string) bool { return sameStem(s, word) }) {
			return false
		}
	}
	return len(words) > 0
}

func sameStem(said, word string) bool {
	stem := []rune(word)
	if said == word {
		return true
	}
	if len(stem) < minStem+otherEnding || !spaced(stem[0]) {
		return false
	}
	return strings.HasPrefix(said, string(stem[:len(stem)-otherEnding])) && utf8.RuneCountInString(said) <= len(stem)+longerEnding
}

// Mark returns the translations with the terms of the entries that occur in them. Lettering does not hyphenate these.
func Mark(entries []Entry, translations []core.Translation) []core.Translation {
	if len(entries) == 0 {
		return translations
	}
	marked := slices.Clone(translations)
	for i := range marked {
		t := &marked[i]
		t.Terms = nil
		for _, e := range entries {
			if contains(t.Text, e.Wanted(), e.Case) {
				t.Terms = append(t.Terms, e.Wanted())
			}
		}
	}
	return marked
}
