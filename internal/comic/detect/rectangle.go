package detect

import (
	"math"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/components"
)

// rectangle is a rectangle at any angle: its width runs along the unit vector along, and its height a quarter turn clockwise from it.
type rectangle struct {
	center, along raster.Point
	width, height float64
}

// leastRectangle is the rectangle of least area around a convex polygon. One of its sides lies on a side of the polygon (Freeman and
// Shapira, 1975).
func leastRectangle(polygon []raster.Point) rectangle {
	var best rectangle
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
			center := along.Times((u0 + u1) / 2).Add(across.Times((v0 + v1) / 2))
			best = rectangle{center, along, u1 - u0, v1 - v0}
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

// growth is unclip x area / perimeter, the inverse of the shrinking of lines in the training data.
func (r rectangle) growth(unclip float64) float64 {
	return unclip * r.width * r.height / (2 * (r.width + r.height))
}

// grown moves each side outwards by the growth.
func (r rectangle) grown(unclip float64) rectangle {
	by := r.growth(unclip)
	r.width += 2 * by
	r.height += 2 * by
	return r
}

// corners are the corners clockwise from the upper left.
func (r rectangle) corners() raster.Quad {
	right := r.along.Times(r.width / 2)
	down := r.along.QuarterTurn().Times(r.height / 2)
	return raster.Quad{
		r.center.Sub(right).Sub(down), r.center.Add(right).Sub(down),
		r.center.Add(right).Add(down), r.center.Sub(right).Add(down),
	}
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
