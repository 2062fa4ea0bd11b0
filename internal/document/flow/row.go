package flow

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/document"
)

// chunk is a part of a line between wide gaps.
type chunk struct {
	words []word
	box   document.Box
}

// row is a line of the whole page with its chunks.
type row struct {
	chunks []chunk
	box    document.Box
	size   float64
}

// rowsOf divides words into lines over the whole page, and those into chunks: at wide gaps and at vertical rules.
func (p *plane) rowsOf(words []word) (rows []row) {
	for _, l := range linesOf(words) {
		r := row{box: l.box, size: l.size}
		stretched := p.stretched(l)
		for i, w := range l.words {
			if i == 0 || p.apart(r.chunks[len(r.chunks)-1].box, w.box, l.size, stretched[i]) {
				r.chunks = append(r.chunks, chunk{box: w.box})
			}
			c := &r.chunks[len(r.chunks)-1]
			c.words = append(c.words, w)
			c.box = union(c.box, w.box, false)
		}
		rows = append(rows, r)
	}
	return centeredRows(rows)
}

const (
	// centeredStep is the largest distance of two lines of one row, in em, if the texts of its cells are centered and have different numbers of
	// lines. Lines of one text are further apart.
	centeredStep = 0.75
	// maxCentered is the largest number of lines of such a row. The lines of two columns of prose may overlap as well, and are more.
	maxCentered = 5
)

// centeredRows joins the lines of rows whose cells have different numbers of lines and are centered.
func centeredRows(rows []row) (list []row) {
	for first := 0; first < len(rows); {
		end := first + 1
		for end < len(rows) && rows[end-1].box.Y1-rows[end].box.Y1 < centeredStep*rows[end].size && rows[end].beside(rows[end-1]) {
			end++
		}
		joined := rows[first]
		if end-first <= maxCentered {
			for _, r := range rows[first+1 : end] {
				for _, c := range r.chunks {
					joined.chunks = stack(joined.chunks, c)
				}
				joined.box = union(joined.box, r.box, false)
			}
			list = append(list, joined)
		} else {
			list = append(list, rows[first:end]...)
		}
		first = end
	}
	return list
}

// beside reports whether the texts of two lines stand beside each other.
func (r row) beside(o row) bool {
	return !slices.ContainsFunc(r.chunks, func(c chunk) bool {
		return slices.ContainsFunc(o.chunks, func(d chunk) bool { return c.box.X0 < d.box.X1 && c.box.X1 > d.box.X0 })
	})
}

const (
	// minStretched is the least number of spaces of one width that make a part of a line a justified one, alikeSpaces how much they differ, and
	// widestSpace the largest of them, in em.
	minStretched = 3
	alikeSpaces  = 0.06
	widestSpace  = 2.5
)

// stretched marks the words of a line that come after one of several spaces of the same width, as justified lines have: they are no gaps between
// cells. Numbers stand at such distances in tables too.
func (p *plane) stretched(l line) []bool {
	marks := make([]bool, len(l.words))
	gap := func(i int) float64 { return l.words[i].box.X0 - l.words[i-1].box.X1 }
	for first := 1; first < len(l.words); {
		end, lettered := first+1, 0
		for end < len(l.words) && near(gap(end), gap(first), alikeSpaces*l.size) {
			end++
		}
		for _, w := range l.words[first-1 : end] {
			if strings.ContainsFunc(p.word(w), unicode.IsLetter) {
				lettered++
			}
		}
		words := end - first + 1
		if end-first >= minStretched && gap(first) < widestSpace*l.size && lettered*4 >= words*3 {
			for i := first; i < end; i++ {
				marks[i] = true
			}
		}
		first = end
	}
	return marks
}

// apart reports whether a box begins another chunk than the one before it. A stretched space does not divide them, but a rule does.
func (p *plane) apart(before, b document.Box, size float64, stretched bool) bool {
	if !stretched && b.X0-before.X1 > cellGap*size {
		return true
	}
	middle := (b.Y0 + b.Y1) / 2
	return slices.ContainsFunc(p.rules, func(r document.Box) bool {
		x := (r.X0 + r.X1) / 2
		return r.X1-r.X0 <= 3 && r.Y1-r.Y0 > 2*size && r.Y0 < middle && r.Y1 > middle && x > before.X1-0.2*size && x < b.X0+0.2*size
	})
}

