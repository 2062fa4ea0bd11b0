package textarea

import (
	"image"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// insideLevels is the greatest difference of the interior of a bubble from its ground in a channel, for soft shading and JPEG noise. Two
	// grounds that differ by no more are one.
	insideLevels = 26
	// flatShare is the least share of the lines of a text in a bubble that is ground.
	flatShare = 0.9
	// Slanted text in a bubble, but not rows set sideways, keeps its slant up to mostRotated degrees and from rotatedPart of the wanted size.
	mostRotated, rotatedPart = 45, 0.8
)

// place is a region with what was found around it.
type place struct {
	region comic.Region
	// lines are the bounding boxes of the lines of the region, and box is theirs.
	lines  []image.Rectangle
	box    image.Rectangle
	em     float64
	ground raster.RGB
	flat   bool
	// interior is the cell of the place, or nil if it has none that is closed.
	interior *bitmap.Bitmap
	// ink is the lettering of a sound or a label, which has no interior; nil if erasing removed nothing.
	ink *bitmap.Bitmap
}

// Find returns the text area of each region on the erased page, in the order of regions. Regions in one interior divide it among them.
// original is the page with its lettering, and layout that of the panels. columns reports whether a region is set in columns. Find uses all cores.
func Find(page, original *image.NRGBA, layout *readingorder.Layout, regions []comic.Region, columns func(comic.Region) bool) []*Area {
	places := make([]*place, len(regions))
	each(len(places), func(i int) { places[i] = findPlace(page, regions[i]) })
	in := surroundings{page: page, original: original, places: places, layout: layout}
	apart, panels := fields(page, places), layout.Panels(false)
	each(len(apart), func(i int) {
		apart[i].reduce(page)
		apart[i].findInteriors(page.Rect, panels)
	})
	each(len(places), func(i int) { places[i].dropUnusable(in) })
	out := make([]*Area, len(places))
	each(len(places), func(i int) { out[i] = places[i].textArea(in, columns(regions[i])) })
	return out
}

// surroundings has what limits the box of a text that has no bounded interior.
type surroundings struct {
	page, original *image.NRGBA
	places         []*place
	layout         *readingorder.Layout
}

// each calls f for every number below n, on up to GOMAXPROCS goroutines.
func each(n int, f func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			f(i)
			return nil
		})
	}
	_ = group.Wait() // f cannot fail
}

func findPlace(page *image.NRGBA, r comic.Region) *place {
	p := &place{region: r, em: max(r.FontSize, 6)}
	x0, y0, _, _ := r.Bounds()
	for _, q := range r.Lines {
		p.lines = append(p.lines, raster.Enclosing(q.Bounds()))
		p.box = p.box.Union(p.lines[len(p.lines)-1])
	}
	if p.box = p.box.Intersect(page.Rect); p.box.Empty() {
		p.box = image.Rect(int(x0), int(y0), int(x0)+1, int(y0)+1)
	}
	p.findGround(page)
	return p
}

// findGround determines the color inside the lines of the erased page, and whether there is only one.
func (p *place) findGround(page *image.NRGBA) {
	var colors []raster.RGB
	for _, line := range p.lines {
		for at := range raster.Pixels(line.Intersect(page.Rect)) {
			colors = append(colors, raster.At(page, at.X, at.Y))
		}
	}
	counts, best, same := map[raster.RGB]int{}, 0, 0
	for _, c := range colors {
		key := raster.RGB{c[0] &^ 3, c[1] &^ 3, c[2] &^ 3}
		if counts[key]++; counts[key] > best {
			best, p.ground = counts[key], c
		}
	}
	for _, c := range colors {
		if raster.Difference(c, p.ground) <= insideLevels {
			same++
		}
	}
	p.flat = same > 0 && float64(same) >= flatShare*float64(len(colors))
}

// spacious is how many times as large as the box of its lines an interior has to be for the text to keep its position in it: in so large
// an interior the letterer of the source chose the position.
const spacious = 6.0

// dropUnusable leaves a place without its interior if its text does not stand in a bubble or a caption. A sound or a label is part of the
// drawing: its surroundings are not a bubble, however uniform they are.
func (p *place) dropUnusable(in surroundings) {
	if p.region.Drawn() {
		if ink := p.inkOf(in); ink.Count() > 0 {
			p.ink = ink
		}
	}
	if p.ink != nil || p.region.Kind == comic.KindEffect {
		p.interior = nil
	}
}

