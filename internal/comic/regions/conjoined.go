package regions

import "math"

// Limits for splitting two bubbles that run into each other, in sizes of the smallest line.
const (
	// agreeing is the greatest distance of the middles of the lines of one bubble from their mean.
	agreeing = 0.4
	// shifted is the least distance between the middles of two bubbles.
	shifted = 1.2
)

// conjoined divides a group, sorted in reading order, where one bubble runs into the next without an outline between them. The lines of
// each bubble are then centered on their own middle. In contrast, the lines of a single bubble set to one side share an edge, and those of
// a slanted one move their middle from line to line.
func conjoined(lines []Line) [][]Line {
	vertical := mostlyVertical(lines)
	f := newFrame(meanAngle(lines, vertical), vertical)
	size := math.Inf(1)
	starts, middles, ends := make([]float64, len(lines)), make([]float64, len(lines)), make([]float64, len(lines))
	for i, l := range lines {
		along, _ := f.extent(l.Quad)
		starts[i], middles[i], ends[i], size = along.from, (along.from+along.to)/2, along.to, min(size, l.size())
	}
	if min(spreadFrom(starts).farthest, spreadFrom(ends).farthest) <= agreeing*size {
		return [][]Line{lines} // set to one edge
	}
	for k := 2; k+2 <= len(lines); k++ {
		before, after := spreadFrom(middles[:k]), spreadFrom(middles[k:])
		if math.Abs(after.mean-before.mean) >= shifted*size && max(before.farthest, after.farthest) <= agreeing*size {
			return append([][]Line{lines[:k]}, conjoined(lines[k:])...)
		}
	}
	return [][]Line{lines}
}

// scatter is the mean of some values and the distance of the value farthest from it.
type scatter struct{ mean, farthest float64 }

func spreadFrom(values []float64) scatter {
	var s scatter
	s.mean, _ = spread(values)
	for _, v := range values {
		s.farthest = max(s.farthest, math.Abs(v-s.mean))
	}
	return s
}
