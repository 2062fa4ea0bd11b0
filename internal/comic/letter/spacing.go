package letter

import (
	"strings"
	"unicode"

	"plait/internal/comic"
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
		text = spaceSymbols(text)
	}
	if t.lang == "fr" {
		return frenchSpaces(text)
	}
	runes := []rune(text)
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		if r == ' ' && (leansBack(out, runes[i+1:]) || opens(out)) {
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

// opens reports whether text ends in an ellipsis at the beginning of the text or of a sentence. Such an ellipsis belongs to the next word.
func opens(text []rune) bool {
	n := len(text)
	if n == 0 || text[n-1] != '…' {
		return false
	}
	return n == 1 || strings.ContainsRune("“„«‘‚", text[n-2]) || text[n-2] == ' ' && endsSentence(text[:n-2])
}

func endsSentence(text []rune) bool {
	return len(text) > 0 && strings.ContainsRune(".!?…", text[len(text)-1])
}

// closing are the marks that have no space before them.
const closing = ".,:;!?…؟،؛"

// frenchSpaces sets narrow no-break spaces before high marks and inside quotes, and full no-break spaces before a colon (Lexique des
// règles typographiques en usage à l'Imprimerie nationale).
func frenchSpaces(text string) string {
	runes := []rune(text)
	out := make([]rune, 0, len(runes)+4)
	setBefore := func(r, space rune) {
		if last := len(out) - 1; last >= 0 && isBlank(out[last]) {
			out[last] = space
		} else if last >= 0 && (comic.Lettered(out[last]) || strings.ContainsRune("»”’)", out[last]) || r == '»') {
			out = append(out, space)
		}
	}
	for i, r := range runes {
		ends := i+1 == len(runes) || isBlank(runes[i+1])
		switch {
		case r == '!' || r == '?' || r == '»' || r == ';':
			setBefore(r, narrowNoBreak)
		case r == ':' && ends:
			setBefore(r, noBreak)
		case isBlank(r) && i > 0 && runes[i-1] == '«':
			continue
		}
		if out = append(out, r); r == '«' {
			out = append(out, narrowNoBreak)
		}
	}
	return string(out)
}

func isBlank(r rune) bool { return r == ' ' || r == noBreak || r == narrowNoBreak }

// spaceSymbols separates hearts, notes, stars and emoji from the words beside them with a no-break space, so that no line begins with a
// symbol that ends a phrase. In Chinese and Japanese their cells already have that room.
func spaceSymbols(text string) string {
	runes := []rune(text)
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		if i > 0 {
			switch before := runes[i-1]; {
			case isSymbol(r) && (comic.Lettered(before) || strings.ContainsRune(closing+"”’“»", before)),
				isSymbol(before) && comic.Lettered(r):
				out = append(out, narrowNoBreak)
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// isSymbol reports whether r is one of symbols, or a pictograph in the Unicode blocks for them.
func isSymbol(r rune) bool {
	return strings.ContainsRune(symbols, r) || unicode.Is(unicode.So, r) && r >= 0x1f300 && r <= 0x1faff
}
