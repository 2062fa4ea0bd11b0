package flow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/document"
)

const (
	// minSeparate is the least number of lines that may be texts of their own, and separateShare the largest share of their room that the longest
	// of them takes if they are as long as each other.
	minSeparate   = 3
	separateShare = 0.7
)

// part is a part of the lines of a column: lines with the box that their alignment refers to, and the area that they have for themselves.
type part struct {
	lines        []line
	column, area document.Box
}

// separate divides lines that are no sentence, such as those of an address, of a list of names, or of the entries beside a list of prices: each
// begins with a capital or a digit, although its first word would have fitted on the line before it, and many are short.
func (p *plane) separate(lines []line, own document.Box, column leaf) []part {
	whole := []part{{lines, own, column.area}}
	if len(lines) < minSeparate || column.cell {
		return whole
	}
	box := boxOfLines(lines)
	longest := box.X1 - box.X0
	end := endsLevel(lines)
	brief, roomy := 0, true
	var parts []part
	for i, l := range lines {
		if !beginsText(p.word(l.words[0])) {
			return whole
		}
		area := p.free(l, end)
		parts = append(parts, part{lines[i : i+1 : i+1], own, area.Union(l.box)})
		if end {
			parts[i].column = parts[i].area
		}
		if i == len(lines)-1 {
			break
		}
		width, room, next := l.box.X1-l.box.X0, area.X1-area.X0, lines[i+1].words[0]
		if room-width < next.box.X1-next.box.X0+0.6*l.size {
			return whole
		}
		if longest-width > short*l.size {
			brief++
		}
		roomy = roomy && longest < separateShare*room
	}
	if 2*brief < len(lines)-1 && !roomy {
		return whole
	}
	return parts
}

// beginsText reports whether a word begins with a capital or a digit, or is an address of a network.
func beginsText(word string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "(\"'“„«+"))
	return unicode.IsUpper(first) || unicode.IsDigit(first) || strings.ContainsAny(word, "@/")
}

// endsLevel reports whether lines end below each other, and do not begin so.
func endsLevel(lines []line) bool {
	var lefts, rights []float64
	for _, l := range lines {
		lefts, rights = append(lefts, l.box.X0), append(rights, l.box.X1)
	}
	return spread(rights) < 0.4*lines[0].size && spread(lefts) > 0.4*lines[0].size
}

// free is the area of a line up to the next text on its right, or on its left for one that ends below others.
func (p *plane) free(l line, end bool) document.Box {
	a := document.Box{X0: l.box.X0, X1: max(p.edge, l.box.X1), Y0: l.box.Y0, Y1: l.box.Y1}
	if end {
		a.X0, a.X1 = p.left, l.box.X1
	}
	middle := (l.box.Y0 + l.box.Y1) / 2
	for _, c := range p.chunks {
		switch {
		case c.Y0 > middle || c.Y1 < middle:
		case !end && c.X0 >= l.box.X1:
			a.X1 = min(a.X1, c.X0-l.size)
		case end && c.X1 <= l.box.X0:
			a.X0 = max(a.X0, c.X1+l.size)
		}
	}
	return a
}
