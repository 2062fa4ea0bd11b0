package flow

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"plait/internal/document"
)

const (
	// typewritten is the share of the glyphs of a page above which it is typewritten, so that a typewriter face says nothing about a line.
	typewritten = 0.5
	// codeSigns is the least share of the characters of source code that are signs. Prose has half as many.
	codeSigns = 0.05
	// listingGap is the largest distance of two parts of one listing, in em: an empty line or two.
	listingGap = 2.5
)

// shell matches the prompt before a command.
var shell = regexp.MustCompile(`^([$%#>]|>>>|\.\.\.)$`)

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

// typed is a run of lines in a typewriter face, one below the other.
type typed struct {
	first, end int
	// glyph is its first one, by which it is known.
	glyph int
	box   document.Box
	size  float64
	// signed is set if it has the signs of code.
	signed bool
}

// typedRuns are the runs of lines in a typewriter face.
func (p *plane) typedRuns(lines []line) (runs []typed) {
	if p.typewritten {
		return nil
	}
	for first := 0; first < len(lines); first++ {
		end, signed, all, prompt := first, 0, 0, false
		for end < len(lines) && p.isFixed(lines[end]) {
			prompt = prompt || len(lines[end].words) > 1 && shell.MatchString(p.word(lines[end].words[0]))
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
		if end > first {
			run := lines[first:end]
			runs = append(runs, typed{
				first: first, end: end, glyph: run[0].words[0].glyphs[0], box: boxOfLines(run), size: sizeOfLines(run),
				signed: prompt || float64(signed) > codeSigns*float64(all),
			})
			first = end - 1
		}
	}
	return runs
}

// findListings finds the source code of columns: what has its signs, and what stands above or below that in its face and size with nothing
// between, such as the first lines of a program.
func (p *plane) findListings(columns []leaf) {
	var open []typed
	for _, c := range columns {
		for _, run := range p.typedRuns(linesOf(c.words)) {
			if run.signed {
				p.listings = append(p.listings, run)
			} else {
				open = append(open, run)
			}
		}
	}
	for at := 0; at < len(p.listings); at++ {
		open = slices.DeleteFunc(open, func(run typed) bool {
			belongs := p.continuesListing(columns, p.listings[at], run)
			if belongs {
				p.listings = append(p.listings, run)
			}
			return belongs
		})
	}
}

// continuesListing reports whether a run stands above or below source code, with nothing between.
func (p *plane) continuesListing(columns []leaf, code, run typed) bool {
	upper, lower := code.box, run.box
	if upper.Y0 < lower.Y0 {
		upper, lower = lower, upper
	}
	if upper.Y0-lower.Y1 > listingGap*code.size || !near(code.size, run.size, 0.05*code.size) || min(upper.X1, lower.X1) <= max(upper.X0, lower.X0) {
		return false
	}
	between := document.Box{X0: min(upper.X0, lower.X0), X1: max(upper.X1, lower.X1), Y0: lower.Y1, Y1: upper.Y0}
	return !slices.ContainsFunc(columns, func(c leaf) bool {
		return slices.ContainsFunc(c.words, func(w word) bool {
			middle := (w.box.Y0 + w.box.Y1) / 2
			return middle > between.Y0 && middle < between.Y1 && w.box.X0 < between.X1 && w.box.X1 > between.X0
		})
	})
}

// code marks the lines of source code.
func (p *plane) code(lines []line) []bool {
	marks := make([]bool, len(lines))
	for _, run := range p.typedRuns(lines) {
		code := run.signed || slices.ContainsFunc(p.listings, func(l typed) bool { return l.glyph == run.glyph })
		for i := run.first; i < run.end; i++ {
			marks[i] = code
		}
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
