package letter

import (
	"slices"
	"strings"
	"unicode"
)

// marks are the quotes of a language, those within quotes, and its dash.
type marks struct{ open, end, innerOpen, innerEnd, dash string }

// languageMarks: those of languages that are not here are English. Sources: Unicode CLDR 46, delimiters, but for the inner quotes of
// French and Bulgarian, which CLDR has the same as the outer, and for Danish, Dutch and Spanish, where it has those of books; the dashes of CLDR's exemplar
// characters, as each language's typesetters use them.
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

// quotes puts the quotes of the language for those of a typewriter, and for those of English where the language has no such.
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
	if !strings.Contains(text, "'") {
		return text
	}
	runes := []rune(text)
	roles := t.singles(runes)
	var out strings.Builder
	for i, r := range runes {
		switch roles[i] {
		case opening:
			out.WriteString(m.innerOpen)
		case ending:
			out.WriteString(m.innerEnd)
		case apostrophe:
			out.WriteRune('’')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// hebrewAcronyms have the mark of an acronym (gershayim) before their last letter, which typewriters write as a quote.
func hebrewAcronyms(text string) string {
	runes := []rune(text)
	for i, r := range runes {
		if r == '"' && isBetweenLetters(runes, i) {
			runes[i] = '״'
		}
	}
	return string(runes)
}

// plainQuotes are those of a typewriter for pairs of English ones. Where a mark of the language stands beside them, or they do not
// come in the order of English, they may mean something else.
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

// role is what a straight single mark is.
type role byte

const (
	unknown role = iota // stays as it is: a sign of minutes or feet
	opening
	ending
	apostrophe
)

// singles tells what the straight single marks of a text are. One that opens has an end; one between letters is an apostrophe, but
// not where words have no spaces between them.
func (t target) singles(text []rune) []role {
	roles := make([]role, len(text))
	end := -1 // of the last quote
	for i, r := range text {
		if r != '\'' || roles[i] != unknown {
			continue
		}
		before, after := beforeWord(text, i), afterWord(text, i)
		switch {
		case before && i > end && !t.clips(text, i):
			if roles[i] = apostrophe; t.endOfQuote(text, i) > 0 {
				end = t.endOfQuote(text, i)
				roles[i], roles[end] = opening, ending
			}
		case before, after && unicode.IsLetter(text[i-1]), isBetweenLetters(text, i):
			roles[i] = apostrophe
		}
	}
	return roles
}

// endOfQuote is where the quote that text[from] opens ends, or 0: at the first mark that may end it, rather than one that may be of
// a plural, a clipped word or a measure (dogs', goin', 5').
func (t target) endOfQuote(text []rune, from int) int {
	doubtful := 0
	for i := from + 2; i < len(text); i++ {
		switch {
		case text[i] != '\'':
		case afterWord(text, i):
			if !strings.ContainsRune("sSnN0123456789", text[i-1]) {
				return i
			}
			if doubtful == 0 {
				doubtful = i
			}
		case beforeWord(text, i) && !t.clips(text, i):
			return doubtful
		}
	}
	return doubtful
}

// beforeWord reports whether a word begins behind the mark text[at], and afterWord whether one ends before it.
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
	case at+1 == len(text) || !isLettered(text[at+1]):
		return true
	}
	return isUnspaced(text[at-1]) || isUnspaced(text[at+1])
}

func isBetweenLetters(text []rune, at int) bool {
	return at > 0 && at+1 < len(text) && unicode.IsLetter(text[at-1]) && unicode.IsLetter(text[at+1])
}

// clips reports whether the mark text[at] stands for the first letters of the word behind it, or the first figures of a year.
func (t target) clips(text []rune, at int) bool {
	end := at + 1
	for end < len(text) && isLettered(text[end]) && !isUnspaced(text[end]) {
		end++
	}
	word := strings.ToLower(string(text[at+1 : end]))
	if year := strings.TrimSuffix(word, "s"); len(year) == 2 && unicode.IsDigit(rune(year[0])) && unicode.IsDigit(rune(year[1])) {
		return true
	}
	return slices.Contains(clipped[t.lang], word)
}

// isUnspaced: letters that particles lean on without a space, so that a quote may stand between two of them.
func isUnspaced(r rune) bool { return isWide(r) || isHangul(r) }

// opensWord are the marks that stand before a word.
const opensWord = "([{¿¡—–-\"“”„«‚‘「『…"

// clipped are words that have lost their first letters, by language: no quote opens before them.
var clipped = map[string][]string{
	"en": {"em", "tis", "twas", "til", "till", "cause", "cuz", "bout", "round", "n", "nuff", "kay", "sup", "im", "er", "ere"},
	"de": {"n", "ne", "nen", "nem", "ner", "s", "ran", "rauf", "raus", "rein", "rum", "runter"},
	"nl": {"s", "t", "n", "k", "m", "r"},
}
