package overlay

import (
	"image"
	"math"
)

// Costs of a position for a label. Covering lettering costs more than distance from the region, and covering another label costs even
// more.
const (
	costSource = 4.0 // for each square em of a region covered
	costLabel  = 8.0 // for each square em of a label or badge covered
	costFar    = 0.5 // for each em between region and label
	// reach is how many steps of one and a half em a label may be moved away from its region.
	reach = 12
)

// places finds positions for labels, one after the other.
type places struct {
	page    image.Rectangle
	em      int
	sources []image.Rectangle
	taken   []image.Rectangle
}

// take returns the position with the least cost for a label of a size near a region. It searches outwards and keeps the first of equal
// costs, so that the same page gives the same picture.
func (p *places) take(region image.Rectangle, size image.Point) (place image.Rectangle) {
	best := math.Inf(1)
	for _, r := range p.candidates(region, size) {
		if cost := p.cost(r, region, best); cost < best {
			best, place = cost, r
		}
	}
	p.taken = append(p.taken, place)
	return place
}

// candidates returns rectangles of a size below, above, to the right and to the left of a region, at increasing distances, and moved onto
// the page.
func (p *places) candidates(region image.Rectangle, s image.Point) []image.Rectangle {
	// Positions along a side, in sixths: at 0 the label ends where the region begins, at 6 it begins where the region ends. The middle is
	// first.
	slides := []int{3, 4, 2, 5, 1, 6, 0}
	var out []image.Rectangle
	for ring := range reach + 1 {
		gap := p.em/3 + ring*p.em*3/2
		left, right := region.Min.X-gap-s.X, region.Max.X+gap
		above, below := region.Min.Y-gap-s.Y, region.Max.Y+gap
		for _, i := range slides {
			x := region.Min.X - s.X + (region.Dx()+s.X)*i/6
			y := region.Min.Y - s.Y + (region.Dy()+s.Y)*i/6
			for _, at := range []image.Point{{x, below}, {x, above}, {right, y}, {left, y}} {
				out = append(out, onPage(image.Rectangle{Min: at, Max: at.Add(s)}, p.page))
			}
		}
	}
	return out
}

// onPage moves a rectangle onto a page. If it is larger than the page, its upper left corner stays visible.
func onPage(r, page image.Rectangle) image.Rectangle {
	var by image.Point
	by.X = max(page.Min.X-r.Min.X, min(0, page.Max.X-r.Max.X))
	by.Y = max(page.Min.Y-r.Min.Y, min(0, page.Max.Y-r.Max.Y))
	return r.Add(by)
}

// cost returns the cost of a position, or any value above limit once the cost exceeds it.
func (p *places) cost(r, region image.Rectangle, limit float64) float64 {
	em := float64(p.em)
	cost := costFar * gapBetween(r, region) / em
	for _, s := range p.sources {
		cost += costSource * overlap(r, s) / (em * em)
	}
	for _, t := range p.taken {
		if cost > limit {
			return cost
		}
		cost += costLabel * overlap(r, t) / (em * em)
	}
	return cost
}

func overlap(a, b image.Rectangle) float64 {
	c := a.Intersect(b)
	return float64(c.Dx()) * float64(c.Dy())
}

// gapBetween returns the distance between two rectangles in pixels, 0 if they touch.
func gapBetween(a, b image.Rectangle) float64 {
	dx := max(0, a.Min.X-b.Max.X, b.Min.X-a.Max.X)
	dy := max(0, a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y)
	return math.Hypot(float64(dx), float64(dy))
}
