package textarea

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// noteInGutter is the least share of the lines of a note that is in the gutter: the box of a line extends somewhat over the edge of a
	// panel, but lettering across the edge is no note.
	noteInGutter = 0.75
	// besidePanel is the greatest distance of a text in the gutter from the panel that it belongs to, in em.
	besidePanel = 1.5
)

// gutterArea returns the part of the gutter in which a text stands: some rows of a frame, as far as there are panels beside them and
// up to other texts. A note below a panel stays in the gutter so, whatever its length, and does not extend into the margin of the page.
func (p *place) gutterArea(in surroundings, f Frame, rows image.Rectangle) *Area {
	ink := p.ink
	if ink == nil {
		ink = p.inkOf(in)
	}
	beside := inkBounds(f, ink)
	if beside.Empty() {
		beside = f.Bounds(p.region.Lines...)
	}
	box := f.Bounds(quad(in.page.Rect))
	box.Min.Y, box.Max.Y = rows.Min.Y, rows.Max.Y
	from, to := float64(beside.Min.X), float64(beside.Max.X)
	inside := bitmap.New(box.Inset(-int(besidePanel * p.em)))
	for i := range inside.Pix {
		local := inside.Point(i)
		switch at := f.Page(local); {
		case !at.In(in.page.Rect):
		case !in.layout.InGutter(at.X, at.Y):
			beside.Min.X, beside.Max.X = min(beside.Min.X, local.X), max(beside.Max.X, local.X+1)
		case local.In(box) && !p.yields(in.places, at):
			inside.Pix[i] = 1
		}
	}
	box.Min.X, box.Max.X = beside.Min.X, beside.Max.X
	inside = inside.Over(box.Intersect(inside.Rect))
	if free := inside.Bounds(); !free.Empty() {
		beside.Min.X, beside.Max.X = free.Min.X, free.Max.X
	}
	s := newArea(f, inside)
	s.Ground, s.strip = p.ground, &strip{from: float64(beside.Min.X), to: float64(beside.Max.X), before: 0.5}
	if free := float64(beside.Dx()) - (to - from); free > 0 {
		s.strip.before = min(max((from-s.strip.from)/free, 0), 1)
	}
	return s
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
