package letter

import (
	"regexp"
	"strings"
	"unicode"
)

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
	runes := []rune(opening.ReplaceAllString(text, "$1…"))
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		if r == ' ' && leansBack(out, runes[i+1:]) {
			continue
		}
		out = append(out, r)
	}
	return string(out)
}

// leansBack reports whether a space is followed by marks that belong to the clause before it. An ellipsis after the end of a sentence
// belongs to the next word.
func leansBack(before, rest []rune) bool {
	n := 0
	for n < len(rest) && strings.ContainsRune(closing, rest[n]) {
		n++
	}
	if n == 0 || len(before) == 0 || n < len(rest) && !strings.ContainsRune(" \u00a0\"“”’«»", rest[n]) {
		return false
	}
	return rest[0] != '…' || !endsSentence(before)
}

// opening matches an ellipsis at the beginning of a text or of a sentence, which belongs to the next word.
var opening = regexp.MustCompile(`(^|[“„«‘‚]|[.!?…] )… `)

func endsSentence(text []rune) bool {
	return len(text) > 0 && strings.ContainsRune(".!?…", text[len(text)-1])
}

// closing are the marks that have no space before them.
const closing = ".,:;!?…؟،؛"

// A rule replaces what matches a pattern.
type rule struct {
	pattern *regexp.Regexp
	by      string
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
