package letter

import "unicode"

// named reports for each place in text whether it is inside one of the names and terms, which must be prepared like the text. The places
// at the spaces of a name do not count: a line may end there.
func named(text []rune, terms [][]rune) []bool {
	var within []bool
	for _, term := range terms {
		for from := 0; len(term) > 1 && from+len(term) <= len(text); from++ {
			if !same(text[from:from+len(term)], term) {
				continue
			}
			if within == nil {
				within = make([]bool, len(text)+1)
			}
			for at := from + 1; at < from+len(term); at++ {
				within[at] = within[at] || text[at-1] != ' ' && text[at] != ' '
			}
		}
	}
	return within
}

func same(a, b []rune) bool {
	for i := range a {
		if unicode.ToLower(a[i]) != unicode.ToLower(b[i]) {
			return false
		}
	}
	return true
}

func (b *breaker) inName(at int) bool { return b.within != nil && b.within[at] }
