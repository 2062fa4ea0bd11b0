package textarea

import (
	"image"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// inkLevels is the least change of a pixel by erasing, in levels, at which it was ink.
	inkLevels = 24
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
	changed := bitmap.Changed(in.page, in.original, around, inkLevels)
	return bitmap.Where(around, func(at image.Point) bool {
		return changed.Has(at.X, at.Y) && slices.ContainsFunc(lines, f.local(at).In)
	})
}

// drawnArea returns the box of the ink of a sound or a label in the frame of its slant. A column that is set in lines gets one line along
// it. The area has no more of the gutter than the box of the ink that is there, and nothing that belongs to other texts. Its Wider is the
// area of other text over art.
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
		f = TurnedFrame(middle[0], middle[1], along*180/math.Pi)
	}
	box, across := inkBounds(f, ink), inkBounds(f, in.gutterOf(ink))
	var s *Area
	if p.shareOf(in.layout.InGutter) >= noteInGutter {
		s = p.gutterArea(in, f, box)
	} else {
		s = p.freeArea(in, f, box, func(at image.Point) bool { return f.local(at).In(across) })
	}
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

// gutterOf returns those of some pixels that are in a gutter.
func (in surroundings) gutterOf(ink *bitmap.Bitmap) *bitmap.Bitmap {
	return bitmap.Where(ink.Rect, func(at image.Point) bool { return ink.Has(at.X, at.Y) && in.layout.InGutter(at.X, at.Y) })
}
