package flow

import (
	"slices"

	"plait/internal/document"
)

const (
	// jointGap is the largest distance of two rules of one grid, in points, and that of two rules which are one border of its cells.
	jointGap = 3.0
	// minGridRule is the least length of a rule of a grid, in points. Dashes are shorter.
	minGridRule = 4.0
	// maxGridRules bounds the rules of a page that are looked at for grids, and maxGridCells the places of a grid: charts have thousands.
	maxGridRules = 3000
	maxGridCells = 6000
	// minGridTexts is the least number of cells with a text.
	minGridTexts = 4
	// overGrid is how far a text may reach over its cell, in em.
	overGrid = 0.4
	// listed is the least number of lines of two cells beside each other that may be several rows without rules between them, and lineShare the
	// width of the lines of rows, relative to their cell: those of a paragraph are longer.
	listed    = 3
	lineShare = 0.75
	// maxCellLines is the largest number of lines of a cell: frames around parts of a page have more.
	maxCellLines = 15
)

// grids takes the words of tables whose cells are divided by rules or have grounds out, adds their cells, and returns the other words. A cell may span rows and
// columns, and its text may have any number of lines.
func (p *plane) grids(words []word) []word {
	for _, rules := range p.joinedRules() {
		g := p.newGrid(rules)
		if g == nil {
			continue
		}
		if rest, ok := g.fill(words); ok {
			words = rest
			g.emit()
		}
	}
	return words
}

