// Package readingorder sorts the regions of a page into reading order.
//
// Panels come first. A page is divided along its gutters: strips of paper that run from one side of an area to the other. Areas are divided
// across first, then downwards, recursively (recursive XY cut, Nagy and Seth, 1984). Parts one below the other are read downwards, parts
// side by side in the reading direction. A region in a gutter or a margin, such as narration between two rows, is read between the panels
// around it. Only two strips of four equal panels side by side, read from right to left, are each read downwards.
//
// Within a panel the same cut divides the boxes of the regions; of regions that no cut separates, the one nearest to the corner where
// reading begins is read first. Page furniture (page numbers, credits) comes last.
package readingorder

import (
	"cmp"
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
)

// Sort returns the regions of the page in reading order, with their indices set.
func (l *Layout) Sort(regions []comic.Region, rightToLeft bool) []comic.Region {
	var story, furniture []item
	for i, r := range regions {
		it := item{i, raster.Enclosing(r.Bounds())}
		if rightToLeft {
			it.box = mirrored(it.box)
		}
		if r.Kind == comic.KindFurniture {
			furniture = append(furniture, it)
		} else {
			story = append(story, it)
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

// item is the box of a region, mirrored like the panels, so that reading always begins at the left.
type item struct {
	number int
	box    image.Rectangle
}

// extent is the part of an axis that a box covers: down the page, or from left to right.
func extent(box image.Rectangle, down bool) (from, to int) {
	if down {
		return box.Min.Y, box.Max.Y
	}
	return box.Min.X, box.Max.X
}

// sort sorts the items of a part of the page.
func (p *panel) sort(items []item) []item {
	if len(p.parts) == 0 {
		return arrange(items)
	}
	// Place 2k+1 is part k, and place 2k is before it.
	places := make([][]item, 2*len(p.parts)+1)
	for _, it := range items {
		at := p.placeOf(it.box)
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

// placeOf is the place of the part that holds most of a box or stands beside its middle, or else the place between parts at its middle.
func (p *panel) placeOf(box image.Rectangle) int {
	best, most := 0, 0
	for i, part := range p.parts {
		if size := box.Intersect(part.box).Size(); size.X*size.Y > most {
			best, most = 2*i+1, size.X*size.Y
		}
	}
	if most > 0 {
		return best
	}
	from, to := extent(box, p.across)
	for i, part := range p.parts {
		begin, end := extent(part.box, p.across)
		if from+to < 2*begin {
			return 2 * i
		}
		if from+to < 2*end {
			return 2*i + 1
		}
	}
	return 2 * len(p.parts)
}

// arrange sorts the items of one panel: it cuts across where a horizontal line separates them, then downwards. Where neither is possible, the
// item comes first whose corner is nearest to the beginning of the panel.
func arrange(items []item) (sorted []item) {
	if len(items) < 2 {
		return items
	}
	for _, across := range [2]bool{true, false} {
		parts := split(items, across)
		if len(parts) == 1 {
			continue
		}
		for _, part := range parts {
			sorted = append(sorted, arrange(part)...)
		}
		return sorted
	}
	corner := func(it item) int { return it.box.Min.X + it.box.Min.Y }
	return slices.SortedStableFunc(slices.Values(items), func(a, b item) int { return cmp.Compare(corner(a), corner(b)) })
}

// bulge is the greatest overlap, as a share of the shorter, of items that a cut separates: outlines bulge past each other.
const bulge = 0.25

// split cuts items, across or down, at every place that no item covers.
func split(items []item, across bool) (parts [][]item) {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b item) int {
		a0, a1 := extent(a.box, across)
		b0, b1 := extent(b.box, across)
		return cmp.Compare(a0+a1, b0+b1)
	})
	overlap := func(a, b item) bool {
		a0, a1 := extent(a.box, across)
		b0, b1 := extent(b.box, across)
		return float64(min(a1, b1)-max(a0, b0)) > bulge*float64(min(a1-a0, b1-b0))
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
