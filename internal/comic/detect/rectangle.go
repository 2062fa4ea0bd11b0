package detect

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/raster/components"
)

type vector struct{ x, y float64 }

func (a vector) add(b vector) vector    { return vector{a.x + b.x, a.y + b.y} }
func (a vector) sub(b vector) vector    { return vector{a.x - b.x, a.y - b.y} }
func (a vector) times(f float64) vector { return vector{a.x * f, a.y * f} }
func (a vector) dot(b vector) float64   { return a.x*b.x + a.y*b.y }
func (a vector) cross(b vector) float64 { return a.x*b.y - a.y*b.x }
func (a vector) length() float64        { return math.Hypot(a.x, a.y) }
func (a vector) quarterTurn() vector    { return vector{-a.y, a.x} }

// rectangle is a rectangle at any angle: its width runs along the unit vector along, and its height a quarter turn clockwise from it.
type rectangle struct {
	center, along vector
	width, height float64
}

// leastRectangle is the rectangle of least area around a convex polygon. One of its sides lies on a side of the polygon (Freeman and
// Shapira, 1975).
func leastRectangle(polygon []vector) rectangle {
	var best rectangle
	least := math.Inf(1)
	for i, from := range polygon {
		side := polygon[(i+1)%len(polygon)].sub(from)
		length := side.length()
		if length == 0 {
			continue
		}
		along := upright(side.times(1 / length))
		across := along.quarterTurn()
		u0, u1, v0, v1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, p := range polygon {
			u, v := p.dot(along), p.dot(across)
			u0, u1, v0, v1 = min(u0, u), max(u1, u), min(v0, v), max(v1, v)
		}
		if area := (u1 - u0) * (v1 - v0); area < least {
			least = area
			center := along.times((u0 + u1) / 2).add(across.times((v0 + v1) / 2))
			best = rectangle{center, along, u1 - u0, v1 - v0}
		}
	}
	return best
}

// upright turns a direction by quarter turns until it points right rather than up, down or left.
func upright(d vector) vector {
	for range 3 {
		if d.x > 0 && math.Abs(d.y) <= d.x {
			break
		}
		d = d.quarterTurn()
	}
	return d
}

// grown moves each side outwards by unclip x area / perimeter, the inverse of the shrinking of lines in the training data.
func (r rectangle) grown(unclip float64) rectangle {
	by := unclip * r.width * r.height / (2 * (r.width + r.height))
	r.width += 2 * by
	r.height += 2 * by
	return r
}

// corners are the corners clockwise from the upper left.
func (r rectangle) corners() [4]vector {
	right := r.along.times(r.width / 2)
	down := r.along.quarterTurn().times(r.height / 2)
	return [4]vector{
		r.center.sub(right).sub(down), r.center.add(right).sub(down),
		r.center.add(right).add(down), r.center.sub(right).add(down),
	}
}

// rowSpan is the interval in which the rectangle crosses the horizontal at y. It is empty, with from > to, where they do not cross.
func (r rectangle) rowSpan(y float64) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	corners := r.corners()
	for i, a := range corners {
		b := corners[(i+1)%4]
		if (a.y < y) == (b.y < y) {
			continue
		}
		x := a.x + (b.x-a.x)*(y-a.y)/(b.y-a.y)
		from, to = min(from, x), max(to, x)
	}
	return from, to
}

// hull is the convex hull of the pixels of runs, including the corners of the pixels, clockwise on the page (Andrew, 1979).
func hull(runs []components.Run) []vector {
	points := make([]vector, 0, 4*len(runs))
	for _, r := range runs {
		for _, y := range [2]int{r.Y, r.Y + 1} {
			points = append(points, vector{float64(r.X0), float64(y)}, vector{float64(r.X1), float64(y)})
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
