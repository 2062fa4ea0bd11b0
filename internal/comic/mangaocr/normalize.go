package mangaocr

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// normalize converts the decoder's text to the form in which texts are stored: without spaces, with full-width characters instead of
// half-width ones, and with ellipses as U+2026 and U+2025.
//
// The decoder was trained on texts in which "…" was written as "...", and gives any mixture of dots. A run of dots becomes three-dot
// characters and at most one two-dot or one-dot character, with the same number of dots, so that the original run can be restored.
func normalize(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	var b strings.Builder
	run := ""
	for _, r := range text {
		if dots(r) > 0 {
			run += string(r)
			continue
		}
		b.WriteString(ellipsis(run))
		run = ""
		b.WriteRune(r)
	}
	b.WriteString(ellipsis(run))
	// A half-width voicing mark becomes a combining mark, which then composes with its letter.
	return norm.NFC.String(width.Widen.String(b.String()))
}

// dots is the number of dots in r, if it is one of the characters with which ellipses are written.
func dots(r rune) int {
	switch r {
	case '…':
		return 3
	case '‥':
		return 2
	case '.', '．', '・', '･':
		return 1
	}
	return 0
}

// ellipsis normalizes a run of dots. A single dot is kept, since "・" also separates words.
func ellipsis(run string) string {
	n := 0
	for _, r := range run {
		n += dots(r)
	}
	if n < 2 {
		return run
	}
	return strings.Repeat("…", n/3) + [...]string{"", "．", "‥"}[n%3]
}
