package mangaocr

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// normalize brings the decoder's text into the form in which texts are kept: no blanks, half-width characters full-width,
// and ellipses as U+2026 and U+2025.
//
// The decoder was trained on texts whose "…" was written as "...", and gives any mixture of dots. A run of them becomes as
// many three-dot and at most one two-dot or one-dot character as have the same number of dots, so that the run can be
// written out again.
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
	// A half-width voicing mark becomes a combining one, which then joins its letter.
	return norm.NFC.String(width.Widen.String(b.String()))
}

// dots is how many dots r has, of those that ellipses are written with.
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

// ellipsis writes a run of dots; a single dot stays what it is, since "・" also parts words.
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
