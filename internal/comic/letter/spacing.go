package letter

import "strings"

// frenchSpaces keep the marks that French writes behind a space on their line.
var frenchSpaces = strings.NewReplacer(" !", "\u00a0!", " ?", "\u00a0?", " :", "\u00a0:", " ;", "\u00a0;", " »", "\u00a0»", "« ", "«\u00a0")

// spaceMarks puts between words and marks the spaces of the language: French has them, others have none. Translators often keep
// those of the source.
func (t target) spaceMarks(text string) string {
	if t.lang == "fr" {
		return frenchSpaces.Replace(text)
	}
	runes := []rune(text)
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		if r == ' ' && (leansBack(out, runes[i+1:]) || opens(out)) {
			continue
		}
		out = append(out, r)
	}
	return string(out)
}

// leansBack reports whether what follows a space is a run of marks of the clause before it; an ellipsis after the end of a
// sentence leans on the word behind.
func leansBack(before, rest []rune) bool {
	n := 0
	for n < len(rest) && strings.ContainsRune(closing, rest[n]) {
		n++
	}
	if n == 0 || len(before) == 0 || n < len(rest) && !strings.ContainsRune(" \u00a0\"“”’«»", rest[n]) {
		return false
	}
	return rest[0] != '…' || !endsSentence(before)
}

// opens reports whether text ends in an ellipsis that begins it, or a sentence of it: the next word belongs to that.
func opens(text []rune) bool {
	n := len(text)
	if n == 0 || text[n-1] != '…' {
		return false
	}
	return n == 1 || text[n-2] == ' ' && endsSentence(text[:n-2])
}

func endsSentence(text []rune) bool {
	return len(text) > 0 && strings.ContainsRune(".!?…", text[len(text)-1])
}

// closing are the marks that no space stands before.
const closing = ".,:;!?…؟،؛"
