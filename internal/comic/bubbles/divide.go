package bubbles

import "plait/internal/raster"

// Divide tells lines apart by the bubble that they stand in. It gives, for each line, the index of the smallest bubble of
// boxes that holds the middle of the line, or -1 for a line outside of every bubble.
func Divide(boxes []Box, lines []raster.Quad) []int {
	in := make([]int, len(lines))
	for i, q := range lines {
		in[i] = -1
		x0, y0, x1, y1 := q.Bounds()
		x, y := (x0+x1)/2, (y0+y1)/2
		for k, b := range boxes {
			if b.Class != Bubble || x < b.X0 || x > b.X1 || y < b.Y0 || y > b.Y1 {
				continue
			}
			if in[i] < 0 || b.area() < boxes[in[i]].area() {
				in[i] = k
			}
		}
	}
	return in
}