// groups finds runs of rows that look like tables. Up to two rows with fewer chunks may stand between others: headings of groups, and second
// lines of cells.
func (p *plane) groups(rows []row) (groups [][]row) {
	var current []row
	pending := 0
	flush := func() {
		for pending > 0 {
			if last, next := current[len(current)-pending-1], current[len(current)-pending]; !wraps(last, next) && !belowColumns(last, next) {
				break
			}
			pending--
		}
		current = current[:len(current)-pending]
		if len(current) > 0 {
			groups = append(groups, current)
		}
		current, pending = nil, 0
	}
	for _, r := range rows {
		if n := len(current); n > 0 && current[n-1].box.Y0-r.box.Y1 > rowGap*(r.box.Y1-r.box.Y0) {
			flush()
		}
		least := minColumns
		if p.inTable(r.box) {
			least = 2
		}
		switch {
		case p.isProse(r) && !p.crossed(r):
			flush()
		case len(r.chunks) >= least:
			current, pending = append(current, r), 0
		case len(current) > 0 && pending < 2:
			current, pending = append(current, r), pending+1
		case len(current) > 0:
			flush()
		}
	}
	if len(current) > 0 {
		flush()
	}
	return groups
}

// wrapped is the largest distance of the lines of a cell, in em.
const wrapped = 1.35

// wraps reports whether a line is the next one of a cell in the row above that is not the first of its row: it stands below it, and begins where
// it does.
func wraps(above, r row) bool {
	if len(r.chunks) != 1 || len(above.chunks) == 0 || above.box.Y1-r.box.Y1 > wrapped*r.size || !near(above.size, r.size, 0.1*r.size) {
		return false
	}
	return slices.ContainsFunc(above.chunks[1:], func(c chunk) bool { return near(c.box.X0, r.box.X0, 0.1*r.size) }) ||
		len(above.chunks) == 1 && near(above.box.X0, r.box.X0, 0.1*r.size)
}

// belowColumns reports whether each of several texts of a line begins or ends where a text of the row above it does, as the sums of a table do.
func belowColumns(above, r row) bool {
	return len(r.chunks) > 1 && !slices.ContainsFunc(r.chunks, func(c chunk) bool {
		return !slices.ContainsFunc(above.chunks, func(o chunk) bool {
			return near(c.box.X0, o.box.X0, edgeAlign*r.size) || near(c.box.X1, o.box.X1, edgeAlign*r.size)
		})
	})
}

// isProse reports whether a line looks like one of several columns of prose.
func (p *plane) isProse(r row) bool {
	var lengths []float64
	for _, c := range r.chunks {
		lengths = append(lengths, p.length(c))
	}
	slices.Sort(lengths)
	return len(r.chunks) > 1 && lengths[(len(lengths)-1)/2] > proseRunes
}

// length is the number of characters of a chunk.
func (p *plane) length(c chunk) float64 {
	n := -1
	for _, w := range c.words {
		n += utf8.RuneCountInString(p.word(w)) + 1
	}
	return float64(n)
}

// crossed reports whether vertical rules stand between the chunks of a line.
func (p *plane) crossed(r row) bool {
	n := 0
	for i := 1; i < len(r.chunks); i++ {
		before, b := r.chunks[i-1].box, r.chunks[i].box
		middle := (b.Y0 + b.Y1) / 2
		if slices.ContainsFunc(p.rules, func(v document.Box) bool {
			x := (v.X0 + v.X1) / 2
			return v.X1-v.X0 <= 3 && v.Y0 < middle && v.Y1 > middle && x > before.X1-1 && x < b.X0+1
		}) {
			n++
		}
	}
	return n*2 >= len(r.chunks)
}

// inTable reports whether a region of class table covers most of a box.
func (p *plane) inTable(b document.Box) bool {
	return slices.ContainsFunc(p.regions, func(r document.Region) bool {
		return r.Class == document.ClassTable && overlap(r.Box, b) > 0.5*area(b)
	})
}
