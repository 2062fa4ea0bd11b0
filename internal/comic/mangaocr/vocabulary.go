package mangaocr

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// The tokens before and after a text, by their positions in the vocabulary. Those up to the end token are special.
const (
	startToken = 2
	endToken   = 3
)

// Vocabulary is the list of tokens that the decoder can output, by number.
type Vocabulary []string

// maxVocabulary bounds the number of tokens; the vocabulary of manga-ocr has 6,144.
const maxVocabulary = 1 << 17

// ParseVocabulary reads a vocabulary file with one token a line, from number 0. Tokens in square brackets, such as [UNK], stand for no
// text. "##" before a token marks the continuation of a word and is not part of the text.
func ParseVocabulary(b []byte) (Vocabulary, error) {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n"), "\n")
	if len(lines) <= endToken+1 {
		return nil, errors.New("it has no tokens besides the special ones")
	}
	if len(lines) > maxVocabulary {
		return nil, fmt.Errorf("it has more than %d tokens", maxVocabulary)
	}
	v := make(Vocabulary, len(lines))
	for i, l := range lines {
		if len(l) > 2 && l[0] == '[' && l[len(l)-1] == ']' {
			continue
		}
		v[i] = strings.TrimPrefix(l, "##")
	}
	clear(v[:endToken+1])
	return v, nil
}

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
