package comic

import (
	"fmt"
	"strings"
	"unicode"
)

// maxCodePoints bounds how many characters a message names.
const maxCodePoints = 8

// CodePoints names characters for a message, such as "U+16A0 ᚠ, U+1D11E 𝄞".
func CodePoints(characters string) string {
	var named []string
	for _, r := range characters {
		switch {
		case len(named) == maxCodePoints:
			return strings.Join(named, ", ") + ", …"
		case unicode.IsGraphic(r) && !unicode.IsMark(r):
			named = append(named, fmt.Sprintf("%U %c", r, r))
		default:
			named = append(named, fmt.Sprintf("%U", r))
		}
	}
	return strings.Join(named, ", ")
}
