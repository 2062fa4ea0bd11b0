package order

import (
	"cmp"
	"image"
	"math"
	"slices"
	"strings"

	"plait/internal/pipeline"
)

// RightToLeft reports whether comics in the language are read from right to left: Japanese and traditional Chinese.
func RightToLeft(language string) bool {
	return language == "ja" || strings.HasPrefix(language, "zh-Hant")
}

// Sort returns the regions of a page in reading order, with their indices set. The picture tells the panels.
func Sort(img *image.NRGBA, regions []pipeline.Region, language string) []pipeline.Region {
	rightToLeft := RightToLeft(language)
	panels := Panels(img, rightToLeft)
	inPanel := make([][]item, len(panels))
	for i, r := range regions {
		it := newItem(i, r, rightToLeft)
		at := panelOf(it.on, panels)
		inPanel[at] = append(inPanel[at], it)
	}
	sorted := make([]pipeline.Region, 0, len(regions))
	for _, items := range inPanel {
		for _, it := range arrange(items) {
			r := regions[it.number]
			r.Index = len(sorted)
			sorted = append(sorted, r)
		}
	}
	return sorted
}

// item is the box of a region, mirrored where reading goes from right to left, so that what is read first is always
// at the left.
type item struct {
	number int
	// on is the box on the page.
	on box
	box
}

type box struct{ x0, y0, x1, y1 float64 }

func newItem(number int, r pipeline.Region, mirrored bool) item {
	x0, y0, x1, y1 := r.Bounds()
	it := item{number: number, on: box{x0, y0, x1, y1}, box: box{x0, y0, x1, y1}}
	if mirrored {
		it.x0, it.x1 = -x1, -x0
	}
	return it
}

// panelOf is the panel that holds most of b, or else the nearest one.
func panelOf(b box, panels []image.Rectangle) int {
	best, most, nearest := 0, 0.0, 0.0
	for i, p := range panels {
		x0, y0, x1, y1 := float64(p.Min.X), float64(p.Min.Y), float64(p.Max.X), float64(p.Max.Y)
		common := max(0, min(b.x1, x1)-max(b.x0, x0)) * max(0, min(b.y1, y1)-max(b.y0, y0))
		away := max(0, x0-b.x1, b.x0-x1) + max(0, y0-b.y1, b.y0-y1)
		if i == 0 || common > most || common == most && most == 0 && away < nearest {
			best, most, nearest = i, common, away
		}
	}
	return best
}

// farApart is how many times wider than the blanks between rows the blank between two stacks of bubbles is, from which each
// stack is read as a whole: what one speaker says in bubbles that touch, before the answer across the panel.
const farApart = 4

// arrange sorts the items of one panel: cut across where a level line parts them, then downwards, and by rows where
// neither does. Stacks that stand far apart are cut downwards first.
func arrange(items []item) []item {
	if len(items) < 2 {
		return items
	}
	down := func(it item) (float64, float64) { return it.y0, it.y1 }
	across := func(it item) (float64, float64) { return it.x0, it.x1 }
	rows, columns := split(items, down), split(items, across)
	if len(rows) == 1 || len(columns) > 1 && widest(columns, across) > max(farApart*widest(rows, down), meanWidth(items)) {
		if len(columns) == 1 {
			return inRows(items)
		}
		rows = columns
	}
	var sorted []item
	for _, part := range rows {
		sorted = append(sorted, arrange(part)...)
	}
	return sorted
}

// split divides items at every place of an axis that no item covers; extent is an item's piece of the axis. Items that
// share no more than a quarter of the shorter are parted too: outlines bulge past each other.
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

// widest is the widest blank between parts that follow each other on an axis.
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

// inRows sorts by tops; items whose tops are within 0.3 of their mean height are of one row, read from its beginning.
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
