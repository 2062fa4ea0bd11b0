package readingorder

import "math"

// line classifies a line through an area.
type line int

const (
	// lineClear is a line with paper from one side of the area to the other.
	lineClear line = iota
	lineInked
	// lineShort is a line that only cuts off a corner of the area, so it says nothing.
	lineShort
)

// lines are the parallel lines of a cut through an area.
type lines struct {
	paper *paper
	area  area
	cut   cut
	along span
}

func (p *paper) linesOf(a area, c cut) lines {
	if c.across {
		return lines{p, a, c, a.columns()}
	}
	return lines{p, a, c, span{a.top, a.top + len(a.rows)}}
}

// look walks along the line of an offset until its class is known.
func (l lines) look(offset int) line {
	all := l.along.length()
	mostInk, mostBeside := int(gutterInk*float64(all)), all
	if l.cut.slope != 0 {
		mostBeside = int((1 - slantedLength) * float64(all))
	}
	ink, beside := 0, 0
	aside := float64(offset) + l.cut.slope*(float64(l.along.from)-l.cut.middle)
	for i := l.along.from; i < l.along.to; i++ {
		x, y := int(math.Floor(aside+0.5)), i
		aside += l.cut.slope
		if l.cut.across {
			x, y = y, x
		}
		if row := y - l.area.top; row < 0 || row >= len(l.area.rows) || x < l.area.rows[row].from || x >= l.area.rows[row].to {
			if beside++; beside > mostBeside {
				return lineShort
			}
			continue
		}
		if l.paper.barred.Has(x, y) {
			if ink++; ink > mostInk {
				return lineInked
			}
		}
	}
	if float64(ink) > gutterInk*float64(all-beside) {
		return lineInked
	}
	return lineClear
}
