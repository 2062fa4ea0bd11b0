package regions

import (
	"math"
	"slices"

	"plait/internal/comic"
)

// inReadingOrder sorts the lines of a group in the frame of the group.
func inReadingOrder(lines []Line) []Line {
	vertical := mostlyVertical(lines)
	return readingOrder(lines, newFrame(meanAngle(lines, vertical), vertical))
}

func mostlyVertical(lines []Line) bool {
	balance := 0
	for _, l := range lines {
		if l.Vertical {
			balance += l.characters()
		} else {
			balance -= l.characters()
		}
	}
	return balance > 0
}

// meanAngle is the mean angle of the lines of the main direction, weighted by length.
func meanAngle(lines []Line, vertical bool) float64 {
	var sum, weight float64
	for _, l := range lines {
		if l.Vertical == vertical {
			sum += l.angle() * l.length()
			weight += l.length()
		}
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
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
	slices.SortStableFunc(all, func(a, b placed) int { return compare(a.across.from+a.across.to, b.across.from+b.across.to) })
	sorted := make([]Line, 0, len(lines))
	for len(all) > 0 {
		n := rowLength(all)
		slices.SortStableFunc(all[:n], func(a, b placed) int { return compare(a.along.from, b.along.from) })
		for _, p := range all[:n] {
			sorted = append(sorted, p.line)
		}
		all = all[n:]
	}
	return sorted
}

// rowLength is the number of lines, sorted across, in the row of the first: each overlaps it mostly across, and overlaps none of the
// others along.
func rowLength(all []placed) int {
	n := 1
	for n < len(all) {
		p := all[n]
		if p.across.overlap(all[0].across).length() < 0.5*min(p.across.length(), all[0].across.length()) ||
			slices.ContainsFunc(all[:n], func(q placed) bool {
				return q.along.overlap(p.along).length() > 0.3*min(q.along.length(), p.along.length())
			}) {
			break
		}
		n++
	}
	return n
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// spread is the mean and the standard deviation of values.
func spread(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(deviation)
}

// alignment is the alignment for which the beginnings, middles or ends of the lines scatter least; centered if that is not clear. For
// columns, left means the top.
func alignment(lines []Line, f frame) comic.Alignment {
	if len(lines) < 2 {
		return comic.AlignCenter
	}
	var starts, middles, ends []float64
	for _, l := range lines {
		along, _ := f.extent(l.Quad)
		starts = append(starts, along.from)
		middles = append(middles, (along.from+along.to)/2)
		ends = append(ends, along.to)
	}
	_, start := spread(starts)
	_, middle := spread(middles)
	_, end := spread(ends)
	switch {
	case middle <= start && middle <= end:
		return comic.AlignCenter
	case start <= end:
		return comic.AlignLeft
	default:
		return comic.AlignRight
	}
}
