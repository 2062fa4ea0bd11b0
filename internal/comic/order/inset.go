package order

import (
	"cmp"
	"image"
	"slices"
)

const (
	// leastFramed is the least share of each side of an inset panel that is inked: frames are straight, bubbles are not.
	leastFramed = 0.9
	// mostInset is the greatest share of a panel that one inset into it has.
	mostInset = 0.6
)

// insets are the boxes, in cells, of the panels that stand in a panel or in its corner with paper around them: connected
// pieces of ink that are framed by straight sides.
func (p *paper) insets(a area) []image.Rectangle {
	var found []image.Rectangle
	piece := make([]int32, p.width*p.height) // the number of the piece of each cell from 1, 0 for none
	next := int32(0)
	for i, r := range a.rows {
		for x := r.from; x < r.to; x++ {
			if at := image.Pt(x, a.top+i); p.inked[at.Y*p.width+at.X] && piece[at.Y*p.width+at.X] == 0 {
				next++
				box := p.fill(a, piece, at, next)
				if p.isInset(a, box) && p.framed(piece, next, box) {
					found = append(found, box)
				}
			}
		}
	}
	return found
}

func (p *paper) isInset(a area, box image.Rectangle) bool {
	size := box.Size()
	return min(size.X, size.Y) >= p.leastPanel() && float64(size.X*size.Y) <= mostInset*float64(a.size())
}

// fill numbers the connected inked cells of a around one, and returns their box.
func (p *paper) fill(a area, piece []int32, at image.Point, number int32) image.Rectangle {
	var box image.Rectangle
	piece[at.Y*p.width+at.X] = number
	for open := []image.Point{at}; len(open) > 0; {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		box = box.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		for y := at.Y - 1; y <= at.Y+1; y++ {
			for x := at.X - 1; x <= at.X+1; x++ {
				if a.cells(x, y, x+1, y+1) == 0 {
					continue
				}
				if i := y*p.width + x; p.inked[i] && piece[i] == 0 {
					piece[i] = number
					open = append(open, image.Pt(x, y))
				}
			}
		}
	}
	return box
}

// framed reports whether a piece has straight sides: cells on nearly all of each side of its box, at most one from it.
func (p *paper) framed(piece []int32, number int32, box image.Rectangle) bool {
	of := func(x, y int) bool { return piece[y*p.width+x] == number }
	var top, bottom, left, right int
	for x := box.Min.X; x < box.Max.X; x++ {
		top += count(of(x, box.Min.Y) || of(x, box.Min.Y+1))
		bottom += count(of(x, box.Max.Y-1) || of(x, box.Max.Y-2))
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		left += count(of(box.Min.X, y) || of(box.Min.X+1, y))
		right += count(of(box.Max.X-1, y) || of(box.Max.X-2, y))
	}
	return float64(min(top, bottom)) >= leastFramed*float64(box.Dx()) && float64(min(left, right)) >= leastFramed*float64(box.Dy())
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// around sorts the items of a panel with insets: what lies above the first inset, beside it where reading begins, in it,
// beside it on the other side, and below it.
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

// boxes are those of insets in pixels, as items have them: mirrored where reading goes from right to left, and the first
// to be read first.
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
