package detect

import (
	"cmp"
	"slices"
)

// run is a row's unbroken piece of pixels above the threshold: from x0 up to, not with, x1.
type run struct {
	y, x0, x1 int
	// parent is the index of another run of the component, or of this one at its root.
	parent int
}

// components are the connected pieces, corners included, of what reaches the threshold: each a list of runs from top to
// bottom and left to right. They come in the order of their first runs.
func (m *probabilityMap) components(threshold float64) [][]run {
	return connected(m.runs(uint8(min(max(threshold, 0), 1)*255 + 0.5)))
}

// connected are the connected pieces, corners included, of runs that come from top to bottom and left to right. They come in the
// order of their first runs.
func connected(runs []run) [][]run {
	joinRuns(runs)
	var all [][]run
	place := make(map[int]int) // root to component
	for i := range runs {
		root := findRoot(runs, i)
		at, known := place[root]
		if !known {
			at = len(all)
			place[root] = at
			all = append(all, nil)
		}
		all[at] = append(all[at], runs[i])
	}
	return all
}

func (m *probabilityMap) runs(threshold uint8) []run {
	var runs []run
	for y := range m.height {
		row := m.values[y*m.width : (y+1)*m.width]
		for x := 0; x < len(row); x++ {
			if row[x] < threshold {
				continue
			}
			start := x
			for x < len(row) && row[x] >= threshold {
				x++
			}
			runs = append(runs, run{y: y, x0: start, x1: x, parent: len(runs)})
		}
	}
	return runs
}

// joinRuns joins each run with those of the row above that touch it, also by a corner.
func joinRuns(runs []run) {
	above := 0
	for from := 0; from < len(runs); {
		to := from + 1
		for to < len(runs) && runs[to].y == runs[from].y {
			to++
		}
		if runs[above].y == runs[from].y-1 {
			joinRows(runs, above, from, to)
		}
		above, from = from, to
	}
}

// joinRows joins the runs above..from-1 of one row with the runs from..to-1 of the next.
func joinRows(runs []run, above, from, to int) {
	for a, b := above, from; a < from && b < to; {
		if runs[a].x1 >= runs[b].x0 && runs[a].x0 <= runs[b].x1 {
			i, k := findRoot(runs, a), findRoot(runs, b)
			runs[max(i, k)].parent = min(i, k)
		}
		if runs[a].x1 < runs[b].x1 {
			a++
		} else {
			b++
		}
	}
}

func findRoot(runs []run, i int) int {
	for runs[i].parent != i {
		runs[i].parent = runs[runs[i].parent].parent
		i = runs[i].parent
	}
	return i
}

// hull is the convex hull of the pixels of a component, corners of pixels included, clockwise as the page is seen
// (Andrew, 1979).
func hull(component []run) []vector {
	points := make([]vector, 0, 4*len(component))
	for _, r := range component {
		for _, y := range [2]int{r.y, r.y + 1} {
			points = append(points, vector{float64(r.x0), float64(y)}, vector{float64(r.x1), float64(y)})
		}
	}
	slices.SortFunc(points, func(a, b vector) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	points = slices.Compact(points)
	chain := make([]vector, 0, 2*len(points))
	extend := func(p vector, least int) {
		for len(chain) >= least && chain[len(chain)-1].sub(chain[len(chain)-2]).cross(p.sub(chain[len(chain)-2])) <= 0 {
			chain = chain[:len(chain)-1]
		}
		chain = append(chain, p)
	}
	for _, p := range points {
		extend(p, 2)
	}
	least := len(chain) + 1
	for _, p := range slices.Backward(points[:len(points)-1]) {
		extend(p, least)
	}
	return chain[:len(chain)-1]
}
