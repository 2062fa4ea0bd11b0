package flow

import (
	"slices"

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
	// proseRunes is the length of the texts of a line, in characters, above which most of them are lines of columns of prose.
	proseRunes = 24
)

// tables takes the words of tables out, adds their cells, and returns the other words.
func (p *plane) tables(words []word) []word {
	rows := p.rowsOf(words)
	for _, r := range rows {
		for _, c := range r.chunks {
			p.chunks = append(p.chunks, c.box)
		}
	}
	taken := map[int]bool{}
	for _, t := range p.tablesOf(p.groups(rows)) {
		t.emit(p.nextTable)
		p.nextTable++
		for _, r := range t.rows {
			for _, c := range r.chunks {
				for _, w := range c.words {
					taken[w.glyphs[0]] = true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(words), func(w word) bool { return taken[w.glyphs[0]] })
}

// tablesOf makes tables of groups of rows. A group may have several, beside each other, or with single texts such as captions between them.
func (p *plane) tablesOf(groups [][]row) (tables []*table) {
	for _, group := range groups {
		whole := p.newTable(group)
		if whole != nil {
			if border := whole.division(); border > 0 {
				tables = append(tables, p.tablesOf(whole.divided(border))...)
				continue
			}
		}
		if whole != nil && whole.crowded() == 0 {
			tables = append(tables, whole)
			continue
		}
		var parts [][]row
		first := 0
		for i, r := range group {
			if len(r.chunks) == 1 {
				parts = append(parts, group[first:i])
				first = i + 1
			}
		}
		var divided []*table
		crowded := 0
		if first > 0 {
			divided = p.tablesOf(append(parts, group[first:]))
		}
		for _, t := range divided {
			crowded += t.crowded()
		}
		if whole != nil && (len(divided) < 2 || crowded >= whole.crowded()) {
			divided = []*table{whole}
		}
		tables = append(tables, divided...)
	}
	return tables
}

// crowded is the number of texts that stand beside another one in their column.
func (t *table) crowded() (n int) {
	for _, r := range t.rows {
		taken := map[int]bool{}
		for _, c := range r.chunks {
			if column := t.column(c.box); taken[column] {
				n++
			} else {
				taken[column] = true
			}
		}
	}
	return n
}

// tableCount is the number of tables of the page so far.
func (b *builder) tableCount() (n int) {
	for _, o := range b.blocks {
		if o.block.Cell != nil {
			n = max(n, o.block.Cell.Table+1)
		}
	}
	return n
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
	ruled := len(vertical) >= 2 && slices.ContainsFunc(t.rules, t.crosses)
	if t.cards() || !ruled && (len(group) < minRows || median(lengths) > proseRunes) {
		return nil
	}
	t.columns = t.borders(vertical)
	if len(t.columns)-1 < minColumns && (!ruled || len(t.columns) <= 2) {
		return nil
	}
	t.assign()
	return t
}

// crosses reports whether a rule lies at or in the table, and runs through several of its columns. Without one, vertical rules may be those
// between columns of prose.
func (t *table) crosses(r document.Box) bool {
	return r.Y1-r.Y0 <= 3 && min(r.X1, t.box.X1)-max(r.X0, t.box.X0) > (t.box.X1-t.box.X0)/2 && r.Y1 > t.box.Y0-2*t.size && r.Y0 < t.box.Y1+2*t.size
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
	return slices.CompactFunc(list, func(a, b float64) bool { return near(a, b, 2) })
}

// borders are the borders of the columns: the vertical rules, and the gaps that hardly any row crosses.
func (t *table) borders(vertical []float64) []float64 {
	const resolution = 0.5
	n := int((t.box.X1-t.box.X0)/resolution) + 2
	covered := make([]int, n)
	rows, most := 0, 0
	for _, r := range t.rows {
		most = max(most, len(r.chunks))
	}
	for _, r := range t.rows {
		if len(r.chunks) < 2 || 2*len(r.chunks) <= most { // its texts may span columns
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

// linesBetween is the largest mean number of lines between two rules of a table whose rows are divided by rules.
const linesBetween = 2.5

// dividedByRules gives each line of text its row if rules divide the rows.
func (t *table) dividedByRules() bool {
	var borders []float64
	for _, r := range t.rules {
		if r.Y1-r.Y0 <= 3 && min(r.X1, t.box.X1)-max(r.X0, t.box.X0) > 0.8*(t.box.X1-t.box.X0) && r.Y0 < t.box.Y1 && r.Y1 > t.box.Y0 {
			borders = append(borders, -(r.Y0+r.Y1)/2)
		}
	}
	borders = levels(borders)
	if len(borders) < minRows-1 || float64(len(t.rows)) > linesBetween*float64(len(borders)+1) {
		return false
	}
	for _, r := range t.rows {
		n, _ := slices.BinarySearch(borders, -(r.box.Y0+r.box.Y1)/2)
		t.of = append(t.of, n)
	}
	t.count = len(borders) + 1
	return true
}

// assign gives each line of text its row: a line continues the row above it if it has no text in the first column, is close, and no rule
// stands between.
func (t *table) assign() {
	if t.dividedByRules() {
		return
	}
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
