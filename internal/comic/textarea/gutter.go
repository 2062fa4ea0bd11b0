package textarea

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// mostBorder is the least share of the border of a page that has one color if the page has margins.
	mostBorder = 0.5
	// inGutter is the least share of the lines of a text that is in the gutter if the text is, and noteInGutter that of a note: the box of a
	// line extends somewhat over the edge of a panel, but lettering across the edge is no note.
	inGutter, noteInGutter = 0.5, 0.75
	// besidePanel is the greatest distance of a text in the gutter from the panel that it belongs to, in em.
	besidePanel = 1.5
	// aroundInk is how much longer than its ink the outline of a line is on each side, in em.
	aroundInk = 0.25
)

// Gutter returns the pixels between the panels of a page and in its margins: those that have the most frequent color of the border of
// the page and are connected to the border. It is empty if panels extend to the border.
func Gutter(page *image.NRGBA) *bitmap.Bitmap {
	border := borderOf(page.Rect)
	counts := map[raster.RGB]int{}
	var color raster.RGB
	best := 0
	for _, at := range border {
		c := raster.At(page, at.X, at.Y)
		key := raster.RGB{c[0] &^ 7, c[1] &^ 7, c[2] &^ 7}
		counts[key]++
		if n := counts[key]; n > best {
			best, color = n, c
		}
	}
	seed := bitmap.New(page.Rect)
	n := 0
	for _, at := range border {
		if raster.Difference(raster.At(page, at.X, at.Y), color) <= insideLevels {
			seed.Add(at.X, at.Y)
			n++
		}
	}
	if float64(n) < mostBorder*float64(len(border)) {
		return bitmap.New(image.Rectangle{})
	}
	alike := bitmap.New(page.Rect)
	for i := range alike.Pix {
		if at := alike.Point(i); raster.Difference(raster.At(page, at.X, at.Y), color) <= insideLevels {
			alike.Pix[i] = 1
		}
	}
	return alike.Flood(seed)
}

// borderOf returns the outermost pixels of a page.
func borderOf(r image.Rectangle) (at []image.Point) {
	for x := r.Min.X; x < r.Max.X; x++ {
		at = append(at, image.Pt(x, r.Min.Y), image.Pt(x, r.Max.Y-1))
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at = append(at, image.Pt(r.Min.X, y), image.Pt(r.Max.X-1, y))
	}
	return at
}

// standsIn reports whether at least a share of the lines of the text is in a set.
func (p *place) standsIn(set *bitmap.Bitmap, least float64) bool {
	in, all := 0, 0
	for _, q := range p.region.Lines {
		x0, y0, x1, y1 := q.Bounds()
		for y := int(y0); y < int(y1); y++ {
			for x := int(x0); x < int(x1); x++ {
				all++
				if set.Has(x, y) {
					in++
				}
			}
		}
	}
	return float64(in) >= least*float64(all)
}

// gutterArea returns the part of the gutter in which a text stands: some rows of a frame, as far as there are panels beside them and
// up to other texts. A note below a panel stays in the gutter so, whatever its length, and does not extend into the margin of the page.
func (p *place) gutterArea(in surroundings, f Frame, rows image.Rectangle) *Area {
	beside := localBounds(f, p.region.Lines...)
	box := localBounds(f, quad(in.page.Rect))
	box.Min.Y, box.Max.Y = rows.Min.Y, rows.Max.Y
	from, to := float64(beside.Min.X), float64(beside.Max.X)
	beside.Min.X, beside.Max.X = beside.Min.X+int(aroundInk*p.em), beside.Max.X-int(aroundInk*p.em)
	gutter, inside := in.gutter(), bitmap.New(box.Inset(-int(besidePanel*p.em)))
	for i := range inside.Pix {
		local := inside.Point(i)
		px, py := f.ToPage(float64(local.X)+0.5, float64(local.Y)+0.5)
		switch at := image.Pt(int(math.Floor(px)), int(math.Floor(py))); {
		case !at.In(in.page.Rect):
		case !gutter.Has(at.X, at.Y):
			beside.Min.X, beside.Max.X = min(beside.Min.X, local.X), max(beside.Max.X, local.X+1)
		case local.In(box) && !p.takenBy(in.places, at):
			inside.Pix[i] = 1
		}
	}
	beside = p.upToNeighbors(in.places, f, beside, rows)
	box.Min.X, box.Max.X = beside.Min.X, beside.Max.X
	s := newArea(f, clip(inside, box))
	s.Ground, s.strip = p.ground, &strip{from: float64(beside.Min.X), to: float64(beside.Max.X), before: 0.5}
	if free := float64(beside.Dx()) - (to - from); free > 0 {
		s.strip.before = min(max((from-s.strip.from)/free, 0), 1)
	}
	return s
}

// upToNeighbors returns the part of a box in a frame that ends half way to the other texts in the same rows.
func (p *place) upToNeighbors(all []*place, f Frame, box, rows image.Rectangle) image.Rectangle {
	own := localBounds(f, p.region.Lines...)
	for _, o := range all {
		if o == p || len(o.region.Lines) == 0 {
			continue
		}
		switch its := localBounds(f, o.region.Lines...); {
		case its.Max.Y <= rows.Min.Y || its.Min.Y >= rows.Max.Y:
		case its.Max.X <= own.Min.X:
			box.Min.X = max(box.Min.X, (its.Max.X+own.Min.X)/2)
		case its.Min.X >= own.Max.X:
			box.Max.X = min(box.Max.X, (own.Max.X+its.Min.X)/2)
		}
	}
	return box
}

// strip is a part of a gutter. before is the share of its free room that is before the text.
type strip struct{ from, to, before float64 }

// InGutter reports whether the text area is a part of a gutter.
func (s *Area) InGutter() bool { return s.strip != nil }

// Start returns where a block of the given width begins in a part of a gutter, so that as large a share of the free room is before it as
// there was before the source: a block at the end of a panel ends there, and one in the middle stays in the middle.
func (s *Area) Start(width float64) float64 {
	return s.strip.from + s.strip.before*(s.strip.to-s.strip.from-width)
}

// quad returns the corners of a rectangle.
func quad(r image.Rectangle) raster.Quad {
	return raster.QuadOf(float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y))
}
