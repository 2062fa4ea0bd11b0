package letter

import (
	"cmp"
	"strings"
	"unicode"

	"plait/internal/comic"
)

// marks are the quotes of a language, its inner quotes, and its dash.
type marks struct{ open, end, innerOpen, innerEnd, dash string }

// languageMarks are the marks of each language. Languages that are not listed use those of English. Sources: Unicode CLDR 46, delimiters,
// except for the inner quotes of French and Bulgarian, which CLDR has the same as the outer, and for Danish, Dutch and Spanish, where CLDR
// has those of books; the dashes are in CLDR's exemplar characters, chosen as the typesetters of each language use them.
var languageMarks = map[string]marks{
	"de": {"„", "“", "‚", "‘", "–"}, "fr": {"«", "»", "“", "”", "–"}, "es": {"«", "»", "“", "”", "—"},
	"it": {"«", "»", "“", "”", "–"}, "nl": {"“", "”", "‘", "’", "–"}, "pt": {"“", "”", "‘", "’", "—"},
	"pl": {"„", "”", "«", "»", "–"}, "cs": {"„", "“", "‚", "‘", "–"}, "sv": {"”", "”", "’", "’", "–"},
	"da": {"”", "”", "’", "’", "–"}, "nb": {"«", "»", "‘", "’", "–"}, "fi": {"”", "”", "’", "’", "–"},
	"hu": {"„", "”", "»", "«", "–"}, "ro": {"„", "”", "«", "»", "–"}, "tr": {"“", "”", "‘", "’", "–"},
	"ca": {"«", "»", "“", "”", "—"}, "ru": {"«", "»", "„", "“", "—"}, "uk": {"«", "»", "„", "“", "—"},
	"bg": {"„", "“", "‘", "’", "—"}, "el": {"«", "»", "“", "”", "—"}, "he": {"”", "”", "’", "’", "–"},
	"ar": {"”", "“", "’", "‘", "—"}, "fa": {"«", "»", "‹", "›", "—"},
	"ja": {"「", "」", "『", "』", "――"}, "zh-Hant": {"「", "」", "『", "』", "——"}, "zh-Hans": {"“", "”", "‘", "’", "——"},
}

var englishMarks = marks{"“", "”", "‘", "’", "—"}

// quotes replaces straight quotes with those of the language. It also replaces English quotes if the language does not use them.
func (t target) quotes(text string, m marks) string {
	if m.open != englishMarks.open && m.innerOpen != englishMarks.open {
		text = plainQuotes(text, m)
	}
	if t.script == hebrew {
		text = hebrewAcronyms(text)
	}
	if strings.Count(text, `"`)%2 == 0 {
		for strings.Contains(text, `"`) {
			text = strings.Replace(strings.Replace(text, `"`, m.open, 1), `"`, m.end, 1)
		}
	}
	runes := []rune(text)
	instead := m.singles(runes)
	var out strings.Builder
	for i, r := range runes {
		out.WriteString(cmp.Or(instead[i], string(r)))
	}
	return out.String()
}

// hebrewAcronyms replaces a straight quote between two letters with gershayim, the mark before the last letter of an acronym.
func hebrewAcronyms(text string) string {
	runes := []rune(text)
	for i, r := range runes {
		if r == '"' && isBetweenLetters(runes, i) {
			runes[i] = '״'
		}
	}
	return string(runes)
}

// plainQuotes replaces pairs of English quotes with straight quotes. It changes nothing if the text has a mark of the language, or if the
// quotes are not in the order of English, because they may mean something else.
func plainQuotes(text string, m marks) string {
	if strings.Contains(text, m.open) && m.open != englishMarks.end || strings.ContainsAny(text, "„«") {
		return text
	}
	next, other := '“', '”'
	for _, r := range text {
		switch r {
		case next:
			next, other = other, next
		case other:
			return text
		}
	}
	if next == '“' {
		text = strings.NewReplacer("“", `"`, "”", `"`).Replace(text)
	}
	return text
}

// singles returns the marks in place of the straight single quotes of a text; empty for its other characters, and for signs of minutes or
// feet. A quote before a word opens a quotation if one after a word ends it before the next one opens; any other quote beside a letter is an
// apostrophe. Digits have feet and minutes after them, and years are clipped.
func (m marks) singles(text []rune) []string {
	const apostrophe = "’"
	instead, open := make([]string, len(text)), -1
	for i, r := range text {
		switch {
		case r != '\'':
		case open >= 0 && afterWord(text, i) && !unicode.IsDigit(text[i-1]):
			instead[open], instead[i], open = m.innerOpen, m.innerEnd, -1
		case beforeWord(text, i):
			if instead[i] = apostrophe; !unicode.IsDigit(text[i+1]) {
				open = i
			}
		case i > 0 && unicode.IsLetter(text[i-1]):
			instead[i] = apostrophe
		}
	}
	return instead
}

// beforeWord reports whether a word begins after the mark text[at], and afterWord whether a word ends before it.
func beforeWord(text []rune, at int) bool {
	switch {
	case at+1 == len(text) || unicode.IsSpace(text[at+1]):
		return false
	case at == 0 || unicode.IsSpace(text[at-1]) || strings.ContainsRune(opensWord, text[at-1]):
		return true
	}
	return isUnspaced(text[at-1]) || isUnspaced(text[at+1])
}

func afterWord(text []rune, at int) bool {
	switch {
	case at == 0 || unicode.IsSpace(text[at-1]):
		return false
	case at+1 == len(text) || !comic.Lettered(text[at+1]):
		return true
	}
	return isUnspaced(text[at-1]) || isUnspaced(text[at+1])
}

func isBetweenLetters(text []rune, at int) bool {
	return at > 0 && at+1 < len(text) && unicode.IsLetter(text[at-1]) && unicode.IsLetter(text[at+1])
}

// isUnspaced reports whether r belongs to a script in which particles follow a word without a space, so that a quote may be between two
// letters.
func isUnspaced(r rune) bool { return comic.Unspaced(r) || isHangul(r) }

// opensWord are the marks that may precede a word.
const opensWord = "([{¿¡—–-\"“”„«‚‘「『…"