// textArea returns the interior of the region or, without one, the box of its lines.
func (p *place) textArea(in surroundings, columns bool) *Area {
	switch {
	case p.ink != nil:
		return p.drawnArea(in, columns)
	case p.interior == nil:
		return p.boxArea(in, columns)
	}
	return p.bubbleArea(columns, p.rotated() && !columns)
}

// bubbleArea returns the interior of the bubble. Wider of a rotated one is the same interior for level lines.
func (p *place) bubbleArea(columns, rotated bool) *Area {
	f := levelFrame(columns)
	if rotated {
		f = p.frame()
	}
	s := p.areaIn(f, p.interior)
	s.Bubble = true
	if rotated {
		s.Wider, s.Enough = func() *Area { return p.bubbleArea(columns, false) }, rotatedPart
	}
	if rotated || float64(p.interior.Count()) > spacious*float64(p.box.Dx()*p.box.Dy()) {
		middle := f.ToLocal(raster.Middle(p.box)) // where the letterer of the source chose the place
		s.CX, s.CY = middle[0], middle[1]
	}
	return s
}

// areaIn returns the area of an interior for lines in a frame.
func (p *place) areaIn(f Frame, interior *bitmap.Bitmap) *Area {
	s := newArea(f, bitmap.Where(f.Bounds(quad(interior.Rect)), func(local image.Point) bool {
		at := f.Page(local)
		return interior.Has(at.X, at.Y)
	}))
	s.Ground = p.ground
	return s
}

func (p *place) rotated() bool {
	return p.region.Direction != comic.Vertical && p.region.Slanted() && math.Abs(p.region.Angle) <= mostRotated
}

// frame is that of the page, rotated by the slant of the lines around the middle of their box.
func (p *place) frame() Frame {
	return TurnedFrame(raster.Middle(p.box), p.region.Angle)
}

// boxArea returns the bounding box of the lines in their own frame, slightly enlarged, without other interiors and the gutter.
func (p *place) boxArea(in surroundings, columns bool) *Area {
	f := p.frame()
	if columns {
		f = ColumnFrame()
	}
	box := f.Bounds(p.region.Lines...).Inset(-int(math.Ceil(0.4 * p.em)))
	return p.freeArea(in, f, box, image.Rectangle{})
}

// freeArea returns the part of a box in a frame that belongs to no other text. Unless the text is a note in the gutter, it has no more of the
// gutter than a part of the box.
func (p *place) freeArea(in surroundings, f Frame, box, across image.Rectangle) *Area {
	if p.isNote(in.layout) {
		return p.gutterArea(in, f, box)
	}
	s := newArea(f, bitmap.Where(box, func(local image.Point) bool {
		at := f.Page(local)
		return at.In(in.page.Rect.Inset(3)) && (!in.layout.InGutter(at.X, at.Y) || f.local(at).In(across)) && !p.yields(in.places, at)
	}))
	s.OverArt, s.Ground = !p.flat || p.region.Kind != comic.KindDialogue, p.ground
	return s
}

// distance returns how far a point is outside of the lines of a text; inside of one it is negative, and least in its middle.
func (p *place) distance(at image.Point) float64 {
	least := math.Inf(1)
	for _, b := range p.lines {
		dx, dy := float64(max(b.Min.X-at.X, at.X+1-b.Max.X)), float64(max(b.Min.Y-at.Y, at.Y+1-b.Max.Y))
		d := max(dx, dy)
		if d > 0 {
			d = math.Hypot(max(dx, 0), max(dy, 0))
		}
		least = min(least, d)
	}
	return least
}

// yields reports whether a point belongs to another text than one without an interior: to the text whose interior has it,
// or else to the nearest one. A point half way belongs to none.
func (p *place) yields(all []*place, at image.Point) bool {
	own := p.distance(at)
	for _, o := range all {
		if o != p && (o.interior != nil && o.interior.Has(at.X, at.Y) || o.interior == nil && o.distance(at) <= own) {
			return true
		}
	}
	return false
}
