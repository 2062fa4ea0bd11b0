package textarea

import (
	"image"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// insideLevels: the interior of a bubble is within so many levels of its ground in every channel, so that soft
	// shading and JPEG's noise belong to it.
	insideLevels = 26
	// flatShare of a line's box is ground when the text stands in a bubble, and of mostLines, the lines' area, that do:
	// the rest is drawn beside the bubble.
	flatShare, mostLines = 0.9, 0.6
	// slanted: free text turned by more degrees than this keeps its slant, and so does a long line that ends more than drifted of
	// an em above or below where it began: set level it would stand off the banner that it is written on.
	slanted, drifted = 4.0, 0.5
)

// place is a region and what was found around it.
type place struct {
	region comic.Region
	// lines are those that stand on the ground, all where there is no one ground; box is around them.
	lines  []raster.Quad
	box    image.Rectangle
	em     float64
	ground raster.RGB
	flat   bool
	large  bool
	// interior is the place's cell of the ground, nil when the text is over art; bounded tells that it did not leak, and
	// shared that it was parted from others, joined that the border to one of them is wide.
	interior                *bitmap.Bitmap
	bounded, shared, joined bool
}

// Find finds the text area of each region on the erased page, on all cores. Regions that share an interior part it.
func Find(page *image.NRGBA, regions []comic.Region, columns func(comic.Region) bool) []*Area {
	places := make([]*place, len(regions))
	each(len(places), func(i int) { places[i] = findPlace(page, regions[i]) })
	markLarge(places)
	apart := fields(page, places)
	each(len(apart), func(i int) {
		apart[i].reduce(page)
		apart[i].findInteriors(page.Rect)
	})
	for _, p := range places {
		if p.interior != nil && p.onStrokes(page) {
			p.interior, p.bounded = nil, false
		}
	}
	out := make([]*Area, len(places))
	around := surroundings{page: page, places: places, gutter: sync.OnceValue(func() *bitmap.Bitmap { return gutterOf(page) })}
	each(len(places), func(i int) { out[i] = places[i].textArea(around, columns(regions[i])) })
	return out
}

// surroundings are what bounds a text that no interior bounds.
type surroundings struct {
	page   *image.NRGBA
	places []*place
	gutter func() *bitmap.Bitmap
}

// each calls f for every number below n, as many at once as there are threads to run.
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

// large text has more than this many times the usual em of its page.
const large = 1.6

func markLarge(places []*place) {
	var ems []float64
	for _, p := range places {
		ems = append(ems, p.em)
	}
	slices.Sort(ems)
	for _, p := range places {
		p.large = p.em > large*ems[len(ems)/2]
	}
}

func findPlace(page *image.NRGBA, r comic.Region) *place {
	p := &place{region: r, lines: r.Lines, em: max(r.FontSize, 6)}
	x0, y0, _, _ := r.Bounds()
	p.box = around(r.Lines).Intersect(page.Rect)
	if p.box.Empty() {
		p.box = image.Rect(int(x0), int(y0), int(x0)+1, int(y0)+1)
		return p
	}
	p.findGround(page)
	return p
}

func around(lines []raster.Quad) (box image.Rectangle) {
	for _, q := range lines {
		x0, y0, x1, y1 := q.Bounds()
		box = box.Union(image.Rect(int(x0), int(y0), int(math.Ceil(x1)), int(math.Ceil(y1))))
	}
	return box
}

// findGround looks inside the lines, where the erased page shows what the text stands on.
func (p *place) findGround(page *image.NRGBA) {
	counts := map[raster.RGB]int{}
	best := 0
	for _, q := range p.lines {
		visitLine(page, q, func(c raster.RGB) {
			key := raster.RGB{c[0] &^ 3, c[1] &^ 3, c[2] &^ 3}
			counts[key]++
			if n := counts[key]; n > best {
				best, p.ground = n, c
			}
		})
	}
	var same, total, flat float64
	var on []raster.Quad
	for _, q := range p.lines {
		var of, all float64
		visitLine(page, q, func(c raster.RGB) {
			all++
			if raster.Difference(c, p.ground) <= insideLevels {
				of++
			}
		})
		if same, total = same+of, total+all; of >= flatShare*all {
			on, flat = append(on, q), flat+all
		}
	}
	switch {
	case total > 0 && same >= flatShare*total:
		p.flat = true
	case len(on) > 1 && flat >= mostLines*total:
		p.flat, p.lines, p.box = true, on, around(on).Intersect(page.Rect)
	}
}

