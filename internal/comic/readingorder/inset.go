package readingorder

import (
	"cmp"
	"image"
	"slices"

	"plait/internal/raster/bitmap"
)

const (
	// leastFramed is the least share of each side of an inset panel that is inked: frames have straight sides, bubbles do not.
	leastFramed = 0.9
	// mostInset is the greatest share of a panel that one inset covers.
	mostInset = 0.6
)

// insets are the boxes, in cells, of the panels inside a panel or in its corner that have paper around them: connected components of ink
// with straight sides.
func (p *paper) insets(a area) []image.Rectangle {
	columns := a.columns()
	if columns.length() == 0 {
		return nil
	}
	inked := bitmap.New(image.Rect(columns.from, a.top, columns.to, a.top+len(a.rows)))
	for i, r := range a.rows {
		if y := a.top + i; r.length() > 0 {
			copy(inked.Pix[inked.Offset(r.from, y):], p.inked.Pix[p.inked.Offset(r.from, y):p.inked.Offset(r.to, y)])
		}
	}
	var found []image.Rectangle
	for _, c := range inked.Components() {
		if p.isInset(a, c.Bounds) && slices.Min(straightSides(inked.Component(c))) >= leastFramed {
			found = append(found, c.Bounds)
		}
	}
	return found
}

func (p *paper) isInset(a area, box image.Rectangle) bool {
	size := box.Size()
	return min(size.X, size.Y) >= p.leastPanel() && float64(size.X*size.Y) <= mostInset*float64(a.size())
}

// straightSides is the share of the top, the bottom, the left and the right side of a component, given within its bounds, that is
// straight: that has ink at most one cell from the side.
func straightSides(c *bitmap.Bitmap) []float64 {
	var top, bottom, left, right int
	box := c.Rect
	for x := box.Min.X; x < box.Max.X; x++ {
		top += count(c.Has(x, box.Min.Y) || c.Has(x, box.Min.Y+1))
		bottom += count(c.Has(x, box.Max.Y-1) || c.Has(x, box.Max.Y-2))
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		left += count(c.Has(box.Min.X, y) || c.Has(box.Min.X+1, y))
		right += count(c.Has(box.Max.X-1, y) || c.Has(box.Max.X-2, y))
	}
	width, height := float64(box.Dx()), float64(box.Dy())
	return []float64{float64(top) / width, float64(bottom) / width, float64(left) / height, float64(right) / height}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// around sorts the items of a panel with insets: those above the first inset, beside it where reading begins, in it, beside it on the
// other side, and below it.
func (s sorter) around(insets []box, items []item) []item {
	if len(insets) == 0 {
		return s.arrange(items)
	}
	first := insets[0]
	place := func(b box) int {
		switch x, y := (b.x0+b.x1)/2, (b.y0+b.y1)/2; {
		case y < first.y0:
			return 0
		case y > first.y1:
			return 4
		case x < first.x0:
			return 1
		case x > first.x1:
			return 3
		default:
			return 2
		}
	}
	var sorted []item
	for at := range 5 {
		others := slices.DeleteFunc(slices.Clone(insets[1:]), func(b box) bool { return place(b) != at })
		own := slices.DeleteFunc(slices.Clone(items), func(it item) bool { return place(it.box) != at })
		sorted = append(sorted, s.around(others, own)...)
	}
	return sorted
}

// boxes converts insets to pixels in the coordinates of items, which are mirrored when reading goes from right to left, with the inset
// that is read first in front.
func (s sorter) boxes(insets []image.Rectangle) []box {
	var boxes []box
	for _, r := range insets {
		r = image.Rectangle{Min: r.Min.Mul(s.side), Max: r.Max.Mul(s.side)}
		b := box{float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y)}
		if s.rightToLeft {
			b.x0, b.x1 = -b.x1, -b.x0
		}
		boxes = append(boxes, b)
	}
	slices.SortStableFunc(boxes, func(a, b box) int { return cmp.Or(cmp.Compare(a.y0, b.y0), cmp.Compare(a.x0, b.x0)) })
	return boxes
}
