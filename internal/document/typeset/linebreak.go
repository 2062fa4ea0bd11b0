package typeset

import (
	"slices"

	"github.com/go-text/typesetting/segmenter"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"plait/internal/document"
)

// breaks are the places where the lines of a text may end, in order.
type breaks struct {
	places []place
	// hyphenated is set if some of them are in words.
	hyphenated bool
	// advances are those of the runes at the size of the shaping, without those of formulas, which do not change with the size. Spaces is the
	// number of spaces before each rune.
	advances []fixed.Int26_6
	spaces   []int
}

// place is a place where a line may end: before a rune of the text.
type place struct {
	at int
	// end is where the text of a line that ends here ends, without a space.
	end int
	// hyphen is the width of the hyphen that a line gets if it ends here; 0 for a place between words.
	hyphen fixed.Int26_6
	forced bool
}

// breaksOf finds the places where Unicode allows a line to end (UAX 14), and where words may be hyphenated.
func breaksOf(t text, runs []shaping.Output) breaks {
	n := len(t.runes)
	b := breaks{advances: make([]fixed.Int26_6, n), spaces: make([]int, n+1)}
	begins, hyphens := make([]bool, n+1), make([]fixed.Int26_6, n+1)
	begins[n] = true
	for _, run := range runs {
		for _, g := range run.Glyphs {
			at := g.TextIndex()
			begins[at] = true
			if run.Face != nil {
				b.advances[at] += g.Advance
			}
			if t.runes[at] == softHyphen && at+1 < n {
				hyphens[at+1] = hyphenOf(run).Advance
				b.hyphenated = true
			}
		}
	}
	for i, r := range t.runes {
		b.spaces[i+1] = b.spaces[i]
		if r == ' ' {
			b.spaces[i+1]++
		}
	}
	var split segmenter.Segmenter
	split.Init(t.runes)
	for lines := split.LineIterator(); lines.Next(); {
		line := lines.Line()
		p := place{at: line.Offset + len(line.Text), forced: line.IsMandatoryBreak}
		p.end, p.hyphen = p.at, hyphens[p.at]
		if t.runes[p.at-1] == ' ' {
			p.end--
		}
		if begins[p.at] { // a ligature is not divided
			b.places = append(b.places, p)
		}
	}
	return b
}

// hyphenOf is the hyphen in the face and at the size of a run; it has no advance if the face has none.
func hyphenOf(run shaping.Output) (g shaping.Glyph) {
	if run.Face == nil {
		return g
	}
	id, ok := run.Face.NominalGlyph('-')
	if !ok {
		return g
	}
	g.GlyphID = id
	g.Advance = fixed.Int26_6(float64(run.Face.HorizontalAdvance(id)) / float64(run.Face.Upem()) * float64(run.Size))
	g.Width = g.Advance
	return g
}

const (
	// looseSpace is how far the spaces of a justified line may grow before the word after it is hyphenated, and raggedEnd how far any other line
	// may end before its column does, in em.
	looseSpace = 0.15
	raggedEnd  = 3.0
	// narrowColumn is the width up to which the words of a column that is not justified are hyphenated, in em.
	narrowColumn = 25.0
	// ladder is the largest number of lines in a row that end with a hyphen.
	ladder = 2
)

// hyphenates reports whether words of the paragraph are hyphenated where the lines are better for it: in justified and in narrow columns. In
// headings, cells and lines by themselves, words are hyphenated only if they do not fit.
func (p *paragraph) hyphenates() bool {
	b := p.block
	if b.Cell != nil || b.Lines <= 1 || b.Class == document.ClassTitle {
		return false
	}
	return b.Align == document.AlignJustify || b.Align == document.AlignStart && p.box.X1-p.box.X0 <= narrowColumn*b.Size
}