func visitLine(page *image.NRGBA, q raster.Quad, visit func(raster.RGB)) {
	x0, y0, x1, y1 := q.Bounds()
	box := image.Rect(int(x0), int(y0), int(x1), int(y1)).Intersect(page.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			visit(raster.At(page, x, y))
		}
	}
}

// spacious is how many times as large as the box of its lines an interior is at least for the text to keep its place in it: its letterer had a
// choice.
const spacious = 6.0

// widenings are how far from its lines, in em, a text may reach where the interior leaks: the first at which it fits.
var widenings = []float64{0.5, 1, 1.8, 3}

// textArea is where the region's text goes: the interior, or else the box of its lines.
func (p *place) textArea(in surroundings, columns bool) *Area {
	// A drawn sound is part of the drawing: what lies around it is no bubble, however even.
	if p.region.Kind == comic.KindEffect || p.interior == nil || p.interior.Count()*2 < p.box.Dx()*p.box.Dy() {
		return p.boxArea(in, columns)
	}
	if p.bounded {
		s := p.interiorArea(p.interior, columns)
		s.Bubble, s.Shared, s.Joined = true, p.shared, p.joined
		if float64(p.interior.Count()) > spacious*float64(p.box.Dx()*p.box.Dy()) {
			s.centerOn(p.box)
		}
		return s
	}
	return p.leakyArea(columns, widenings)
}

func (p *place) interiorArea(interior *bitmap.Bitmap, columns bool) *Area {
	var s *Area
	if columns {
		s = newArea(ColumnFrame(), toColumns(interior))
	} else {
		s = newArea(PageFrame(), interior)
	}
	s.Ground = p.ground
	return s
}

// leakyArea is the interior near the lines, around their middle. The wider ones are tried when the text does not fit.
func (p *place) leakyArea(columns bool, widenings []float64) *Area {
	grow := widenings[0] * p.em
	near := p.box.Inset(-int(grow))
	s := p.interiorArea(clip(p.interior, near), columns)
	s.centerOn(p.box)
	s.OverArt = p.region.Kind != comic.KindDialogue
	if len(widenings) > 1 {
		s.Wider, s.Enough = func() *Area { return p.leakyArea(columns, widenings[1:]) }, 0.9
	}
	return s
}

// drift is how far the longest line rises or falls from end to end, in pixels; 0 where the angle is too small to be told.
func (p *place) drift() float64 {
	longest := 0.0
	for _, q := range p.region.Lines {
		longest = max(longest, math.Hypot(q[1][0]-q[0][0], q[1][1]-q[0][1]))
	}
	return longest * math.Abs(math.Sin(p.region.Angle*math.Pi/180))
}

// boxArea is the box of the lines, in the frame that they are turned to, grown a little, without the bubbles of others and the gutter.
func (p *place) boxArea(in surroundings, columns bool) *Area {
	f := PageFrame()
	switch {
	case columns:
		f = ColumnFrame()
	case math.Abs(p.region.Angle) > slanted || p.drift() > drifted*p.em:
		x, y := float64(p.box.Min.X+p.box.Max.X)/2, float64(p.box.Min.Y+p.box.Max.Y)/2
		f = TurnedFrame(x, y, p.region.Angle)
	}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, q := range p.region.Lines {
		for _, c := range q {
			x, y := f.ToLocal(c[0], c[1])
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
	}
	grow := 0.4 * p.em
	box := image.Rect(int(x0-grow), int(y0-grow), int(math.Ceil(x1+grow)), int(math.Ceil(y1+grow)))
	inside := bitmap.New(box)
	gutter := in.gutter()
	if p.standsIn(gutter) {
		gutter = bitmap.New(image.Rectangle{})
	}
	for i := range inside.Pix {
		at := inside.Point(i)
		px, py := f.ToPage(float64(at.X)+0.5, float64(at.Y)+0.5)
		if at := image.Pt(int(math.Floor(px)), int(math.Floor(py))); at.In(in.page.Rect.Inset(3)) && !p.takenBy(in.places, at) && !gutter.Has(at.X, at.Y) {
			inside.Pix[i] = 1
		}
	}
	s := newArea(f, inside)
	s.OverArt, s.Ground = true, p.ground
	return s
}

// takenBy reports whether a point belongs to the interior of another region.
func (p *place) takenBy(all []*place, at image.Point) bool {
	for _, o := range all {
		if o != p && o.bounded && o.interior.Has(at.X, at.Y) {
			return true
		}
	}
	return false
}

func clip(b *bitmap.Bitmap, r image.Rectangle) *bitmap.Bitmap {
	out := bitmap.New(r.Intersect(b.Rect))
	out.Union(b)
	return out
}
