package overlay

import (
	"image"
	"math"
)

// Costs of a place, in units of one em of distance to the region. Hiding lettering is worse than being far from it, and
// hiding another label worse still.
const (
	costSource = 4.0 // for each square em of a region covered
	costLabel  = 8.0 // for each square em of a label or badge covered
	costFar    = 0.5 // for each em between region and label
	// reach is how many steps of one and a half ems a label may be moved away from its region.
	reach = 12
)

// places finds room for labels one after the other.
type places struct {
	page    image.Rectangle
	em      int
	sources []image.Rectangle
	taken   []image.Rectangle
}

// take chooses the cheapest rectangle for a label of one of the sizes beside a region, and answers it with the index of
// the size. The search goes outwards and keeps the first of equals, so that the same page gives the same picture.
func (p *places) take(region image.Rectangle, sizes []image.Point) (place image.Rectangle, size int) {
	best := math.Inf(1)
	for k, s := range sizes {
		for _, r := range p.candidates(region, s) {
			if cost := p.cost(r, region, best); cost < best {
				best, place, size = cost, r, k
			}
		}
	}
	p.taken = append(p.taken, place)
	return place, size
}

// candidates are rectangles of a size around a region: below, above, right and left of it, in rings, kept on the page.
func (p *places) candidates(region image.Rectangle, s image.Point) []image.Rectangle {
	// Sixths from ending where the region begins to beginning where it ends, the middle first.
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
				out = append(out, p.onPage(image.Rectangle{Min: at, Max: at.Add(s)}))
			}
		}
	}
	return out
}

// onPage moves a rectangle onto the page; of a larger one the upper left corner stays visible.
func (p *places) onPage(r image.Rectangle) image.Rectangle {
	var by image.Point
	by.X = max(p.page.Min.X-r.Min.X, min(0, p.page.Max.X-r.Max.X))
	by.Y = max(p.page.Min.Y-r.Min.Y, min(0, p.page.Max.Y-r.Max.Y))
	return r.Add(by)
}

// cost is that of a place, or anything above limit once it is more than that.
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

// gapBetween is the distance of two rectangles in pixels; 0 when they touch.
func gapBetween(a, b image.Rectangle) float64 {
	dx := max(0, a.Min.X-b.Max.X, b.Min.X-a.Max.X)
	dy := max(0, a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y)
	return math.Hypot(float64(dx), float64(dy))
}
