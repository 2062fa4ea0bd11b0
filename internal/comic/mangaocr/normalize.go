package mangaocr

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// dots matches an ellipsis as the decoder gives it. It was trained on texts in which "…" was written as "...", and gives any mixture of
// dots. A single dot is none, since "・" also separates words.
var dots = regexp.MustCompile(`[.．・･‥…]{2,}`)

// normalize converts the decoder's text to the form in which texts are stored: without spaces, with full-width characters instead of
// half-width ones, and with ellipses as U+2026, one for each three dots.
func normalize(text string) string {
	text = dots.ReplaceAllStringFunc(strings.Join(strings.Fields(text), ""), func(s string) string {
		n := utf8.RuneCountInString(s) + strings.Count(s, "‥") + 2*strings.Count(s, "…")
		return strings.Repeat("…", max(n/3, 1))
	})
	// A half-width voicing mark becomes a combining mark, which then composes with its letter.
	return norm.NFC.String(width.Widen.String(text))
}