// lines breaks the text into lines at a size. Width is that of the line of the number, in em.
func (p *paragraph) lines(size float64, whole bool, width func(line int) float64) []shaping.Line {
	policy := shaping.WhenNecessary
	if whole {
		policy = shaping.Never
	}
	// The wrapper sets the advance of the space at the end of a line to zero, in the runs it is given. Formulas keep their width at any size.
	fresh := make([]shaping.Output, len(p.runs))
	widths := make([]fixed.Int26_6, len(p.text.runes)+1)
	copy(widths[1:], p.breaks.advances)
	for i, r := range p.runs {
		fresh[i] = r
		fresh[i].Glyphs = slices.Clone(r.Glyphs)
		if n, isFormula := p.text.formulas[r.Runes.Offset]; isFormula && r.Face == nil {
			advance := fixed.Int26_6(p.block.Formulas[n].Advance / size * unit * 64)
			fresh[i].Advance, fresh[i].Glyphs[0].Advance, fresh[i].Glyphs[0].Width = advance, advance, advance
			fresh[i].Glyphs[0].XAdvance = advance //nolint:staticcheck // no other way to set it
			widths[r.Runes.Offset+1] = advance
		}
	}
	for i, w := range widths[:len(p.text.runes)] {
		widths[i+1] += w
	}
	p.wrap.Prepare(shaping.WrapConfig{Direction: p.direction(), BreakPolicy: policy}, p.text.runes, shaping.NewSliceIterator(fresh))
	b := breaker{paragraph: p, widths: widths, hyphenates: p.hyphenates(), whole: whole}
	var lines []shaping.Line
	for done := false; !done && len(lines) < maxLines; {
		var line shaping.WrappedLine
		line, done = p.wrap.WrapNextLineF(b.next(fixed.Int26_6(max(width(len(lines)), 0.5) * unit * 64)))
		if len(line.Line) > 0 {
			lines = append(lines, p.drawn(line.Line, done))
			b.start = line.NextLine
		}
	}
	return lines
}

// maxLines bounds the lines of one text.
const maxLines = 2000

// breaker chooses where lines end, one after the other.
type breaker struct {
	*paragraph
	// widths are those of the text before each rune.
	widths            []fixed.Int26_6
	hyphenates, whole bool
	// start is the rune that begins the line, and hyphens the number of lines before it that end with a hyphen.
	start, hyphens int
}

// next returns the width up to which the wrapper fills the next line, so that it ends at the best place.
func (b *breaker) next(available fixed.Int26_6) fixed.Int26_6 {
	if !b.breaks.hyphenated {
		return available
	}
	from := b.widths[b.start]
	first, _ := slices.BinarySearchFunc(b.breaks.places, b.start+1, func(p place, at int) int { return p.at - at })
	var word, part, beyond place // the last places that fit, and the first one between words that does not
	for _, p := range b.breaks.places[first:] {
		fits := b.widths[p.end]+p.hyphen-from <= available
		switch {
		case fits && p.hyphen > 0:
			part = p
		case fits:
			word = p
		case p.hyphen == 0:
			beyond = p
		}
		if beyond.at > 0 || word.forced {
			break
		}
	}
	end := b.choose(word, part, beyond, available)
	if end.hyphen > 0 {
		b.hyphens++
	} else {
		b.hyphens = 0
	}
	if end.at == 0 {
		return available // the wrapper divides the word anywhere
	}
	return b.widths[end.end] - from
}

// choose returns the place where a line ends; none if the next word does not fit and nothing divides it.
func (b *breaker) choose(word, part, beyond place, available fixed.Int26_6) place {
	inWord := part.at > word.at
	switch {
	case word.at == 0 && inWord && (b.hyphenates || !b.whole):
		return part
	case word.at == 0 && b.whole:
		return beyond // such a line is too long
	case inWord && b.hyphenates && b.hyphens < ladder && beyond.at < len(b.text.runes) && b.loose(word, available):
		return part
	}
	return word
}

// loose reports whether a line that ends at a place leaves more space than a typesetter would.
func (b *breaker) loose(end place, available fixed.Int26_6) bool {
	extra := float64(available-(b.widths[end.end]-b.widths[b.start])) / (unit * 64)
	if b.block.Align != document.AlignJustify {
		return extra > raggedEnd
	}
	spaces := b.breaks.spaces[end.end] - b.breaks.spaces[b.start]
	return extra > looseSpace*float64(spaces)
}

// drawn returns a line as it is drawn: without the soft hyphens in it, and with a hyphen for one at its end.
func (p *paragraph) drawn(line shaping.Line, last bool) shaping.Line {
	drawn := append(shaping.Line{}, line...)
	for i := range drawn {
		run := &drawn[i]
		if run.Face == nil {
			continue
		}
		ends := i == len(drawn)-1 && !last
		end := run.Runes.Offset + run.Runes.Count - 1
		glyphs := run.Glyphs[:0]
		for _, g := range run.Glyphs {
			at := g.TextIndex()
			if p.text.runes[at] != softHyphen || g.RunesCount() != 1 {
				glyphs = append(glyphs, g)
				continue
			}
			if ends && at == end {
				hyphen := hyphenOf(*run)
				g.GlyphID, g.Advance, g.Width = hyphen.GlyphID, hyphen.Advance, hyphen.Width
				run.Advance += hyphen.Advance
				glyphs = append(glyphs, g)
			}
		}
		run.Glyphs = glyphs
	}
	return drawn
}
