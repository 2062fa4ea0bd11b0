package textarea

import (
	"image"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// ErasedLevels is the change of a pixel by erasing, in levels, above which it was lettering.
	ErasedLevels = 24
	// inkBeside is how far ink may be outside of the detected lines, in em.
	inkBeside = 0.15
)

// inkOf returns the pixels of the lettering of a place, with its outline: those in and beside its lines that erasing changed.
func (p *place) inkOf(in surroundings) *bitmap.Bitmap {
	f, grow := p.frame(), int(inkBeside*p.em)
	lines := make([]image.Rectangle, len(p.region.Lines))
	for i, q := range p.region.Lines {
		lines[i] = f.Bounds(q).Inset(-grow)
	}
	around := p.box.Inset(-int(0.5 * p.em)).Intersect(in.page.Rect).Intersect(in.original.Rect)
	changed := bitmap.Changed(in.page, in.original, around, ErasedLevels)
	return bitmap.Where(around, func(at image.Point) bool {
		return changed.Has(at.X, at.Y) && slices.ContainsFunc(lines, f.local(at).In)
	})
}

// drawnArea returns the box of the ink of a sound or a label in the frame of its slant; a column set in lines gets one line along it. It
// has no more of the gutter than the box of the ink there, and nothing of other texts. Its Wider is the area of other text over art.
func (p *place) drawnArea(in surroundings, columns bool) *Area {
	f, ink := p.frame(), p.ink
	switch {
	case columns:
		f = ColumnFrame()
	case p.region.Direction == comic.Vertical:
		var m raster.Moments
		for _, at := range ink.All() {
			m.Add(at)
		}
		middle, along, _, _ := m.Rectangle()
		f = TurnedFrame(middle, along*180/math.Pi)
	}
	box, across := inkBounds(f, ink), inkBounds(f, bitmap.Where(ink.Rect, func(at image.Point) bool {
		return ink.Has(at.X, at.Y) && in.layout.InGutter(at.X, at.Y)
	}))
	s := p.freeArea(in, f, box, across)
	s.Drawn = true
	s.Wider, s.Enough = func() *Area { return p.boxArea(in, columns) }, 0.6
	return s
}

// inkBounds returns the bounding box of some pixels of the page in a frame.
func inkBounds(f Frame, ink *bitmap.Bitmap) (box image.Rectangle) {
	for _, at := range ink.All() {
		at = f.local(at)
		box = box.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
	}
	return box
}

const (
	// noteInGutter is the least share of a note in the gutter: boxes extend over the edge of a panel, but lettering across it is no note.
	noteInGutter = 0.75
	// besidePanel is the greatest distance of a text in the gutter from the panel that it belongs to, in em.
	besidePanel = 1.5
)

// isNote reports whether the lines of the text are in the gutter.
func (p *place) isNote(layout *readingorder.Layout) bool {
	in, all := 0, 0
	for _, line := range p.lines {
		for at := range raster.Pixels(line) {
			if all++; layout.InGutter(at.X, at.Y) {
				in++
			}
		}
	}
	return all > 0 && float64(in) >= noteInGutter*float64(all)
}

// gutterArea returns the part of the gutter in which a text stands: some rows of a frame, as far as there are panels beside them and
// up to other texts. A note below a panel stays in the gutter so, whatever its length, and does not extend into the margin of the page.
func (p *place) gutterArea(in surroundings, f Frame, rows image.Rectangle) *Area {
	beside := inkBounds(f, p.inkOf(in))
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
