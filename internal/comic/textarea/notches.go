package textarea

import (
	"image"
	"math"

	"plait/internal/raster/bitmap"
)

// cut is a straight segment that divides two lobes of a set, from a concave notch of the outline to the one opposite (the short-cut rule:
// Singh, Seyranian and Hoffman, Parsing silhouettes, 1999). Where a panel cuts both lobes, it ends on the border of the panel.
type cut struct{ from, to image.Point }

const (
	// smooth is the radius, in em, of the disc that removes spikes and tails from an outline before notches are searched.
	smooth = 0.5
	// notchReach is the greatest distance of a notch from the end of the border of the cells, in em.
	notchReach = 2.0
	// A notch is measured in a disc whose radius is the greater of notchRadius em and notchPart times the length of the cut; smaller ones
	// are spikes. The set fills at least leastNotch more of the disc than at a straight outline.
	notchRadius, notchPart, leastNotch = 1.0, 0.2, 0.07
	// edgeLength is the least straight length, in em, of the border of a panel that a cut ends at.
	edgeLength = 2.0
	// mostWrong is the greatest share of the lines of a text that may be beyond a cut between two notches: shouted words extend into a
	// neck. mostPastEdge is that share for a cut that ends on an edge.
	mostWrong, mostPastEdge = 0.3, 0.1
	// costOfLength is the cost of a cut as long as the original border, and costOfWrong that of a whole text beyond it. The unit is that
	// of fullness.
	costOfLength, costOfWrong = 0.2, 1
)

// cutEnd is a point where a cut may end. full is the fullness of the outline there, or 0 on an edge.
type cutEnd struct {
	at   image.Point
	full float64
}

// findCut returns the best cut between notches near the ends of a border. Deep notches, short cuts and cuts that do not cross the texts
// are better. The first text is on the left of the cut.
func (f *field) findCut(outline *bitmap.Bitmap, border [2]image.Point, texts [2]*text) (best cut, ok bool) {
	long := cut{border[0], border[1]}.length()
	radius := max(notchRadius*f.em, notchPart*long)
	var ends [2][]cutEnd
	for i, at := range border {
		ends[i] = cutEnds(outline, rim(outline, at, notchReach*f.em), radius, edgeLength*f.em)
	}
	most := math.Inf(-1)
	for _, a := range ends[0] {
		for _, b := range ends[1] {
			k := cut{a.at, b.at}
			score := a.full + b.full - costOfLength*k.length()/long
			if a.full+b.full == 0 || score <= most {
				continue
			}
			limit := mostWrong
			if min(a.full, b.full) == 0 {
				limit = mostPastEdge
			}
			k, wrong := k.between(texts)
			score -= costOfWrong * (wrong[0] + wrong[1])
			if score > most && max(wrong[0], wrong[1]) <= limit && k.within(outline) {
				best, most, ok = k, score, true
			}
		}
	}
	return best, ok
}

// cutEnds returns the points of a rim that are notches or on a straight part of it.
func cutEnds(outline *bitmap.Bitmap, rim []image.Point, radius, edge float64) []cutEnd {
	var out []cutEnd
	onEdge := straightPart(rim, edge)
	for i, p := range rim {
		if full := fullness(outline, p, radius); full >= leastNotch {
			out = append(out, cutEnd{p, full})
		} else if onEdge[i] {
			out = append(out, cutEnd{p, 0})
		}
	}
	return out
}

// rim returns the boundary pixels of a set that are at most reach pixels from a point.
func rim(set *bitmap.Bitmap, around image.Point, reach float64) []image.Point {
	var out []image.Point
	k := int(reach)
	r := image.Rect(around.X-k, around.Y-k, around.X+k+1, around.Y+k+1).Intersect(set.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			inner := set.Has(x-1, y) && set.Has(x+1, y) && set.Has(x, y-1) && set.Has(x, y+1)
			if set.Has(x, y) && !inner && math.Hypot(float64(x-around.X), float64(y-around.Y)) <= reach {
				out = append(out, image.Pt(x, y))
			}
		}
	}
	return out
}

// fullness returns by how much the share of a disc around a boundary pixel that the set fills exceeds one half: 0 for a straight outline,
// more for a concave one. (The area invariant of Manay et al., Integral invariants for shape matching, 2006.)
func fullness(set *bitmap.Bitmap, around image.Point, radius float64) float64 {
	in, all := 0, 0
	for y := -int(radius); y <= int(radius); y++ {
		half := int(math.Sqrt(radius*radius - float64(y*y)))
		for x := -half; x <= half; x++ {
			all++
			if set.Has(around.X+x, around.Y+y) {
				in++
			}
		}
	}
	// The pixel itself is inside a straight outline, by half of its size.
	return float64(in)/float64(all) - 0.5 - 1/(math.Pi*radius)
}

// straightPart reports for each point whether it is on a straight line of points that is at least that long.
func straightPart(points []image.Point, least float64) []bool {
	out := make([]bool, len(points))
	for i, p := range points {
		for _, q := range points[:i] {
			k := cut{p, q}
			long := k.length()
			if long < least {
				continue
			}
			var on []int
			for n, o := range points {
				if k.beside(o) && math.Abs(float64(k.across(o))) <= long {
					on = append(on, n)
				}
			}
			if float64(len(on)) < 0.9*long {
				continue
			}
			for _, n := range on {
				out[n] = true
			}
		}
	}
	return out
}

func (k cut) length() float64 { return math.Hypot(float64(k.to.X-k.from.X), float64(k.to.Y-k.from.Y)) }

// across returns the signed distance of a point from the line of the cut, times the length of the cut. It is negative on the left.
func (k cut) across(p image.Point) int {
	along, off := k.to.Sub(k.from), p.Sub(k.from)
	return along.X*off.Y - along.Y*off.X
}

// beside reports whether the projection of a point onto the line of the cut is between its ends.
func (k cut) beside(p image.Point) bool {
	along, off := k.to.Sub(k.from), p.Sub(k.from)
	d := along.X*off.X + along.Y*off.Y
	return d >= 0 && d <= along.X*along.X+along.Y*along.Y
}

// within reports whether a cut is inside a set, except at its ends.
func (k cut) within(set *bitmap.Bitmap) bool {
	by := k.to.Sub(k.from)
	n := max(by.X, -by.X, by.Y, -by.Y, 1)
	for i := 2; i <= n-2; i++ {
		if at := k.from.Add(by.Mul(i).Div(n)); !set.Has(at.X, at.Y) {
			return false
		}
	}
	return true
}

// between returns the cut in the direction that has the first of two texts on its left, and the share of each text on the wrong side.
func (k cut) between(texts [2]*text) (_ cut, wrong [2]float64) {
	var left [2]float64
	for i, t := range texts {
		on, all := 0, 0
		for _, line := range t.lines {
			for y := range 3 {
				for x := range 9 {
					all++
					if k.across(image.Pt(line.Min.X+line.Dx()*(2*x+1)/18, line.Min.Y+line.Dy()*(2*y+1)/6)) < 0 {
						on++
					}
				}
			}
		}
		left[i] = float64(on) / float64(max(all, 1))
	}
	if left[0] < left[1] {
		return cut{k.to, k.from}, [2]float64{left[0], 1 - left[1]}
	}
	return k, [2]float64{1 - left[0], left[1]}
}
