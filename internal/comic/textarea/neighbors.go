package textarea

import (
	"image"
	"math"
)

// distance returns how far a point is outside of the lines of a text; inside of one it is negative, and least in its middle.
func (p *place) distance(at image.Point) float64 {
	least := math.Inf(1)
	for _, b := range p.lines {
		dx, dy := float64(max(b.Min.X-at.X, at.X+1-b.Max.X)), float64(max(b.Min.Y-at.Y, at.Y+1-b.Max.Y))
		if d := max(dx, dy); d > 0 {
			least = min(least, math.Hypot(max(dx, 0), max(dy, 0)))
		} else {
			least = min(least, d)
		}
	}
	return least
}

// yields reports whether a point belongs to another text than one without an interior: to the text whose interior has it,
// or else to the nearest one. A point half way belongs to none.
func (p *place) yields(all []*place, at image.Point) bool {
	own := p.distance(at)
	for _, o := range all {
		if o != p && (o.interior != nil && o.interior.Has(at.X, at.Y) || o.interior == nil && o.distance(at) <= own) {
			return true
		}
	}
	return false
}
