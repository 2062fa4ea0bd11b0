package readingorder

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
	columns := a.columns()
	f := newFiller(columns.length(), len(a.rows))
	for i, r := range a.rows {
		if r.length() > 0 {
			row := p.inked[(a.top+i)*p.width:]
			copy(f.open[i*f.width+r.from-columns.from:], row[r.from:r.to])
		}
	}
	corner := image.Pt(columns.from, a.top)
	for i, open := range f.open {
		if !open {
			continue
		}
		f.pieces++
		if box := f.fill(i); p.isInset(a, box) && f.framed(box) {
			found = append(found, box.Add(corner))
		}
	}
	return found
}

func (p *paper) isInset(a area, box image.Rectangle) bool {
	size := box.Size()
	return min(size.X, size.Y) >= p.leastPanel() && float64(size.X*size.Y) <= mostInset*float64(a.size())
}

// filler tells connected pieces of the cells of an area apart.
type filler struct {
	width, height int
	// open are cells of no piece yet, piece the numbers of the pieces of the others, from 1.
	open   []bool
	piece  []int32
	pieces int32
	stack  []int
}

func newFiller(width, height int) filler {
	return filler{width: width, height: height, open: make([]bool, width*height), piece: make([]int32, width*height)}
}

// fill gives the connected open cells around one the number of the newest piece, and returns their box.
func (f *filler) fill(first int) image.Rectangle {
	box := image.Rectangle{Min: image.Pt(f.width, f.height)}
	take := func(i int) {
		f.open[i], f.piece[i] = false, f.pieces
		f.stack = append(f.stack, i)
	}
	for take(first); len(f.stack) > 0; {
		i := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		x, y := i%f.width, i/f.width
		box.Min.X, box.Min.Y = min(box.Min.X, x), min(box.Min.Y, y)
		box.Max.X, box.Max.Y = max(box.Max.X, x+1), max(box.Max.Y, y+1)
		for ny := max(y-1, 0); ny <= min(y+1, f.height-1); ny++ {
			for n := ny*f.width + max(x-1, 0); n <= ny*f.width+min(x+1, f.width-1); n++ {
				if f.open[n] {
					take(n)
				}
			}
		}
	}
	return box
}

// framed reports whether the newest piece, with that box, has straight sides.
func (f *filler) framed(box image.Rectangle) bool {
	return slices.Min(f.sides(box)) >= leastFramed
}

// sides are how much of the top, the bottom, the left and the right side of the newest piece, with that box, is straight: has cells at
// most one from it.
func (f *filler) sides(box image.Rectangle) []float64 {
	of := func(x, y int) bool { return f.piece[y*f.width+x] == f.pieces }
	var top, bottom, left, right int
	for x := box.Min.X; x < box.Max.X; x++ {
		top += count(of(x, box.Min.Y) || of(x, box.Min.Y+1))
		bottom += count(of(x, box.Max.Y-1) || of(x, box.Max.Y-2))
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		left += count(of(box.Min.X, y) || of(box.Min.X+1, y))
		right += count(of(box.Max.X-1, y) || of(box.Max.X-2, y))
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
