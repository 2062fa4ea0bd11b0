package flow

import (
	"strings"
	"unicode"

	"plait/internal/document"
)

const (
	// typewritten is the share of the glyphs of a page above which it is typewritten, so that a typewriter face says nothing about a line.
	typewritten = 0.5
	// codeSigns is the least share of the characters of source code that are signs. Prose has half as many.
	codeSigns = 0.05
)

// signs are those that source code has more often than prose.
const signs = "{}()[]<>=;:_$#\\/|*&%\"'@+!"

// isTypewritten reports whether most of the page is in a typewriter face.
func (b *builder) isTypewritten() bool {
	fixed, all := 0, 0
	for _, g := range b.page.Glyphs {
		if g.Hidden || isSpace(g.Text) {
			continue
		}
		all++
		if b.page.Fonts[g.Font].Fixed {
			fixed++
		}
	}
	return float64(fixed) > typewritten*float64(all)
}

// code marks the lines of source code: lines in a typewriter face one below the other, with the signs of code.
func (p *plane) code(lines []line) []bool {
	marks := make([]bool, len(lines))
	if p.typewritten {
		return marks
	}
	for first := 0; first < len(lines); first++ {
		end, signed, all := first, 0, 0
		for end < len(lines) && p.isFixed(lines[end]) {
			for _, w := range lines[end].words {
				for _, r := range p.word(w) {
					all++
					if strings.ContainsRune(signs, r) {
						signed++
					}
				}
			}
			end++
		}
		if float64(signed) > codeSigns*float64(all) {
			for i := first; i < end; i++ {
				marks[i] = true
			}
		}
		first = max(first, end-1)
	}
	return marks
}

// isFixed reports whether a line is in a typewriter face. Scripts whose characters all have one width have no such face.
func (p *plane) isFixed(l line) bool {
	for _, w := range l.words {
		for _, i := range w.glyphs {
			g := p.page.Glyphs[i]
			if !p.page.Fonts[g.Font].Fixed || strings.ContainsFunc(g.Text, func(r rune) bool { return unicode.IsLetter(r) && document.Spaceless(r) }) {
				return false
			}
		}
	}
	return true
}

// listing adds lines of source code, which stay as they are.
func (p *plane) listing(lines []line) {
	box := boxOfLines(lines)
	block := p.block(lines)
	block.Class = p.classOf(box)
	if block.Untranslated == "" {
		block.Untranslated = document.ReasonNoText
	}
	p.shape(&block, lines, box, box)
	p.emit(block, box, box)
}
