package core

import (
	"strings"
	"unicode"
)

// IsUnprintable reports whether a character moves a terminal's cursor, changes its state, or turns the order of the text around it:
// control characters, and the embeddings, overrides and isolates of the bidirectional algorithm (UAX 9, 2.1 to 2.5).
func IsUnprintable(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// Printable is s on one line, with U+FFFD in place of each unprintable character: names and titles come from strangers.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if IsUnprintable(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
