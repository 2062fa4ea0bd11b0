// Package readingorder sorts the regions of a page into reading order.
//
// Panels come first. A page is divided along its gutters: strips of paper that run from one side of an area to the other. Areas are divided
// across first, then downwards, recursively (recursive XY cut, Nagy and Seth, 1984). Parts one below the other are read downwards, parts
// side by side in the reading direction. A region in a gutter or a margin, such as narration between two rows, is read between the panels
// around it. Only two strips of four equal panels side by side, read from right to left, are each read downwards.
//
// Within a panel the same cut divides the boxes of the regions; regions that no cut separates are read in rows. Page furniture (page
// numbers, credits) comes last.
package readingorder

import (
	"cmp"
	"slices"

	"plait/internal/comic"
)

// Sort returns the regions of the page in reading order, with their indices set.
func (l *Layout) Sort(regions []comic.Region, rightToLeft bool) []comic.Region {
	var story, furniture []item
	for i, r := range regions {
		if r.Kind == comic.KindFurniture {
			furniture = append(furniture, l.newItem(i, r, rightToLeft))
		} else {
			story = append(story, l.newItem(i, r, rightToLeft))
		}
	}
	sorted := make([]comic.Region, 0, len(regions))
	for _, it := range append(l.inDirection(rightToLeft).sort(story), arrange(furniture)...) {
		r := regions[it.number]
		r.Index = len(sorted)
		sorted = append(sorted, r)
	}
	return sorted
}

// item is the bounding box of a region in cells, mirrored when reading goes from right to left, so that reading always begins at the left.
type item struct {
	number         int
	x0, y0, x1, y1 float64
}

func (l *Layout) newItem(number int, r comic.Region, mirrored bool) item {
	x0, y0, x1, y1 := r.Bounds()
	side := float64(l.side)
	it := item{number, x0 / side, y0 / side, x1 / side, y1 / side}
	if mirrored {
		it.x0, it.x1 = float64(l.width())-it.x1, float64(l.width())-it.x0
	}
	return it
}

// sort sorts the items of a part of the page.
func (p *panel) sort(items []item) []item {
	if len(items) < 2 || len(p.parts) == 0 {
		return arrange(items)
	}
	// Place 2k+1 is part k, and place 2k is before it.
	places := make([][]item, 2*len(p.parts)+1)
	for _, it := range items {
		at := p.placeOf(it)
		places[at] = append(places[at], it)
	}
	var sorted []item
	for i, place := range places {
		if i%2 == 1 {
			sorted = append(sorted, p.parts[i/2].sort(place)...)
		} else {
			sorted = append(sorted, arrange(place)...)
		}
	}
	return sorted
}

// placeOf is the place of the part that holds most of an item or stands beside its middle, or else the place between parts at its middle.
func (p *panel) placeOf(it item) int {
	best, most := 0, 0.0
	for i, part := range p.parts {
		b := part.box
		width := max(0, min(it.x1, float64(b.Max.X))-max(it.x0, float64(b.Min.X)))
		height := max(0, min(it.y1, float64(b.Max.Y))-max(it.y0, float64(b.Min.Y)))
		if width*height > most {
			best, most = i, width*height
		}
	}
	if most > 0 {
		return 2*best + 1
	}
	for i, part := range p.parts {
		from, to, middle := part.box.Min.X, part.box.Max.X, (it.x0+it.x1)/2
		if p.across {
			from, to, middle = part.box.Min.Y, part.box.Max.Y, (it.y0+it.y1)/2
		}
		if middle < float64(from) {
			return 2 * i
		}
		if middle < float64(to) {
			return 2*i + 1
		}
	}
	return 2 * len(p.parts)
}

// arrange sorts the items of one panel: it cuts across where a horizontal line separates them, then downwards, and sorts by rows where
// neither is possible.
func arrange(items []item) []item {
	if len(items) < 2 {
		return items
	}
	parts := split(items, func(it item) (float64, float64) { return it.y0, it.y1 })
	if len(parts) == 1 {
		parts = split(items, func(it item) (float64, float64) { return it.x0, it.x1 })
	}
	if len(parts) == 1 {
		return inRows(items)
	}
	var sorted []item
	for _, part := range parts {
		sorted = append(sorted, arrange(part)...)
	}
	return sorted
}

// bulge is the greatest overlap, as a share of the shorter, of items that a cut separates: outlines bulge past each other.
const bulge = 0.25

// split divides items at every place of an axis that no item covers; extent is the interval of an item on the axis.
func split(items []item, extent func(item) (from, to float64)) (parts [][]item) {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b item) int {
		a0, a1 := extent(a)
		b0, b1 := extent(b)
		return cmp.Compare(a0+a1, b0+b1)
	})
	overlap := func(a, b item) bool {
		a0, a1 := extent(a)
		b0, b1 := extent(b)
		return min(a1, b1)-max(a0, b0) > bulge*min(a1-a0, b1-b0)
	}
	from := 0
	for i := range items {
		if i+1 < len(items) && slices.ContainsFunc(items[:i+1], func(a item) bool {
			return slices.ContainsFunc(items[i+1:], func(b item) bool { return overlap(a, b) })
		}) {
			continue
		}
		parts, from = append(parts, items[from:i+1]), i+1
	}
	return parts
}

// sameRow is the greatest distance of the tops of items in one row, in units of their mean height.
const sameRow = 0.3

// inRows sorts items by rows, each of which is read from its beginning.
func inRows(items []item) []item {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.y0, b.y0) })
	var height float64
	for _, it := range items {
		height += (it.y1 - it.y0) / float64(len(items))
	}
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && items[to].y0-items[from].y0 <= sameRow*height {
			to++
		}
		slices.SortStableFunc(items[from:to], func(a, b item) int { return cmp.Compare(a.x0, b.x0) })
		from = to
	}
	return items
}