// joinedRules are the groups of rules, and of edges of filled areas, that touch each other.
func (p *plane) joinedRules() (groups [][]document.Box) {
	var rules []document.Box
	for _, r := range p.rules {
		if max(r.X1-r.X0, r.Y1-r.Y0) >= minGridRule {
			rules = append(rules, r)
		}
	}
	for _, f := range p.page.Fills {
		b := p.frame.BoxIn(f.Box)
		rules = append(rules, document.Box{X0: b.X0, X1: b.X1, Y0: b.Y0, Y1: b.Y0}, document.Box{X0: b.X0, X1: b.X1, Y0: b.Y1, Y1: b.Y1},
			document.Box{X0: b.X0, X1: b.X0, Y0: b.Y0, Y1: b.Y1}, document.Box{X0: b.X1, X1: b.X1, Y0: b.Y0, Y1: b.Y1})
	}
	if len(rules) > maxGridRules {
		return nil
	}
	slices.SortFunc(rules, func(a, b document.Box) int { return compare(b.Y1, a.Y1) })
	seen := make([]bool, len(rules))
	for first := range rules {
		if seen[first] {
			continue
		}
		seen[first] = true
		group := []document.Box{rules[first]}
		for at := 0; at < len(group); at++ {
			near := document.Box{X0: group[at].X0 - jointGap, Y0: group[at].Y0 - jointGap, X1: group[at].X1 + jointGap, Y1: group[at].Y1 + jointGap}
			for i, r := range rules {
				if !seen[i] && overlap(near, document.Box{X0: r.X0 - 0.01, Y0: r.Y0 - 0.01, X1: r.X1 + 0.01, Y1: r.Y1 + 0.01}) > 0 {
					seen[i] = true
					group = append(group, r)
				}
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// grid is a table whose cells are divided by rules.
type grid struct {
	*plane
	// xs are the borders of the columns from left to right, and ys those of the rows from top to bottom.
	xs, ys []float64
	// of is the cell of each place, row by row: places without a rule between them are one cell.
	of    []int
	cells []gridCell
}

type gridCell struct {
	row, column, rows, columns int
	box                        document.Box
	words                      []word
}

// newGrid makes a grid of rules; nil if they make none.
func (p *plane) newGrid(rules []document.Box) *grid {
	g := &grid{plane: p}
	var horizontal, vertical []document.Box
	var box document.Box
	for i, r := range rules {
		box = union(box, r, i == 0)
		if r.X1-r.X0 > r.Y1-r.Y0 {
			horizontal = append(horizontal, r)
		} else {
			vertical = append(vertical, r)
		}
	}
	g.xs, g.ys = []float64{box.X0, box.X1}, []float64{-box.Y0, -box.Y1}
	for _, r := range vertical {
		g.xs = append(g.xs, (r.X0+r.X1)/2)
	}
	for _, r := range horizontal {
		g.ys = append(g.ys, -(r.Y0+r.Y1)/2)
	}
	g.xs, g.ys = levels(g.xs), levels(g.ys)
	for i := range g.ys {
		g.ys[i] = -g.ys[i]
	}
	const least = 3
	if len(g.xs) < least || len(g.ys) < least || (len(g.xs)-1)*(len(g.ys)-1) > maxGridCells {
		return nil
	}
	g.join(horizontal, vertical)
	return g
}

// levels are positions in order, those within jointGap of each other once.
func levels(list []float64) []float64 {
	slices.Sort(list)
	return slices.CompactFunc(list, func(a, b float64) bool { return near(a, b, jointGap) })
}

// join joins the places of the grid to cells.
func (g *grid) join(horizontal, vertical []document.Box) {
	columns, rows := len(g.xs)-1, len(g.ys)-1
	right, below := g.divisions(horizontal, vertical)
	g.of = make([]int, columns*rows)
	for i := range g.of {
		g.of[i] = -1
	}
	for first := range g.of {
		if g.of[first] >= 0 {
			continue
		}
		n := len(g.cells)
		g.of[first] = n
		row, left := first/columns, first%columns
		lastRow, lastColumn := row, left
		for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			column := at % columns
			left, lastColumn, lastRow = min(left, column), max(lastColumn, column), max(lastRow, at/columns)
			for _, next := range []struct {
				at   int
				open bool
			}{
				{at + 1, column+1 < columns && !right[at]}, {at - 1, column > 0 && !right[max(at-1, 0)]},
				{at + columns, at+columns < len(g.of) && !below[at]}, {at - columns, at >= columns && !below[max(at-columns, 0)]},
			} {
				if next.open && g.of[next.at] < 0 {
					g.of[next.at] = n
					queue = append(queue, next.at)
				}
			}
		}
		g.cells = append(g.cells, gridCell{
			row: row, column: left, rows: lastRow - row + 1, columns: lastColumn - left + 1,
			box: document.Box{X0: g.xs[left], X1: g.xs[lastColumn+1], Y0: g.ys[lastRow+1], Y1: g.ys[row]},
		})
	}
}

// divisions tells for each place whether a rule stands between it and the place on its right, and the one below it.
func (g *grid) divisions(horizontal, vertical []document.Box) (right, below []bool) {
	columns, rows := len(g.xs)-1, len(g.ys)-1
	right, below = make([]bool, columns*rows), make([]bool, columns*rows)
	for at := range right {
		row, column := at/columns, at%columns
		x, y := (g.xs[column]+g.xs[column+1])/2, (g.ys[row]+g.ys[row+1])/2
		right[at] = slices.ContainsFunc(vertical, func(v document.Box) bool {
			return near((v.X0+v.X1)/2, g.xs[column+1], jointGap) && v.Y0 < y && v.Y1 > y
		})
		below[at] = slices.ContainsFunc(horizontal, func(h document.Box) bool {
			return near((h.Y0+h.Y1)/2, g.ys[row+1], jointGap) && h.X0 < x && h.X1 > x
		})
	}
	return right, below
}

// fill gives the cells their words and returns the others; ok is false if the words do not stand in cells as those of a table do.
func (g *grid) fill(words []word) (rest []word, ok bool) {
	for _, w := range words {
		x, y := (w.box.X0+w.box.X1)/2, (w.box.Y0+w.box.Y1)/2
		column := slices.IndexFunc(g.xs[1:], func(border float64) bool { return x < border })
		row := slices.IndexFunc(g.ys[1:], func(border float64) bool { return y > border })
		if column < 0 || row < 0 || x < g.xs[0] || y > g.ys[0] {
			rest = append(rest, w)
			continue
		}
		cell := &g.cells[g.of[row*(len(g.xs)-1)+column]]
		if w.box.X0 < cell.box.X0-overGrid*w.size || w.box.X1 > cell.box.X1+overGrid*w.size {
			return nil, false
		}
		cell.words = append(cell.words, w)
	}
	rows, columns, texts := map[int]bool{}, map[int]bool{}, 0
	for _, c := range g.cells {
		if len(c.words) > 0 {
			rows[c.row], columns[c.column] = true, true
			texts++
		}
	}
	return rest, texts >= minGridTexts && len(rows) > 1 && len(columns) > 1 && !g.hasLists()
}

// hasLists reports whether a cell has a table of its own, or two cells beside each other have several short lines at the same heights: rows
// without rules between them.
func (g *grid) hasLists() bool {
	lists := map[int][]line{}
	for _, c := range g.cells {
		if len(c.words) == 0 {
			continue
		}
		divided := 0
		for _, r := range g.rowsOf(c.words) {
			if len(r.chunks) > 1 {
				divided++
			}
		}
		lines := linesOf(c.words)
		if divided >= listed || len(lines) > maxCellLines {
			return true
		}
		if !c.isList(lines) {
			continue
		}
		if beside, known := lists[c.row]; known && alignedLines(beside, lines) {
			return true
		}
		lists[c.row] = lines
	}
	return false
}

// isList reports whether lines of a cell are short, or far from each other.
func (c gridCell) isList(lines []line) bool {
	long := false
	for i := 1; i < len(lines); i++ {
		above := lines[i-1]
		if above.baseline-lines[i].baseline > looseLeading*above.size {
			return true
		}
		long = long || above.box.X1-above.box.X0 > lineShare*(c.box.X1-c.box.X0)
	}
	return len(lines) >= listed && !long
}

// alignedLines reports whether the lines of two cells have the same baselines.
func alignedLines(a, b []line) bool {
	for i := range min(len(a), len(b)) {
		if !near(a[i].baseline, b[i].baseline, 0.1*a[i].size) {
			return false
		}
	}
	return true
}

// emit adds the cells, row by row.
func (g *grid) emit() {
	number := g.nextTable
	g.nextTable++
	t := &table{plane: g.plane, columns: g.xs}
	var sizes []float64
	for _, c := range g.cells {
		for _, l := range linesOf(c.words) {
			sizes = append(sizes, l.size)
			t.rows = append(t.rows, row{chunks: []chunk{{box: l.box, words: l.words}}, box: l.box, size: l.size})
		}
	}
	t.size = median(sizes)
	edges := t.edges()
	for _, c := range g.cells {
		own := document.Box{
			X0: c.box.X0 + cellPadding, Y0: c.box.Y0 + cellPadding, X1: max(c.box.X1-cellPadding, c.box.X0+cellPadding), Y1: max(c.box.Y1-cellPadding, c.box.Y0+cellPadding),
		}
		at := document.Cell{
			Table: number, Row: c.row, Column: c.column, RowSpan: c.rows, ColumnSpan: c.columns, Area: g.frame.BoxOut(own),
		}
		switch {
		case len(c.words) > 0:
			for _, part := range cut(c.words, own, 0) {
				part.cell = true
				g.lines(part, func(lines []line, _, area document.Box) {
					t.cell(at, lines, cellArea{own: area, free: area}, edges[c.column])
				})
			}
		case min(own.X1-own.X0, own.Y1-own.Y0) > t.size/2: // not the space between two lines of a border
			t.empty(at, own)
		}
	}
}
