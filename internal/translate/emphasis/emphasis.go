// Package emphasis is the form of emphasized words in scripts, in questions to models, and in translations: the tags <em> and </em> stand
// around them.
package emphasis

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const start, end = "<em>", "</em>"

// Rule tells a model what to do with the tags.
const Rule = "Tags <em> and </em> stand around words that are lettered louder than the rest. Keep each pair around the translation of the same words."

var tag = regexp.MustCompile(`(?i)<\s*/?\s*em\s*>`)

// Tagged returns the text of a part that is emphasized. Spaces at its ends stay outside of the tags.
func Tagged(part string) string {
	inner := strings.TrimSpace(part)
	if inner == "" {
		return part
	}
	before, after, _ := strings.Cut(part, inner)
	return before + start + inner + end + after
}

// Has reports whether a text has a tag.
func Has(text string) bool { return strings.Contains(text, "<") && tag.MatchString(text) }

// Plain returns the text without tags.
func Plain(text string) string {
	if !Has(text) {
		return text
	}
	return tag.ReplaceAllString(text, "")
}

// Tidy returns a text with its tags in their usual form, or without any if they do not come in pairs.
func Tidy(text string) string {
	plain, parts := Split(text)
	if parts == nil {
		return plain
	}
	var b strings.Builder
	at := 0
	for _, p := range parts {
		b.WriteString(plain[at:p.From] + Tagged(plain[p.From:p.End]))
		at = p.End
	}
	return b.String() + plain[at:]
}

// Part is an emphasized part of a text, from a byte to another, exclusive.
type Part struct{ From, End int }

// Split returns a text without its tags, and the parts between them. There are none if the tags do not come in pairs.
func Split(text string) (plain string, parts []Part) {
	if !Has(text) {
		return text, nil
	}
	open, paired, at := -1, true, 0
	for _, m := range tag.FindAllStringIndex(text, -1) {
		plain += text[at:m[0]]
		at = m[1]
		closes := strings.Contains(text[m[0]:m[1]], "/")
		paired = paired && closes == (open >= 0)
		switch {
		case !closes:
			open = len(plain)
		case open >= 0:
			if open < len(plain) {
				parts = append(parts, Part{open, len(plain)})
			}
			open = -1
		}
	}
	if plain += text[at:]; !paired || open >= 0 {
		return plain, nil
	}
	return plain, parts
}

// Runes says which runes of a plain text are in the parts. It returns nil without parts.
func Runes(plain string, parts []Part) []bool {
	if len(parts) == 0 {
		return nil
	}
	in := make([]bool, 0, utf8.RuneCountInString(plain))
	for i := range plain {
		for len(parts) > 0 && i >= parts[0].End {
			parts = parts[1:]
		}
		in = append(in, len(parts) > 0 && i >= parts[0].From)
	}
	return in
}
