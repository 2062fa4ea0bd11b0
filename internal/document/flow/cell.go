package flow

import (
	"slices"
	"strings"
	"unicode"

	"plait/internal/document"
)

// emit adds the cells, row by row.
func (t *table) emit(number int) {
	edges := t.edges()
	for n := range t.count {
		cells := make([][]chunk, len(t.columns)-1)
		span := map[int]int{}
		var box document.Box
		first := true
		for i, r := range t.rows {
			if t.of[i] != n {
				continue
			}
			box = union(box, r.box, first)
			first = false
			for _, c := range r.chunks {
				column := t.column(c.box)
				cells[column] = stack(cells[column], c)
				span[column] = max(span[column], t.last(c.box)-column+1, 1)
			}
		}
		for column := 0; column < len(cells); {
			width := 1
			for width < span[column] && column+width < len(cells) && len(cells[column+width]) == 0 {
				width++
			}
			at := document.Cell{Table: number, Row: n, Column: column, RowSpan: 1, ColumnSpan: width}
			own := t.columnArea(at, box)
			at.Area = t.frame.BoxOut(own)
			if len(cells[column]) == 0 {
				t.empty(at, own)
			}
			for i, c := range cells[column] {
				t.cell(at, linesOf(c.words), t.area(cells, at, i, box), edges[column])
			}
			column += width
		}
	}
}

// stack adds a chunk to those of a column in one row: a part of a line to those above and below it, or else beside them.
func stack(column []chunk, c chunk) []chunk {
	for i, o := range column {
		if c.box.X0 < o.box.X1 && c.box.X1 > o.box.X0 {
			column[i] = chunk{words: append(o.words, c.words...), box: union(o.box, c.box, false)}
			return column
		}
	}
	column = append(column, c)
	slices.SortStableFunc(column, func(a, b chunk) int { return compare(a.box.X0, b.box.X0) })
	return column
}

// cellPadding is the least distance of a text to the border of its column, in points, and numberGap that to a number beside it, in em.
const (
	cellPadding = 1.0
	numberGap   = 0.6
)

// columnArea is the area of the columns of a cell in a row with the box.
func (t *table) columnArea(at document.Cell, row document.Box) document.Box {
	return document.Box{X0: t.columns[at.Column] + cellPadding, X1: t.columns[at.Column+at.ColumnSpan] - cellPadding, Y0: row.Y0, Y1: row.Y1}
}

// area is the area of the text with the position among those of its column. It is free up to the next text on both sides: to the border of its
// column, or to a number, which does not grow.
func (t *table) area(cells [][]chunk, at document.Cell, text int, row document.Box) (a cellArea) {
	a.own = t.columnArea(at, row)
	column := cells[at.Column]
	if text > 0 {
		a.own.X0 = (column[text-1].box.X1+column[text].box.X0)/2 + cellPadding
	}
	if text < len(column)-1 {
		a.own.X1 = (column[text].box.X1+column[text+1].box.X0)/2 - cellPadding
	}
	a.free = a.own
	if text == 0 {
		first := at.Column
		for ; first > 0 && len(cells[first-1]) == 0; first-- {
			a.free.X0 = t.columns[first-1] + cellPadding
		}
		if first > 0 && len(cells[first-1]) > 0 {
			if beside := cells[first-1][len(cells[first-1])-1]; !t.lettered(beside) {
				a.free.X0 = min(a.free.X0, beside.box.X1+numberGap*t.size)
			}
		}
	}
	if text == len(column)-1 {
		last := at.Column + at.ColumnSpan
		for ; last < len(cells) && len(cells[last]) == 0; last++ {
			a.free.X1 = t.columns[last+1] - cellPadding
		}
		if last < len(cells) && !t.lettered(cells[last][0]) {
			a.free.X1 = max(a.free.X1, cells[last][0].box.X0-numberGap*t.size)
		}
	}
	return a
}

// lettered reports whether a text has a letter.
func (t *table) lettered(c chunk) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return strings.ContainsFunc(t.word(w), unicode.IsLetter) })
}

// cellArea is the area of a text in its columns, and with what is free beside them.
type cellArea struct{ own, free document.Box }

// empty adds a cell without a text.
func (t *table) empty(at document.Cell, area document.Box) {
	block := document.Block{Class: document.ClassTable, Cell: &at, Box: t.frame.BoxOut(area), Untranslated: document.ReasonEmpty, Direction: t.frame}
	t.plane.emit(block, area, area)
}

// cell adds a text of a cell, in a column with an edge.
func (t *table) cell(at document.Cell, lines []line, area cellArea, edge columnEdge) {
	limit := area.own
	block := t.block(lines)
	block.Class, block.Cell = document.ClassTable, &at
	t.shape(&block, lines, limit, limit)
	if len(lines) == 1 && at.ColumnSpan == 1 && edge.has(lines[0].box) {
		block.Align = edge.align
		if block.RightToLeft {
			block.Align = opposite(edge.align)
		}
	}
	onRight := block.Align == document.AlignEnd
	switch {
	case block.Align == document.AlignCenter:
	case onRight != block.RightToLeft:
		limit.X0 = min(limit.X0, area.free.X0)
	default:
		limit.X1 = max(limit.X1, area.free.X1)
	}
	t.plane.emit(block, boxOfLines(lines), limit)
}

// opposite is an alignment for a text that is written in the other direction.
func opposite(a document.Align) document.Align {
	switch a {
	case document.AlignStart:
		return document.AlignEnd
	case document.AlignEnd:
		return document.AlignStart
	case document.AlignCenter, document.AlignJustify:
	}
	return a
}

const (
	// minAligned is the least number of cells that give a column an edge, and aligned the least share of them that has it.
	minAligned = 3
	aligned    = 0.75
	// edgeAlign is how far the cells of a column are from its edge, in em.
	edgeAlign = 0.2
)

// columnEdge is where the cells of a column begin, end or have their middle, by their alignment; empty for a column without one.
type columnEdge struct {
	align         document.Align
	at, tolerance float64
}

// of is the position of a box that the edge is compared with.
func (e columnEdge) of(b document.Box) float64 {
	switch e.align {
	case document.AlignEnd:
		return b.X1
	case document.AlignCenter:
		return (b.X0 + b.X1) / 2
	case document.AlignStart, document.AlignJustify:
	}
	return b.X0
}

func (e columnEdge) has(b document.Box) bool {
	return e.align != "" && near(e.of(b), e.at, e.tolerance)
}

// edges are those of the columns: of the alignments that most of their cells have, the one that the most have.
func (t *table) edges() []columnEdge {
	boxes := make([][]document.Box, len(t.columns)-1)
	for _, r := range t.rows {
		for _, c := range r.chunks {
			if column := t.column(c.box); t.last(c.box) <= column {
				boxes[column] = append(boxes[column], c.box)
			}
		}
	}
	edges := make([]columnEdge, len(boxes))
	for i, column := range boxes {
		most := aligned * float64(len(column))
		for _, align := range []document.Align{document.AlignStart, document.AlignEnd, document.AlignCenter} {
			e := columnEdge{align: align, tolerance: edgeAlign * t.size}
			var places []float64
			for _, b := range column {
				places = append(places, e.of(b))
			}
			e.at = median(places)
			n := 0.0
			for _, b := range column {
				if e.has(b) {
					n++
				}
			}
			if len(column) >= minAligned && n >= most {
				edges[i], most = e, n+1
			}
		}
	}
	return edges
}
