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
	out := bitmap.New(p.box.Inset(-int(0.5 * p.em)).Intersect(in.page.Rect).Intersect(in.original.Rect))
	lines := make([]image.Rectangle, len(p.region.Lines))
	for i, q := range p.region.Lines {
		lines[i] = localBounds(f, q).Inset(-grow)
	}
	for i := range out.Pix {
		at := out.Point(i)
		if raster.Difference(raster.At(in.page, at.X, at.Y), raster.At(in.original, at.X, at.Y)) <= inkLevels {
			continue
		}
		if slices.ContainsFunc(lines, f.local(at).In) {
			out.Pix[i] = 1
		}
	}
	return out
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
		x, y, degrees := axis(ink)
		f = TurnedFrame(x, y, degrees)
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
	for i, set := range ink.Pix {
		if set != 0 {
			at := f.local(ink.Point(i))
			box = box.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	}
	return box
}

// gutterOf returns those of some pixels that are in a gutter.
func (in surroundings) gutterOf(ink *bitmap.Bitmap) *bitmap.Bitmap {
	out := bitmap.New(ink.Rect)
	for i, set := range ink.Pix {
		if at := ink.Point(i); set != 0 && in.layout.InGutter(at.X, at.Y) {
			out.Pix[i] = 1
		}
	}
	return out
}

// axis returns the middle of some pixels, and the direction in which they extend most, -90 to 90 degrees: a line along it reads from the left.
func axis(of *bitmap.Bitmap) (x, y, degrees float64) {
	var n, sx, sy, sxx, sxy, syy float64
	for i, set := range of.Pix {
		if set != 0 {
			at := of.Point(i)
			x, y := float64(at.X), float64(at.Y)
			n, sx, sy, sxx, sxy, syy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
		}
	}
	x, y = sx/n, sy/n
	return x, y, math.Atan2(2*(sxy/n-x*y), sxx/n-x*x-(syy/n-y*y)) / 2 * 180 / math.Pi
}
