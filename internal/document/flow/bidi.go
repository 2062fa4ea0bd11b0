package flow

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"plait/internal/document"
)

// Pages have the glyphs of Arabic and Hebrew from left to right, or in the order in which they are read. The place of a glyph on its line tells
// the order of reading: the reverse of the Unicode Bidirectional Algorithm (UAX 9), without embeddings.

// strength is the direction in which a glyph is written.
type strength int

const (
	neutral strength = iota
	space
	leftward
	rightward
	digit
)

// rightToLeft are the scripts that are written from right to left.
var rightToLeft = []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana}

func strengthOf(r rune) strength {
	switch {
	case unicode.IsDigit(r):
		return digit
	case unicode.In(r, rightToLeft...):
		return leftward
	case unicode.IsLetter(r):
		return rightward
	}
	return neutral
}

// readsLeftward reports whether most letters of lines belong to scripts that are written from right to left.
func (p *plane) readsLeftward(lines []line) bool {
	balance := 0
	for _, l := range lines {
		for _, w := range l.words {
			for _, i := range w.glyphs {
				switch r, _ := utf8.DecodeRuneInString(p.page.Glyphs[i].Text); strengthOf(r) {
				case leftward:
					balance++
				case rightward:
					balance--
				case neutral, space, digit:
				}
			}
		}
	}
	return balance > 0
}

// placed are glyphs that are read one after the other, at a place on the line: a letter with its marks, or a formula.
type placed struct {
	glyphs   []int
	strength strength
	x0, x1   float64
}

// inReadingOrder returns the words of a line in the order in which they are read, each with its glyphs in that order. Leftward is set for a
// paragraph that is written from right to left.
func (p *plane) inReadingOrder(l line, pieces pieces, isLeftward bool) []word {
	if !isLeftward && !p.hasLeftward(l) {
		return l.words
	}
	list := p.placedGlyphs(l, pieces)
	if !isLeftward && !slices.ContainsFunc(list, func(g placed) bool { return g.strength == leftward }) {
		return l.words
	}
	if isLeftward {
		slices.Reverse(list)
		reverseRuns(list, rightward)
	} else {
		reverseRuns(list, leftward)
	}
	var words []word
	open := false
	for _, g := range list {
		if g.strength == space {
			open = false
			continue
		}
		if !open {
			words = append(words, word{})
			open = true
		}
		w := &words[len(words)-1]
		w.glyphs = append(w.glyphs, g.glyphs...)
	}
	return words
}

// hasLeftward reports whether a line has a letter that is written from right to left, in a formula or not. Few lines have.
func (p *plane) hasLeftward(l line) bool {
	return slices.ContainsFunc(l.words, func(w word) bool {
		return slices.ContainsFunc(w.glyphs, func(i int) bool {
			r, _ := utf8.DecodeRuneInString(p.page.Glyphs[i].Text)
			return strengthOf(r) == leftward
		})
	})
}

// placedGlyphs are the glyphs of a line from left to right, with spaces between words.
func (p *plane) placedGlyphs(l line, pieces pieces) (list []placed) {
	var marks []int
	for _, w := range l.words {
		for _, i := range w.glyphs {
			g := p.page.Glyphs[i]
			box := p.frame.BoxIn(g.Box)
			r, _ := utf8.DecodeRuneInString(g.Text)
			if at, within := pieces.of[i]; within {
				if n := len(list); n > 0 && pieces.same(list[n-1].glyphs[0], at) {
					list[n-1].glyphs, list[n-1].x1 = append(list[n-1].glyphs, i), box.X1
				} else {
					list = append(list, placed{[]int{i}, rightward, box.X0, box.X1})
				}
				continue
			}
			if g.Text == "" || g.Advance == 0 || unicode.Is(unicode.Mn, r) {
				marks = append(marks, i)
				continue
			}
			list = append(list, placed{[]int{i}, strengthOf(r), box.X0, box.X1})
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return compare(a.x0+a.x1, b.x0+b.x1) })
	for _, i := range marks {
		if len(list) == 0 {
			return []placed{{glyphs: marks}}
		}
		g := p.page.Glyphs[i]
		x, _ := p.frame.In(g.Origin.X, g.Origin.Y)
		if ink := p.frame.BoxIn(g.Ink); ink.X1 > ink.X0 {
			x = (ink.X0 + ink.X1) / 2
		}
		nearest := slices.MinFunc(list, func(a, b placed) int { return compare(a.distance(x), b.distance(x)) })
		at := slices.IndexFunc(list, func(g placed) bool { return g.glyphs[0] == nearest.glyphs[0] })
		list[at].glyphs = append(list[at].glyphs, i)
	}
	for i := len(list) - 1; i > 0; i-- {
		if list[i].x0-list[i-1].x1 > wordGap*l.size {
			list = slices.Insert(list, i, placed{strength: space})
		}
	}
	return list
}

// same reports whether a glyph belongs to a formula.
func (p pieces) same(glyph, formula int) bool {
	at, within := p.of[glyph]
	return within && at == formula
}

// distance is how far a position is from the glyph.
func (g placed) distance(x float64) float64 { return max(g.x0-x, x-g.x1, 0) }

// reverseRuns reverses the runs that are written in a direction, with what stands between two letters of it. Numbers run to the right.
func reverseRuns(list []placed, along strength) {
	belongs := func(s strength) bool { return s == along || along == rightward && s == digit }
	for first := 0; first < len(list); first++ {
		if !belongs(list[first].strength) {
			continue
		}
		end := first + 1
		for at := end; at < len(list); at++ {
			inner := list[at].strength
			if belongs(inner) {
				end = at + 1
			} else if inner != neutral && (inner != space || list[end-1].strength != along) {
				break
			}
		}
		slices.Reverse(list[first:end])
		first = end - 1
	}
}

// turned are lines as if their text were written from left to right: they change sides in their column.
func turned(lines []line, column document.Box) []line {
	turn := func(b document.Box) document.Box {
		b.X0, b.X1 = column.X0+column.X1-b.X1, column.X0+column.X1-b.X0
		return b
	}
	list := make([]line, len(lines))
	for i, l := range lines {
		list[i] = l
		list[i].box = turn(l.box)
		list[i].words = nil
		for _, w := range slices.Backward(l.words) {
			w.box = turn(w.box)
			list[i].words = append(list[i].words, w)
		}
	}
	return list
}
