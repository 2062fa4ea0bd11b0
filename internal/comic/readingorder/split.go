package readingorder

import (
	"cmp"
	"math"
	"slices"
)

// split divides items at every place of an axis that no item covers; extent is the interval of an item on the axis. Items that overlap by
// no more than a quarter of the shorter are separated, too, because outlines bulge past each other.
func split(items []item, extent func(item) (float64, float64)) [][]item {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b item) int {
		a0, a1 := extent(a)
		b0, b1 := extent(b)
		return cmp.Compare(a0+a1, b0+b1)
	})
	parts := [][]item{items[:1]}
	for i := 1; i < len(items); i++ {
		last := len(parts) - 1
		if apart(items[:i], items[i:], extent) {
			parts = append(parts, items[i:i+1])
		} else {
			parts[last] = parts[last][:len(parts[last])+1]
		}
	}
	return parts
}

// widest is the widest gap between successive parts on an axis.
func widest(parts [][]item, extent func(item) (float64, float64)) float64 {
	var blank float64
	for i := 1; i < len(parts); i++ {
		end, start := math.Inf(-1), math.Inf(1)
		for _, it := range parts[i-1] {
			_, to := extent(it)
			end = max(end, to)
		}
		for _, it := range parts[i] {
			from, _ := extent(it)
			start = min(start, from)
		}
		blank = max(blank, start-end)
	}
	return blank
}

func meanWidth(items []item) float64 {
	var sum float64
	for _, it := range items {
		sum += it.x1 - it.x0
	}
	return sum / float64(len(items))
}

func apart(before, after []item, extent func(item) (float64, float64)) bool {
	for _, a := range before {
		for _, b := range after {
			a0, a1 := extent(a)
			b0, b1 := extent(b)
			if min(a1, b1)-max(a0, b0) > 0.25*min(a1-a0, b1-b0) {
				return false
			}
		}
	}
	return true
}

// inRows sorts items by their tops. Items with tops within 0.3 of their mean height form one row, which is read from its beginning.
func inRows(items []item) []item {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.y0, b.y0) })
	var height float64
	for _, it := range items {
		height += (it.y1 - it.y0) / float64(len(items))
	}
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && items[to].y0-items[from].y0 <= 0.3*height {
			to++
		}
		slices.SortStableFunc(items[from:to], func(a, b item) int { return cmp.Compare(a.x0, b.x0) })
		from = to
	}
	return items
}
