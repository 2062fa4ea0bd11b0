// Package components finds the connected components of a set of pixels, with the run-based two-scan algorithm (He, Chao and Suzuki,
// 2008): it divides each row into runs, and unites runs of adjacent rows that touch, if only at a corner. The runs of one set are a component.
package components

import (
	"image"

	"plait/internal/raster/unionfind"
)

// Run is a sequence of adjacent pixels in row Y: the columns X0..X1-1.
type Run struct{ Y, X0, X1 int }

// Component is a set of pixels that are connected by sides or corners.
type Component struct {
	// Runs are its runs, from top to bottom and left to right.
	Runs   []Run
	Bounds image.Rectangle
	// Area is the number of its pixels.
	Area int
}

// Find returns the connected components of the pixels for which in returns true, ordered by their first pixels, row by row. The pixels
// have x in 0..width-1 and y in 0..height-1.
func Find(width, height int, in func(x, y int) bool) []Component {
	var runs []Run
	for y := range height {
		for x := 0; x < width; x++ {
			if !in(x, y) {
				continue
			}
			start := x
			for x++; x < width && in(x, y); x++ {
			}
			runs = append(runs, Run{y, start, x})
		}
	}
	return OfRuns(runs)
}

// OfRuns returns the connected components of runs, ordered by their first runs. The runs must be ordered from top to bottom and left to
// right, and runs of one row must not touch.
func OfRuns(runs []Run) []Component {
	sets := unionfind.New(len(runs))
	uniteTouching(sets, runs)
	number, sizes := make([]int32, len(runs)), []int(nil)
	for i := range runs {
		root := sets.Find(i)
		if root == i {
			number[i] = int32(len(sizes))
			sizes = append(sizes, 0)
		}
		number[i] = number[root]
		sizes[number[i]]++
	}
	found, room := make([]Component, len(sizes)), make([]Run, len(runs))
	for k, n := range sizes {
		found[k].Runs, room = room[:0:n], room[n:]
	}
	for i, r := range runs {
		f := &found[number[i]]
		f.Runs = append(f.Runs, r)
		f.Bounds = f.Bounds.Union(image.Rect(r.X0, r.Y, r.X1, r.Y+1))
		f.Area += r.X1 - r.X0
	}
	return found
}

// uniteTouching unites each run with the runs of the row above that it touches.
func uniteTouching(sets unionfind.Sets, runs []Run) {
	above := 0
	for from := 0; from < len(runs); {
		to := from + 1
		for to < len(runs) && runs[to].Y == runs[from].Y {
			to++
		}
		if runs[above].Y == runs[from].Y-1 {
			for a, b := above, from; a < from && b < to; {
				if runs[a].X1 >= runs[b].X0 && runs[a].X0 <= runs[b].X1 {
					sets.Union(a, b)
				}
				if runs[a].X1 < runs[b].X1 {
					a++
				} else {
					b++
				}
			}
		}
		above, from = from, to
	}
}
