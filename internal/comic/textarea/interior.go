package textarea

import (
	"image"

	"plait/internal/raster/bitmap"
)

// attempt is one set of parameters for separating interiors from what they are open to.
type attempt struct {
	// levels is the greatest difference of a ground pixel from the color.
	levels uint8
	// walled says that the borders of panels are extended where a bubble covers them.
	walled bool
	// brush is the radius of a disc, in em. Openings that it does not pass through are closed.
	brush float64
}

// hair is the brush that closes only the thinnest gaps in an outline, in em.
const hair = 0.1

// attempts are made in this order for the texts without a bounded interior: the first closes only thin gaps, and the last closes gaps that
// a line of text would fit through.
var attempts = []attempt{
	{soft, false, hair}, {soft, true, hair}, {hard, true, hair}, {soft, true, 0.4}, {soft, true, 0.8},
}

const (
	// soft and hard are the greatest differences of a ground pixel from the color, in levels: soft allows for shading, hard only for JPEG
	// noise. The hard ground separates paper from a pale background, but loses the edges of soft shading.
	soft, hard = 26, 10
	// paler is the share of a soft interior below which the hard interior replaces it: the difference is a pale background.
	paler = 0.8
)

// findInteriors determines the interior of every text of the field.
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

// claim returns the pixels of a cell that are not taken, and marks them as taken. Other texts may have taken them in another attempt.
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

// dropLeaks removes the cells that are connected, directly or through others, with one that is not bounded, because it is not known how
// much of the unbounded part belongs to them.
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
	for n, t := range f.texts {
		if dropped[int16(n+1)] {
			delete(c.of, t)
		}
	}
}

const (
	// The area of an interior is at most mostArea times the box of its text plus mostEms square em.
	mostArea, mostEms = 9.0, 45.0
	// leastCover is the least share of the lines of its text that an interior contains.
	leastCover = 0.8
	// offCenter is the greatest distance between the middles of an interior and of its text, in units of half the extent of the interior.
	offCenter = 0.5
)

// bounded reports whether a cell looks like an interior: the window does not cut it, it is not much larger than its text, and
// the text is near its middle.
func (f *field) bounded(t *text, cell *bitmap.Bitmap) bool {
	r := cell.Bounds()
	if r.Empty() || f.cuts(r) {
		return false
	}
	area, box := float64(cell.Count()), float64(t.box.Dx()*t.box.Dy())
	if float64(covered(cell, t.lines)) < leastCover*float64(t.lineArea()) || area > mostArea*box+mostEms*t.em*t.em {
		return false
	}
	dx, dy := r.Min.X+r.Max.X-t.box.Min.X-t.box.Max.X, r.Min.Y+r.Max.Y-t.box.Min.Y-t.box.Max.Y
	return float64(max(dx, -dx)) <= offCenter*float64(r.Dx()) && float64(max(dy, -dy)) <= offCenter*float64(r.Dy())
}

// covered returns the number of pixels of the set in the rectangles.
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

// cuts reports whether the edge of the window, other than the edge of the page, may cut something with bounds r.
func (f *field) cuts(r image.Rectangle) bool {
	w, p := f.window, f.page
	return r.Min.X <= w.Min.X && w.Min.X > p.Min.X || r.Min.Y <= w.Min.Y && w.Min.Y > p.Min.Y ||
		r.Max.X >= w.Max.X && w.Max.X < p.Max.X || r.Max.Y >= w.Max.Y && w.Max.Y < p.Max.Y
}
