package typeset

import (
	"regexp"
	"strconv"
	"strings"

	"plait/internal/document"
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
