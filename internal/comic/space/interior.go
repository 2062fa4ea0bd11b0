package space

import (
	"image"

	"plait/internal/comic/mask/bitmap"
)

// An attempt is one way to tell interiors from what they are open to.
type attempt struct {
	// levels: so many levels from the color still are ground.
	levels uint8
	// walled: the edges of panels are continued where a bubble covers them.
	walled bool
	// brush is the radius, in em, of what has to pass through an opening.
	brush float64
}

// hair is the brush that closes hair gaps of an outline.
const hair = 0.1

// attempts are made one after the other for the texts whose interior is not bounded yet: first nothing but hair gaps is
// closed, last what a line of text would pass through. A pale background is told from paper by few levels, which cost a
// rim of what is only soft.
var attempts = []attempt{
	{26, false, hair}, {26, true, hair}, {10, true, hair}, {26, true, 0.4}, {26, true, 0.7}, {10, true, 0.7}, {26, true, 1},
}

// findInteriors gives every text of the field its interior.
func (f *field) findInteriors(page image.Rectangle) {
	open := f.texts
	walled := map[uint8]*bitmap.Bitmap{}
	for _, a := range attempts {
		set := walled[a.levels]
		if set == nil {
			set = f.ground(a.levels)
			if a.walled {
				set = f.withWalls(set)
				walled[a.levels] = set
			}
		}
		cells := f.cells(set, a.brush*f.em)
		if !a.walled {
			f.dropLeaks(cells)
		}
		var rest []*text
		for _, t := range open {
			cell := cells.of[t]
			switch {
			case cell != nil && f.bounded(t, cell):
				t.interior, t.bounded, t.shared = f.up(cell, page), true, cells.shared(t)
				continue
			case cell != nil && a.walled && t.interior == nil:
				t.interior = f.up(cell, page)
			}
			rest = append(rest, t)
		}
		if open = rest; len(open) == 0 {
			return
		}
	}
}

// dropLeaks drops the cells that are joined, over any number of others, with one that is not bounded: it is not known
// how much of what leaks belongs to it.
func (f *field) dropLeaks(c *cells) {
	var spread func(label int16)
	dropped := map[int16]bool{}
	spread = func(label int16) {
		if dropped[label] {
			return
		}
		dropped[label] = true
		for _, o := range c.joined(label) {
			spread(o)
		}
	}
	for n, t := range f.texts {
		if cell := c.of[t]; cell == nil || !f.bounded(t, cell) {
			spread(int16(n + 1))
		}
	}
	for _, label := range c.cut {
		spread(label)
	}
	for n, t := range f.texts {
		if dropped[int16(n+1)] {
			delete(c.of, t)
		}
	}
}

const (
	// mostArea: an interior is no more than so many times as large as the box of its text, and so many square em.
	mostArea, mostEms = 9.0, 45.0
	// leastSolid is the share of its convex hull that an interior fills; jagged bubbles fill 0.7.
	leastSolid = 0.62
	// offCenter is how far from the middle of an interior, in units of half its extent, the middle of its text may be.
	offCenter = 0.5
)

// bounded reports whether a cell looks like an interior: it is not cut by the window, not much larger than its text, of
// one piece, and has the text in its middle.
func (f *field) bounded(t *text, cell *bitmap.Bitmap) bool {
	r := cell.Bounds()
	if r.Empty() || f.cuts(r) {
		return false
	}
	area, box := float64(cell.Count()), float64(t.box.Dx()*t.box.Dy())
	if area < 0.5*box || area > mostArea*box+mostEms*t.em*t.em || area < leastSolid*hullArea(cell) {
		return false
	}
	dx, dy := r.Min.X+r.Max.X-t.box.Min.X-t.box.Max.X, r.Min.Y+r.Max.Y-t.box.Min.Y-t.box.Max.Y
	return float64(max(dx, -dx)) <= offCenter*float64(r.Dx()) && float64(max(dy, -dy)) <= offCenter*float64(r.Dy())
}

// cuts reports whether the window cuts what has the bounds r: it lies on an edge that is not the page's.
func (f *field) cuts(r image.Rectangle) bool {
	w, p := f.window, f.page
	return r.Min.X <= w.Min.X && w.Min.X > p.Min.X || r.Min.Y <= w.Min.Y && w.Min.Y > p.Min.Y ||
		r.Max.X >= w.Max.X && w.Max.X < p.Max.X || r.Max.Y >= w.Max.Y && w.Max.Y < p.Max.Y
}
