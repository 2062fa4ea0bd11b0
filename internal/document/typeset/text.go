package typeset

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"plait/internal/document"
	"plait/internal/hyphen"
)

// object stands for a formula in a text.
const object = '\uFFFC'

// text is a translation without its markers and tags.
type text struct {
	runes []rune
	// styles are the styles of the runes, and formulas the formulas of those that are object.
	styles   []document.Style
	formulas map[int]int
}

// token matches a marker of a formula, or a tag of a style.
var token = regexp.MustCompile(`\{v(\d{1,6})\}|<(/?)s(\d{1,6})>`)

// parse reads a translation: {v3} is the fourth formula of the block, and <s2>…</s2> has the style of its third span. Tags that name no span
// are left out, and so are markers that name no formula. A tag that is not closed ends with the text.
func parse(translation string, block document.Block) text {
	t := text{formulas: map[int]int{}}
	base := usual(block)
	style := base
	rest := translation
	for {
		at := token.FindStringSubmatchIndex(rest)
		if at == nil {
			t.write(rest, style)
			return t
		}
		t.write(rest[:at[0]], style)
		if at[2] >= 0 {
			if n, err := strconv.Atoi(rest[at[2]:at[3]]); err == nil && n < len(block.Formulas) {
				t.formulas[len(t.runes)] = n
				t.write(string(object), style)
			}
		} else {
			style = tagStyle(rest[at[4]:at[5]] == "/", rest[at[6]:at[7]], block, base)
		}
		rest = rest[at[1]:]
	}
}

// tagStyle is the style after a tag.
func tagStyle(closing bool, number string, block document.Block, base document.Style) document.Style {
	n, err := strconv.Atoi(number)
	if closing || err != nil || n >= len(block.Spans) {
		return base
	}
	s := block.Spans[n].Style
	if s.Rise == 0 {
		s.Size = base.Size // sizes that differ by little are one size
	}
	return s
}

func (t *text) write(s string, style document.Style) {
	for _, r := range strings.ToValidUTF8(s, "") {
		if r == '\n' || r == '\t' || r == '\r' {
			r = ' '
		}
		t.runes = append(t.runes, r)
		t.styles = append(t.styles, style)
	}
}

// softHyphen marks a place where a word may be hyphenated. A hyphen is drawn there if a line ends at it.
const softHyphen = '\u00ad'

// hyphenated is the text with a soft hyphen wherever its language divides a word. Words in capitals are abbreviations, and stay whole; so do
// the words of addresses, of which a hyphen could be a part.
func (t text) hyphenated(words *hyphen.Patterns) text {
	if words == nil {
		return t
	}
	h := text{formulas: map[int]int{}}
	for start := 0; start < len(t.runes); {
		end := start + 1
		for end < len(t.runes) && unicode.IsLetter(t.runes[start]) && unicode.IsLetter(t.runes[end]) {
			end++
		}
		from := start
		var places []int
		if !t.inAddress(start, end) {
			places = divisions(t.runes[start:end], words)
		}
		for _, at := range places {
			h.add(t, from, start+at)
			h.runes, h.styles = append(h.runes, softHyphen), append(h.styles, t.styles[from])
			from = start + at
		}
		h.add(t, from, end)
		start = end
	}
	return h
}

// inAddress reports whether a word is a part of an address, such as that of a page or a file: a sign that such addresses have joins it to
// another word.
func (t text) inAddress(start, end int) bool {
	joins := func(sign, beyond int) bool {
		return sign >= 0 && sign < len(t.runes) && strings.ContainsRune("/@._:\\%=&?#", t.runes[sign]) &&
			beyond >= 0 && beyond < len(t.runes) && !unicode.IsSpace(t.runes[beyond])
	}
	return joins(start-1, start-2) || joins(end, end+1)
}

// add appends a part of another text.
func (t *text) add(from text, start, end int) {
	for i := start; i < end; i++ {
		if n, isFormula := from.formulas[i]; isFormula {
			t.formulas[len(t.runes)] = n
		}
		t.runes, t.styles = append(t.runes, from.runes[i]), append(t.styles, from.styles[i])
	}
}

// divisions are the places where a word may be hyphenated: before its letters with these numbers.
func divisions(word []rune, words *hyphen.Patterns) []int {
	lower := make([]rune, len(word))
	capitals := 0
	for i, r := range word {
		if lower[i] = unicode.ToLower(r); lower[i] != r {
			capitals++
		}
	}
	if capitals == len(word) {
		return nil
	}
	return words.Divide(lower)
}

// usual is the style of most of a block, at the size of the block and on its baseline.
func usual(block document.Block) document.Style {
	lengths := map[document.Style]int{}
	best, style := 0, document.Style{}
	for _, span := range block.Spans {
		s := span.Style
		s.Size, s.Rise = 0, 0
		lengths[s] += span.End - span.Start
		if lengths[s] > best {
			best, style = lengths[s], s
		}
	}
	style.Size = block.Size
	return style
}
