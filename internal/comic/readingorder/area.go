package readingorder

import "math"

// area is a convex part of a page, in cells: a span of columns for each row from top on.
type area struct {
	top  int
	rows []span
}

// span is a half-open interval of cells: from..to-1.
type span struct{ from, to int }

func (s span) length() int { return max(0, s.to-s.from) }

// wholeArea is the area of a whole page of width x height cells.
func wholeArea(width, height int) area {
	a := area{rows: make([]span, height)}
	for i := range a.rows {
		a.rows[i] = span{0, width}
	}
	return a
}

// columns is the span of columns that the rows of a cover.
func (a area) columns() span {
	all := span{math.MaxInt32, math.MinInt32}
	for _, r := range a.rows {
		if r.length() > 0 {
			all = span{min(all.from, r.from), max(all.to, r.to)}
		}
	}
	return all
}

// size is the number of cells of a.
func (a area) size() int {
	n := 0
	for _, r := range a.rows {
		n += r.length()
	}
	return n
}

// cells is the number of cells of a in the rectangle from x0, y0 up to but excluding x1, y1.
func (a area) cells(x0, y0, x1, y1 int) int {
	n := 0
	for y := max(y0, a.top); y < min(y1, a.top+len(a.rows)); y++ {
		r := a.rows[y-a.top]
		n += span{max(r.from, x0), min(r.to, x1)}.length()
	}
	return n
}

// cut is a way to divide an area by parallel lines, which run horizontally (across) or vertically. The slope is the number of cells by
// which a line shifts for each cell along it. A line is identified by its offset: its position at the middle of the area.
type cut struct {
	across bool
	slope  float64
	// middle is the position along the lines at which offsets are measured.
	middle float64
}

// newCut makes a cut of a.
func (a area) newCut(across bool, slope float64) cut {
	if across {
		c := a.columns()
		return cut{true, slope, float64(c.from+c.to) / 2}
	}
	return cut{false, slope, float64(a.top) + float64(len(a.rows))/2}
}

// offset is the offset of the line through the middle of a cell.
func (c cut) offset(x, y float64) float64 {
	if c.across {
		return y - c.slope*(x-c.middle)
	}
	return x - c.slope*(y-c.middle)
}

// at is the position of the line with an offset, at a place along it.
func (c cut) at(offset int, along float64) int {
	return int(math.Floor(float64(offset) + c.slope*(along-c.middle) + 0.5))
}

// part is the part of a on the lines with offsets from..to-1.
func (c cut) part(a area, from, to int) area {
	p := area{top: a.top, rows: make([]span, len(a.rows))}
	if c.across {
		c.acrossPart(a, from, to, p.rows)
		return p.trimmed()
	}
	for i, r := range a.rows {
		y := float64(a.top + i)
		p.rows[i] = span{max(r.from, c.at(from, y)), min(r.to, c.at(to, y))}
	}
	return p.trimmed()
}

// acrossPart writes the rows of a part of a cut across. It follows each line of the cut once, instead of once for every row.
func (c cut) acrossPart(a area, from, to int, rows []span) {
	columns := a.columns()
	between, all := make([]span, columns.length()), span{math.MaxInt32, math.MinInt32}
	for i := range between {
		x := float64(columns.from + i)
		between[i] = span{c.at(from, x), c.at(to, x)}
		all = span{min(all.from, between[i].from), max(all.to, between[i].to)}
	}
	for i, r := range a.rows {
		y, inside := a.top+i, span{math.MaxInt32, math.MinInt32}
		if y < all.from || y >= all.to {
			rows[i] = inside
			continue
		}
		holds := func(x int) bool { return y >= between[x-columns.from].from && y < between[x-columns.from].to }
		for x := r.from; x < r.to; x++ {
			if holds(x) {
				inside.from = x
				break
			}
		}
		for x := r.to - 1; x >= inside.from; x-- {
			if holds(x) {
				inside.to = x + 1
				break
			}
		}
		rows[i] = inside
	}
}

// trimmed is a without empty rows at its top and bottom.
func (a area) trimmed() area {
	for len(a.rows) > 0 && a.rows[0].length() == 0 {
		a.top, a.rows = a.top+1, a.rows[1:]
	}
	for len(a.rows) > 0 && a.rows[len(a.rows)-1].length() == 0 {
		a.rows = a.rows[:len(a.rows)-1]
	}
	return a
}
