package core

import (
	"slices"
	"strings"
	"unicode"
)

// IsUnprintable reports whether a character can move the cursor of a terminal, change its state, or reorder the text around it. These
// are the control characters, and the embeddings, overrides and isolates of the bidirectional algorithm (UAX 9, 2.1 to 2.5).
func IsUnprintable(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// Printable returns s with U+FFFD instead of each unprintable character, line breaks included. Names and titles are untrusted input.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if IsUnprintable(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Join returns the words as text, with the separator between them, such as "queued, running" for a message.
func Join[T ~string](words []T, separator string) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, separator)
}

// OneOf returns the value if it is one of the choices. It fails with [CodeInvalidInput], with the name of the field; an empty one is for
// a message that stands behind the name.
func OneOf[T ~string](field string, value T, choices ...T) (T, error) {
	switch {
	case slices.Contains(choices, value):
		return value, nil
	case value == "" && field != "":
		return "", Errorf(CodeInvalidInput, "%s is missing; it is one of %s", field, Join(choices, ", "))
	default:
		return "", Errorf(CodeInvalidInput, "%s%.40q is none of %s", strings.TrimLeft(field+" ", " "), Printable(string(value)), Join(choices, ", "))
	}
}
