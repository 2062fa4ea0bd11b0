package letter

import (
	"regexp"
	"slices"
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
	if t.script == hebrew { // gershayim, the mark before the last letter of an acronym
		text = acronyms.ReplaceAllString(text, "$1״$2")
	}
	if strings.Count(text, `"`)%2 == 0 {
		text = straightPair.ReplaceAllString(text, m.open+"$1"+m.end)
	}
	return m.singles(text)
}

var (
	acronyms     = regexp.MustCompile(`(\p{L})"(\p{L})`)
	straightPair = regexp.MustCompile(`"([^"]*)"`)
	englishPair  = regexp.MustCompile(`“([^“”]*)”`)
)

// plainQuotes replaces pairs of English quotes with straight quotes. It changes nothing if the text has a mark of the language, or if the
// quotes are not in the order of English, because they may mean something else.
func plainQuotes(text string, m marks) string {
	if strings.Contains(text, m.open) && m.open != englishMarks.end || strings.ContainsAny(text, "„«") {
		return text
	}
	if plain := englishPair.ReplaceAllString(text, `"$1"`); !strings.ContainsAny(plain, "“”") {
		return plain
	}
	return text
}

// singles replaces the straight single quotes of a text, but for signs of minutes or feet. A quote before a word opens a quotation if one
// after a word ends it before the next one opens; any other quote beside a letter is an apostrophe. Digits have feet and minutes after
// them, and years are clipped.
func (m marks) singles(plain string) string {
	const apostrophe = "’"
	text, out, open := []rune(plain), strings.Split(plain, ""), -1
	for i, r := range text {
		switch {
		case r != '\'':
		case open >= 0 && besideWord(text, i, -1) && !unicode.IsDigit(text[i-1]):
			out[open], out[i], open = m.innerOpen, m.innerEnd, -1
		case besideWord(text, i, 1):
			if out[i] = apostrophe; !unicode.IsDigit(text[i+1]) {
				open = i
			}
		case i > 0 && unicode.IsLetter(text[i-1]):
			out[i] = apostrophe
		}
	}
	return strings.Join(out, "")
}

// besideWord reports whether a word is on one side of the mark text[at], before it (step -1) or after it (1), and none on the other side. In
// scripts in which particles follow a word without a space, a quote may be between two letters.
func besideWord(text []rune, at, step int) bool {
	side, other := at+step, at-step
	if side < 0 || side == len(text) || unicode.IsSpace(text[side]) {
		return false
	}
	if other < 0 || other == len(text) || !comic.Lettered(text[other]) {
		return true
	}
	return slices.ContainsFunc([]rune{text[side], text[other]}, func(r rune) bool { return comic.Unspaced(r) || isHangul(r) })
}

const (
	noBreak, narrowNoBreak = '\u00a0', '\u202f'
	// symbols end a phrase, or enclose lyrics.
	symbols = "♪♫♩♬♡♥❤★☆"
)

// spaceMarks sets the spaces between words and marks as in the language: French has such spaces, other languages do not. Translators often
// keep the spaces of the source.
func (t target) spaceMarks(text string) string {
	if !t.ideographic() {
		text = replaced(text, symbolSpaces)
	}
	if t.lang == "fr" {
		return replaced(text, frenchSpaces)
	}
	for {
		set := replaced(text, closeSpaces)
		if set == text {
			return text
		}
		text = set
	}
}

// closing are the marks that have no space before them.
const closing = ".,:;!?…؟،؛"

// A rule replaces what matches a pattern.
type rule struct {
	pattern *regexp.Regexp
	by      string
}

// closeSpaces remove the space after an ellipsis at the beginning of a text or of a sentence, and that before marks that belong to the clause
// before it. After a sentence, an ellipsis does not. A space that ends one match cannot begin the next one.
var closeSpaces = []rule{
	{regexp.MustCompile(`(^|[“„«‘‚]|[.!?…] )… `), "$1…"},
	{regexp.MustCompile(` ([.,:;!?؟،؛][` + closing + `]*)($|[ \x{a0}"“”’«»])`), "$1$2"},
	{regexp.MustCompile(`([^.!?…]) (…[` + closing + `]*)($|[ \x{a0}"“”’«»])`), "$1$2$3"},
}

// frenchSpaces sets narrow no-break spaces before high marks and inside quotes, and full no-break spaces before a colon (Lexique des
// règles typographiques en usage à l'Imprimerie nationale).
var frenchSpaces = []rule{
	{regexp.MustCompile(`(?:[ \x{a0}\x{202f}]|([\p{L}\p{N}»”’)]))([!?;])`), "$1\u202f$2"},
	{regexp.MustCompile(`(?:[ \x{a0}\x{202f}]|([\p{L}\p{N}»”’)])):($|[ \x{a0}\x{202f}])`), "$1\u00a0:$2"},
	{regexp.MustCompile(`«[ \x{a0}\x{202f}]?`), "«\u202f"},
	{regexp.MustCompile(`[ \x{a0}\x{202f}]?»`), "\u202f»"},
}

// symbolSpaces separate hearts, notes, stars and emoji from the words beside them with a no-break space, so that no line begins with a
// symbol that ends a phrase. In Chinese and Japanese their cells already have that room.
var symbolSpaces = []rule{
	{regexp.MustCompile(`([\p{L}\p{N}` + closing + `”’“»])([` + symbols + `\x{1f300}-\x{1faff}])`), "$1\u202f$2"},
	{regexp.MustCompile(`([` + symbols + `\x{1f300}-\x{1faff}])([\p{L}\p{N}])`), "$1\u202f$2"},
}

func replaced(text string, rules []rule) string {
	for _, r := range rules {
		text = r.pattern.ReplaceAllString(text, r.by)
	}
	return text
}

// isSymbol reports whether r is one of symbols, or a pictograph in the Unicode blocks for them.
func isSymbol(r rune) bool {
	return strings.ContainsRune(symbols, r) || unicode.Is(unicode.So, r) && r >= 0x1f300 && r <= 0x1faff
}
