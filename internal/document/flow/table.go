package flow

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/document"
)

const (
	// cellGap is the least gap between two cells, in em.
	cellGap = 0.8
	// minRows and minColumns are the least size of a table without rules; a table with a grid of rules may have two rows.
	minRows    = 3
	minColumns = 3
	// rowGap is the largest distance between two rows of a table, in heights of a row.
	rowGap = 3.0
	// proseRunes is the median length of the texts of a line, in characters, above which it is a line of columns of prose.
	proseRunes = 24
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

// tables takes the words of tables out, adds their cells, and returns the other words.
func (p *plane) tables(words []word) []word {
	rows := p.rowsOf(words)
	for _, r := range rows {
		for _, c := range r.chunks {
			p.chunks = append(p.chunks, c.box)
		}
	}
	taken := map[int]bool{}
	number := p.tableCount()
	for _, group := range p.groups(rows) {
		t := p.newTable(group)
		if t == nil {
			continue
		}
		t.emit(number)
		number++
		for _, r := range group {
			for _, c := range r.chunks {
				for _, w := range c.words {
					taken[w.glyphs[0]] = true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(words), func(w word) bool { return taken[w.glyphs[0]] })
}

// tableCount is the number of tables of the page so far.
func (p *plane) tableCount() (n int) {
	for _, o := range p.blocks {
		if o.block.Cell != nil {
			n = max(n, o.block.Cell.Table+1)
		}
	}
	return n
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
	return rows
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
		for pending > 0 && wraps(current[len(current)-pending-1], current[len(current)-pending]) {
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

// isProse reports whether a line looks like one of several columns of prose.
func (p *plane) isProse(r row) bool {
	var lengths []float64
	for _, c := range r.chunks {
		lengths = append(lengths, p.length(c))
	}
	return len(r.chunks) > 1 && median(lengths) > proseRunes
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

// table is a grid of cells.
type table struct {
	*plane
	rows []row
	box  document.Box
	// columns are the borders of the columns, one more than there are columns; lines are the borders of the rows from top to bottom, one
	// more than there are rows, and of the row that each line of text belongs to.
	columns []float64
	of      []int
	count   int
	size    float64
}

// newTable makes the grid of a group of rows; nil if it is no table.
func (p *plane) newTable(group []row) *table {
	t := &table{plane: p, rows: group}
	var lengths, sizes []float64
	for i, r := range group {
		t.box = union(t.box, r.box, i == 0)
		sizes = append(sizes, r.size)
		for _, c := range r.chunks {
			lengths = append(lengths, p.length(c))
		}
	}
	t.size = median(sizes)
	vertical := t.verticals()
	ruled := len(vertical) >= 2
	if len(group) < minRows && !ruled || median(lengths) > proseRunes && !ruled {
		return nil
	}
	t.columns = t.borders(vertical)
	if len(t.columns)-1 < minColumns && (!ruled || len(t.columns) <= 2) {
		return nil
	}
	t.assign()
	return t
}

// verticals are the positions of the vertical rules that run through most of the table, each once.
func (t *table) verticals() (list []float64) {
	for _, r := range t.rules {
		if r.X1-r.X0 > 3 || min(r.Y1, t.box.Y1)-max(r.Y0, t.box.Y0) < 0.4*(t.box.Y1-t.box.Y0) {
			continue
		}
		if x := (r.X0 + r.X1) / 2; x > t.box.X0-2*t.size && x < t.box.X1+2*t.size {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return slices.CompactFunc(list, func(a, b float64) bool { return b-a < 2 })
}

// borders are the borders of the columns: the vertical rules, and the gaps that hardly any row crosses.
func (t *table) borders(vertical []float64) []float64 {
	const resolution = 0.5
	n := int((t.box.X1-t.box.X0)/resolution) + 2
	covered := make([]int, n)
	rows := 0
	for _, r := range t.rows {
		if len(r.chunks) < 2 {
			continue
		}
		rows++
		for _, c := range r.chunks {
			for x := int((c.box.X0 - t.box.X0) / resolution); x <= int((c.box.X1-t.box.X0)/resolution) && x < n; x++ {
				covered[max(x, 0)]++
			}
		}
	}
	borders := []float64{t.box.X0 - t.size}
	allowed := rows / 12
	start := -1
	for x := range n {
		open := covered[x] <= allowed
		switch {
		case open && start < 0:
			start = x
		case !open && start >= 0:
			if start > 0 && float64(x-start)*resolution >= 0.5*t.size {
				borders = append(borders, t.box.X0+float64(start+x)/2*resolution)
			}
			start = -1
		}
	}
	borders = append(borders, t.box.X1+t.size)
	for _, x := range vertical {
		at, found := slices.BinarySearch(borders, x)
		if !found && at > 0 && at < len(borders) {
			// A rule replaces the gap that it stands in.
			switch {
			case borders[at]-x < 1.5*t.size && at < len(borders)-1:
				borders[at] = x
			case x-borders[at-1] < 1.5*t.size && at > 1:
				borders[at-1] = x
			}
		}
	}
	return borders
}

// assign gives each line of text its row: a line continues the row above it if it has no text in the first column, is close, and no rule
// stands between.
func (t *table) assign() {
	var distances []float64
	for i := 1; i < len(t.rows); i++ {
		distances = append(distances, t.rows[i-1].box.Y1-t.rows[i].box.Y1)
	}
	usual := median(distances)
	for i, r := range t.rows {
		if i == 0 || !t.continues(t.rows[i-1], r, usual) {
			t.count++
		}
		t.of = append(t.of, t.count-1)
	}
}

func (t *table) continues(above, r row, usual float64) bool {
	if len(r.chunks) >= len(above.chunks) || t.column(r.chunks[0].box) == 0 && len(r.chunks) > 1 || t.ruleBetween(above.box, r.box) {
		return false
	}
	distance := above.box.Y1 - r.box.Y1
	return distance < wrapped*r.size && distance <= usual*1.05 && len(r.chunks)*2 <= len(t.columns)-1
}

// ruleBetween reports whether a horizontal rule divides two lines.
func (t *table) ruleBetween(above, below document.Box) bool {
	return slices.ContainsFunc(t.rules, func(r document.Box) bool {
		middle := (r.Y0 + r.Y1) / 2
		return r.Y1-r.Y0 <= 3 && r.X1-r.X0 > 3*t.size && middle < above.Y0+0.4*t.size && middle > below.Y1-0.4*t.size &&
			r.X0 < below.X1 && r.X1 > below.X0
	})
}

// column is the column in which a box begins.
func (t *table) column(b document.Box) int {
	for i := 1; i < len(t.columns)-1; i++ {
		if b.X0+0.3*(b.X1-b.X0) < t.columns[i] && b.X0+0.5*t.size < t.columns[i] {
			return i - 1
		}
	}
	return len(t.columns) - 2
}

// last is the column in which a box ends.
func (t *table) last(b document.Box) int {
	for i := len(t.columns) - 2; i > 0; i-- {
		if b.X1-0.5*t.size > t.columns[i] {
			return i
		}
	}
	return 0
}
