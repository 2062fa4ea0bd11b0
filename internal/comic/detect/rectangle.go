package detect

import (
	"math"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/components"
)

// leastRectangle is the rectangle of least area around a convex polygon, from its upper left corner on. One of its sides lies on a side of
// the polygon (Freeman and Shapira, 1975).
func leastRectangle(polygon []raster.Point) (best raster.Quad) {
	least := math.Inf(1)
	for i, from := range polygon {
		side := polygon[(i+1)%len(polygon)].Sub(from)
		length := side.Length()
		if length == 0 {
			continue
		}
		along := upright(side.Times(1 / length))
		across := along.QuarterTurn()
		u0, u1, v0, v1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, p := range polygon {
			u, v := p.Dot(along), p.Dot(across)
			u0, u1, v0, v1 = min(u0, u), max(u1, u), min(v0, v), max(v1, v)
		}
		if area := (u1 - u0) * (v1 - v0); area < least {
			least = area
			middle, right, down := along.Times((u0+u1)/2).Add(across.Times((v0+v1)/2)), along.Times((u1-u0)/2), across.Times((v1-v0)/2)
			best = raster.Quad{middle.Sub(right).Sub(down), middle.Add(right).Sub(down), middle.Add(right).Add(down), middle.Sub(right).Add(down)}
		}
	}
	return best
}

// upright turns a direction by quarter turns until it points right rather than up, down or left.
func upright(d raster.Point) raster.Point {
	for range 3 {
		if d[0] > 0 && math.Abs(d[1]) <= d[0] {
			break
		}
		d = d.QuarterTurn()
	}
	return d
}

// hull is the convex hull of the pixels of runs, including the corners of the pixels, clockwise on the page (Andrew, 1979).
func hull(runs []components.Run) []raster.Point {
	points := make([]raster.Point, 0, 4*len(runs))
	for _, r := range runs {
		for _, y := range [2]int{r.Y, r.Y + 1} {
			points = append(points, raster.Point{float64(r.X0), float64(y)}, raster.Point{float64(r.X1), float64(y)})
		}
	}
	slices.SortFunc(points, func(a, b raster.Point) int { return slices.Compare(a[:], b[:]) })
	points = slices.Compact(points)
	chain := make([]raster.Point, 0, 2*len(points))
	extend := func(p raster.Point, least int) {
		for len(chain) >= least && chain[len(chain)-1].Sub(chain[len(chain)-2]).Cross(p.Sub(chain[len(chain)-2])) <= 0 {
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
