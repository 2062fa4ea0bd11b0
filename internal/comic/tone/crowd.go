package tone

import (
	"image"
	"math"
	"slices"
)

const (
	// crowdLeast is the least number of dots in a square of crowdSide: lettering has a few pieces as small there.
	crowdLeast = 24
	// alike is how much larger than the mean dot around it a dot may be, in standard deviations of their areas, and
	// alikePixels more: the dots of a tone are of one size, but fall on the pixels in different ways.
	alike, alikePixels = 2.5, 1
	// finePitch is the distance in pixels of neighboring dots below which they are not told apart.
	finePitch = 3.2
)

// table holds sums over rectangles from the upper left corner (Crow, 1984).
type table struct {
	width, height int
	sums          []int32
}

func newTable(width, height int, values func(at int) int32) table {
	t := table{width + 1, height + 1, make([]int32, (width+1)*(height+1))}
	for y := range height {
		row := int32(0)
		for x := range width {
			row += values(y*width + x)
			t.sums[(y+1)*t.width+x+1] = t.sums[y*t.width+x+1] + row
		}
	}
	return t
}

// around is the sum over a square of twice reach, cut at the edges.
func (t table) around(x, y, reach int) int32 { return t.sum(x-reach, y-reach, x+reach+1, y+reach+1) }

// sum is the sum from x0, y0 to, not with, x1, y1, cut at the edges.
func (t table) sum(x0, y0, x1, y1 int) int32 {
	x0, y0, x1, y1 = max(0, x0), max(0, y0), min(t.width-1, x1), min(t.height-1, y1)
	return t.sums[y1*t.width+x1] - t.sums[y0*t.width+x1] - t.sums[y1*t.width+x0] + t.sums[y0*t.width+x0]
}

// crowds are where dots of a band stand in crowds.
type crowds struct {
	seen  image.Rectangle
	reach int
	// counts, areas and squares of areas are of dots; crowded and fine of places whose square holds so many.
	counts, areas, squares, crowded, fine table
	anyFine                               bool
}

// crowdsOf counts dots in squares of a side. It returns nil where they stand in no crowd.
func (b *band) crowdsOf(dots []dot, side int) *crowds {
	if g := b.gridOf(dots, side); !slices.ContainsFunc(dots, g.mayCrowd) {
		return nil
	}
	number, area := make([]int32, b.width*b.height), make([]int32, b.width*b.height)
	for _, d := range dots {
		at := d.middle()
		number[at.Y*b.width+at.X]++
		area[at.Y*b.width+at.X] += int32(len(d.pixels))
	}
	c := &crowds{seen: b.seen, reach: side / 2}
	c.counts = newTable(b.width, b.height, func(i int) int32 { return number[i] })
	fineLeast := int32(float64(side*side) / (finePitch * finePitch))
	crowded := int32(0)
	mark := func(least int32) func(int) int32 {
		return func(i int) int32 {
			if c.counts.around(i%b.width, i/b.width, c.reach) < least {
				return 0
			}
			crowded++
			return 1
		}
	}
	c.crowded = newTable(b.width, b.height, mark(crowdLeast))
	if crowded == 0 {
		return nil
	}
	c.areas = newTable(b.width, b.height, func(i int) int32 { return area[i] })
	c.squares = newTable(b.width, b.height, func(i int) int32 { return area[i] * area[i] })
	crowded = 0
	c.fine = newTable(b.width, b.height, mark(max(fineLeast, crowdLeast)))
	c.anyFine = crowded > 0
	return c
}

// holds reports whether a dot stands in a crowd, and is no larger than its neighbors.
func (c *crowds) holds(d dot) bool {
	at := d.middle()
	if c.crowded.around(at.X, at.Y, c.reach) == 0 {
		return false
	}
	n := float64(c.counts.around(at.X, at.Y, 2*c.reach))
	mean := float64(c.areas.around(at.X, at.Y, 2*c.reach)) / n
	deviation := math.Sqrt(max(0, float64(c.squares.around(at.X, at.Y, 2*c.reach))/n-mean*mean))
	return float64(len(d.pixels)) <= mean+alike*deviation+alikePixels
}

// isFine reports whether a place lies in a tone too fine to tell its dots apart.
func (c *crowds) isFine(x, y int) bool { return c.anyFine && c.fine.around(x, y, c.reach) > 0 }
