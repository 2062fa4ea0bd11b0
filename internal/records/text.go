package records

import "strings"

// clean makes s fit for a text column: Postgres takes neither NUL nor what is not UTF-8, and models answer with both.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
