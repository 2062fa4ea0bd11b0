package letter

import (
	"strings"
	"unicode"
)

// named reports for each place in text whether it is inside one of the names and terms, which must be prepared like the text. The places
// at the spaces of a name do not count: a line may end there.
func named(text []rune, terms [][]rune) []bool {
	within := make([]bool, len(text)+1)
	for _, term := range terms {
		for from := 0; len(term) > 1 && from+len(term) <= len(text); from++ {
			if !strings.EqualFold(string(text[from:from+len(term)]), string(term)) {
				continue
			}
			for at := from + 1; at < from+len(term); at++ {
				within[at] = within[at] || text[at-1] != ' ' && text[at] != ' '
			}
		}
	}
	return within
}

// longestQuoted is the greatest number of characters of a quotation that counts as a name. A longer one is a phrase, which may be broken.
const longestQuoted = 6

// quotedNames returns the names and terms in quotation marks or brackets of a text, with their marks. A quoted clause is none.
func quotedNames(text []rune) (names [][]rune) {
	open := -1
	for i, r := range text {
		switch {
		case unicode.In(r, unicode.Pi, unicode.Ps):
			open = i
		case unicode.In(r, unicode.Pf, unicode.Pe):
			if open >= 0 && i-open-1 <= longestQuoted {
				names = append(names, text[open:i+1])
			}
			open = -1
		case strings.ContainsRune(endsClause, r):
			open = -1
		}
	}
	return names
}
