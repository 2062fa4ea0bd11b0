// Package integral computes the sum of the values in any rectangle of an image in constant time, with an integral image (Crow,
// "Summed-area tables for texture mapping", 1984).
package integral

import "image"

// Table is the integral image of an image. It is safe for concurrent use.
type Table struct {
	width, height int
	// sums has a row and a column of zeros before those of the image.
	sums []int32
}

// New returns the integral image of width x height values. It calls value once for each pixel, row by row, with i = y*width + x. The sum
// of all values must fit into an int32.
func New(width, height int, value func(i int) int32) Table {
	t := Table{width, height, make([]int32, (width+1)*(height+1))}
	for y := range height {
		above, here := t.sums[y*(width+1):(y+1)*(width+1)], t.sums[(y+1)*(width+1):(y+2)*(width+1)]
		row := int32(0)
		for x := range width {
			row += value(y*width + x)
			here[x+1] = above[x+1] + row
		}
	}
	return t
}

// In returns the sum over the part of r that is inside the image.
func (t Table) In(r image.Rectangle) int32 {
	x0, x1 := max(0, r.Min.X), min(t.width, r.Max.X)
	y0, y1 := max(0, r.Min.Y), min(t.height, r.Max.Y)
	if x0 >= x1 || y0 >= y1 {
		return 0
	}
	top, bottom := y0*(t.width+1), y1*(t.width+1)
	return t.sums[bottom+x1] - t.sums[top+x1] - t.sums[bottom+x0] + t.sums[top+x0]
}
