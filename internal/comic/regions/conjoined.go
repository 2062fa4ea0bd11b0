package regions

import "math"

// Limits for splitting two bubbles that run into each other, in sizes of the smallest line.
const (
	// agreeing is the greatest distance of the middles of the lines of one bubble from their mean.
	agreeing = 0.4
	// shifted is the least distance between the middles of two bubbles.
	shifted = 1.2
)

// conjoined divides a group, sorted in reading order in its frame, where one bubble runs into the next without an outline between them. The
// lines of each bubble are then centered on their own middle. In contrast, the lines of a single bubble set to one side share an edge, and those of
// a slanted one move their middle from line to line.
func conjoined(lines []Line, f frame) [][]Line {
	size := math.Inf(1)
	for _, l := range lines {
		size = min(size, l.size())
	}
	if starts, _, ends := edges(lines, f); min(starts.farthest, ends.farthest) <= agreeing*size {
		return [][]Line{lines} // set to one edge
	}
	for k := 2; k+2 <= len(lines); k++ {
		_, before, _ := edges(lines[:k], f)
		_, after, _ := edges(lines[k:], f)
		if math.Abs(after.mean-before.mean) >= shifted*size && max(before.farthest, after.farthest) <= agreeing*size {
			return append([][]Line{lines[:k]}, conjoined(lines[k:], f)...)
		}
	}
	return [][]Line{lines}
}
