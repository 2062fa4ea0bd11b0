package regions

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/comic"
)

// frameOf is the frame of a group of lines: in the direction of most characters, at the mean angle of the lines in that direction, weighted by
// length.
func frameOf(lines []Line) frame {
	balance := 0
	for _, l := range lines {
		if l.Vertical {
			balance += l.characters()
		} else {
			balance -= l.characters()
		}
	}
	vertical := balance > 0
	var sum, weight float64
	for _, l := range lines {
		if l.Vertical == vertical {
			sum += l.angle() * l.length()
			weight += l.length()
		}
	}
	return newFrame(sum/max(weight, 1), vertical)
}

// placed is a line with its extent in the frame of its region.
type placed struct {
	line          Line
	along, across interval
}

// readingOrder sorts lines: rows from top to bottom and their pieces from left to right; columns from right to left and their pieces from
// top to bottom.
func readingOrder(lines []Line, f frame) []Line {
	all := make([]placed, len(lines))
	for i, l := range lines {
		all[i].line = l
		all[i].along, all[i].across = f.extent(l.Quad)
		if f.vertical { // columns follow each other from right to left, against the axis
			all[i].across = interval{-all[i].across.to, -all[i].across.from}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.across.from+a.across.to, b.across.from+b.across.to) })
	sorted := make([]Line, 0, len(lines))
	for len(all) > 0 {
		n := rowLength(all)
		slices.SortStableFunc(all[:n], func(a, b placed) int { return cmp.Compare(a.along.from, b.along.from) })
		for _, p := range all[:n] {
			sorted = append(sorted, p.line)
		}
		all = all[n:]
	}
	return sorted
}

// rowLength is the number of lines, sorted across, in the row of the first: each overlaps it mostly across.
func rowLength(all []placed) int {
	first := all[0].across
	n := slices.IndexFunc(all, func(p placed) bool {
		return p.across.overlap(first).length() < 0.5*min(p.across.length(), first.length())
	})
	if n < 0 {
		return len(all)
	}
	return n
}

// edges are the beginnings, the middles and the ends of lines along a frame.
func edges(lines []Line, f frame) (starts, middles, ends scatter) {
	var from, middle, to []float64
	for _, l := range lines {
		along, _ := f.extent(l.Quad)
		from, middle, to = append(from, along.from), append(middle, (along.from+along.to)/2), append(to, along.to)
	}
	return spread(from), spread(middle), spread(to)
}

// scatter is the mean of some values and the distance of the value farthest from it.
type scatter struct{ mean, farthest float64 }

func spread(values []float64) (s scatter) {
	for _, v := range values {
		s.mean += v / float64(len(values))
	}
	for _, v := range values {
		s.farthest = max(s.farthest, math.Abs(v-s.mean))
	}
	return s
}

// alignment is the alignment for which the beginnings, middles or ends of the lines scatter least; centered if that is not clear. For
// columns, left means the top.
func alignment(lines []Line, f frame) comic.Alignment {
	starts, middles, ends := edges(lines, f)
	switch least := min(starts.farthest, middles.farthest, ends.farthest); least {
	case middles.farthest:
		return comic.AlignCenter
	case starts.farthest:
		return comic.AlignLeft
	default:
		return comic.AlignRight
	}
}
