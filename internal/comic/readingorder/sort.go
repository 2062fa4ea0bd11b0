// Package readingorder sorts the regions of a page into reading order.
//
// Panels come first. A page is divided along its gutters: strips of paper that run from one side of an area to the other, horizontally,
// vertically or slanted by up to about twenty degrees. Areas are divided across first, then downwards, recursively (recursive XY cut,
// Nagy and Seth, 1984). Parts one below the other are read downwards, parts side by side in the reading direction. A region in a gutter
// or a margin, such as narration between two rows, is read between the panels around it.
//
// Special cases: the blank interior of a framed panel is no gutter; two strips of four equal panels side by side, read from right to
// left, are each read downwards; a framed panel inset into another is read as one item of it.
//
// Within a panel the same cut divides the boxes of the regions; regions that no cut separates are read in rows. Page furniture (page
// numbers, credits) comes last.
package readingorder

import (
	"slices"

	"plait/internal/comic"
)

// Sort returns the regions of the page in reading order, with their indices set.
func (l *Layout) Sort(regions []comic.Region, rightToLeft bool) []comic.Region {
	var story, furniture []item
	for i, r := range regions {
		if r.Kind == comic.KindFurniture {
			furniture = append(furniture, newItem(i, r, rightToLeft))
		} else {
			story = append(story, newItem(i, r, rightToLeft))
		}
	}
	strip := float64(l.page.Dy()) >= stripRatio*float64(l.page.Dx())
	s := sorter{side: l.side, rightToLeft: rightToLeft, strip: strip}
	sorted := make([]comic.Region, 0, len(regions))
	for _, it := range append(s.inPanels(l.root, story), s.arrange(furniture)...) {
		r := regions[it.number]
		r.Index = len(sorted)
		sorted = append(sorted, r)
	}
	return sorted
}

// item is the bounding box of a region in pixels, mirrored when reading goes from right to left, so that reading always begins at the
// left.
type item struct {
	number int
	// on is the box on the page, not mirrored.
	on box
	box
}

type box struct{ x0, y0, x1, y1 float64 }

func newItem(number int, r comic.Region, mirrored bool) item {
	x0, y0, x1, y1 := r.Bounds()
	it := item{number: number, on: box{x0, y0, x1, y1}, box: box{x0, y0, x1, y1}}
	if mirrored {
		it.x0, it.x1 = -x1, -x0
	}
	return it
}

// sorter sorts items in one reading direction.
type sorter struct {
	side               int // of a cell, in pixels
	rightToLeft, strip bool
}

// leastHeld is the least share of an item inside the panel that holds it. An item that no panel holds lies between panels.
const leastHeld = 0.25

// inPanels sorts the items of a part of the page.
func (s sorter) inPanels(p *panel, items []item) []item {
	if len(items) < 2 || len(p.parts) == 0 {
		return s.around(s.boxes(p.insets), items)
	}
	if strips := p.strips(); strips != nil && s.rightToLeft {
		return s.inStrips(strips, items)
	}
	// Place 2k+1 is part k, and place 2k is before it.
	places := make([][]item, 2*len(p.parts)+1)
	for _, it := range items {
		at := s.placeOf(p, it.on)
		places[at] = append(places[at], it)
	}
	var sorted []item
	for i := range places {
		if !p.cut.across && s.rightToLeft {
			i = len(places) - 1 - i
		}
		if i%2 == 1 {
			sorted = append(sorted, s.inPanels(p.parts[i/2], places[i])...)
		} else {
			sorted = append(sorted, s.arrange(places[i])...)
		}
	}
	return sorted
}

// placeOf is the place of the part that holds most of b or from which b extends, or else the place between parts at b's middle.
func (s sorter) placeOf(p *panel, b box) int {
	x0, y0, x1, y1 := int(b.x0)/s.side, int(b.y0)/s.side, int(b.x1)/s.side+1, int(b.y1)/s.side+1
	best, most := -1, 0
	for i, part := range p.parts {
		if n := part.area.cells(x0, y0, x1, y1); n > most {
			best, most = i, n
		}
	}
	if float64(most) >= leastHeld*float64((x1-x0)*(y1-y0)) {
		return 2*best + 1
	}
	offset := int(p.cut.offset(float64(x0+x1)/2, float64(y0+y1)/2))
	before := 0
	for before < len(p.offsets) && p.offsets[before].to <= offset {
		before++
	}
	if before < len(p.offsets) && p.offsets[before].from <= offset {
		return 2*before + 1
	}
	for _, i := range [2]int{before, before - 1} {
		if i >= 0 && i < len(p.parts) && p.cut.across && p.parts[i].hasHanging(x0, y0, x1, y1) {
			return 2*i + 1
		}
	}
	return 2 * before
}

const (
	// hangingReach is the greatest distance of a bubble above or below the row of panels to which it belongs, in its own heights.
	hangingReach = 0.5
	// hangingBeside is the least share of the bubble's width above or below its panel.
	hangingBeside = 0.8
)

// hasHanging reports whether a box, in cells, above or below a row of panels belongs to just one of them: a bubble that opens into the
// margin. Text between rows, such as narration, is above several panels or none.
func (p *panel) hasHanging(x0, y0, x1, y1 int) bool {
	away := max(p.area.top-y1, y0-p.area.top-len(p.area.rows))
	if len(p.parts) < 2 || p.cut.across || float64(away) > hangingReach*float64(y1-y0) {
		return false
	}
	return slices.ContainsFunc(p.parts, func(part *panel) bool {
		c := part.area.columns()
		return float64(min(c.to, x1)-max(c.from, x0)) >= hangingBeside*float64(x1-x0)
	})
}

// farApart is the ratio between the gap of two stacks of bubbles and the gaps of rows from which each stack is read as a whole. A stack is
// what one speaker says in bubbles that touch, before the answer across the panel. Text above all of the first stack, such as a caption in
// the corner of the panel, is read before it.
const farApart = 4

// arrange sorts the items of one panel: it cuts across where a horizontal line separates them, then downwards, and sorts by rows where
// neither is possible. It cuts between stacks that are far apart first, except on strips, which are read downwards.
func (s sorter) arrange(items []item) []item {
	if len(items) < 2 {
		return items
	}
	down := func(it item) (float64, float64) { return it.y0, it.y1 }
	across := func(it item) (float64, float64) { return it.x0, it.x1 }
	rows, columns := split(items, down), split(items, across)
	stacks := !s.strip && len(columns) > 1 && widest(columns, across) > max(farApart*widest(rows, down), meanWidth(items))
	if len(rows) == 1 || stacks && share(rows[0], columns[0]) {
		if len(columns) == 1 {
			return inRows(items)
		}
		rows = columns
	}
	var sorted []item
	for _, part := range rows {
		sorted = append(sorted, s.arrange(part)...)
	}
	return sorted
}

// share reports whether two parts have an item in common.
func share(a, b []item) bool {
	return slices.ContainsFunc(a, func(it item) bool {
		return slices.ContainsFunc(b, func(o item) bool { return o.number == it.number })
	})
}
