package textarea

import (
	"image"

	"plait/internal/raster/bitmap"
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
// closed, last what a line of text would pass through.
var attempts = []attempt{
	{soft, false, hair}, {soft, true, hair}, {hard, true, hair}, {soft, true, 0.4}, {soft, true, 0.8},
}

const (
	// soft and hard are the levels within which a pixel is ground: with soft shading, or only what JPEG's noise makes of one
	// color. The hard ground tells paper from a pale background, and loses a rim of what is soft.
	soft, hard = 26, 10
	// paler is the part of a soft interior that a hard one has at least; less of it, and the rest is a background.
	paler = 0.8
)

// findInteriors gives every text of the field its interior.
func (f *field) findInteriors(page image.Rectangle) {
	tries := &tries{field: f, made: map[attempt]*cells{}, grounds: map[attempt]*ground{}}
	open, taken := f.texts, bitmap.New(f.window)
	for _, a := range attempts {
		loose := tries.cells(a)
		var rest []*text
		for _, t := range open {
			cell, by := loose.of[t], loose
			if cell == nil || !f.bounded(t, cell) {
				if cell != nil && a.walled && t.interior == nil {
					t.interior = f.up(cell, page)
				}
				rest = append(rest, t)
				continue
			}
			if a.levels == soft {
				tight := tries.cells(attempt{hard, a.walled, a.brush})
				if c := tight.of[t]; c != nil && float64(c.Count()) < paler*float64(cell.Count()) && f.bounded(t, c) {
					by = tight
				}
			}
			t.bounded, t.joined = true, len(by.wide(t, openNeck)) > 0
			t.shared = by.isShared(f, t)
			t.interior = f.up(claim(by.of[t], taken), page)
		}
		if open = rest; len(open) == 0 {
			return
		}
	}
}

// claim is what others have left of a cell, which is theirs no longer: they may have got theirs in another attempt.
func claim(cell, taken *bitmap.Bitmap) *bitmap.Bitmap {
	out := bitmap.New(cell.Rect)
	for y := cell.Rect.Min.Y; y < cell.Rect.Max.Y; y++ {
		from, at := cell.Offset(cell.Rect.Min.X, y), taken.Offset(cell.Rect.Min.X, y)
		for x := range cell.Rect.Dx() {
			if cell.Pix[from+x] != 0 && taken.Pix[at+x] == 0 {
				out.Pix[from+x], taken.Pix[at+x] = 1, 1
			}
		}
	}
	return out
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
	for _, label := range c.leaving {
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
	// leastCover is the part of the lines of its text that an interior holds, and largeCover that of a text that is large
	// for its page: a drawn sound lies across its surroundings, and seldom in a bubble.
	leastCover, largeCover = 0.8, 0.97
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
	cover := leastCover
	if t.large {
		cover = largeCover
	}
	if float64(covered(cell, t.lines)) < cover*float64(t.lineArea()) || area > mostArea*box+mostEms*t.em*t.em || area < leastSolid*hullArea(cell) {
		return false
	}
	dx, dy := r.Min.X+r.Max.X-t.box.Min.X-t.box.Max.X, r.Min.Y+r.Max.Y-t.box.Min.Y-t.box.Max.Y
	return float64(max(dx, -dx)) <= offCenter*float64(r.Dx()) && float64(max(dy, -dy)) <= offCenter*float64(r.Dy())
}

// covered is the number of pixels of the set in the rectangles.
func covered(b *bitmap.Bitmap, rects []image.Rectangle) int {
	n := 0
	for _, r := range rects {
		r = r.Intersect(b.Rect)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			from := b.Offset(r.Min.X, y)
			for _, p := range b.Pix[from : from+r.Dx()] {
				n += int(p)
			}
		}
	}
	return n
}

func (t *text) lineArea() int {
	n := 0
	for _, line := range t.lines {
		n += line.Dx() * line.Dy()
	}
	return n
}

// cuts reports whether the window cuts what has the bounds r: it lies on an edge that is not the page's.
func (f *field) cuts(r image.Rectangle) bool {
	w, p := f.window, f.page
	return r.Min.X <= w.Min.X && w.Min.X > p.Min.X || r.Min.Y <= w.Min.Y && w.Min.Y > p.Min.Y ||
		r.Max.X >= w.Max.X && w.Max.X < p.Max.X || r.Max.Y >= w.Max.Y && w.Max.Y < p.Max.Y
}
