package descreen

import (
	"image"
	"math"
	"slices"

	"plait/internal/raster/integral"
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

// around is the square of twice reach around a place.
func around(x, y, reach int) image.Rectangle {
	return image.Rectangle{image.Pt(x-reach, y-reach), image.Pt(x+reach+1, y+reach+1)}
}

// crowds are where dots of a band stand in crowds.
type crowds struct {
	seen  image.Rectangle
	reach int
	// counts, areas and squares of areas are of dots; crowded and fine of places whose square holds so many.
	counts, areas, squares, crowded, fine integral.Table
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
	c.counts = integral.New(b.width, b.height, func(i int) int32 { return number[i] })
	fineLeast := int32(float64(side*side) / (finePitch * finePitch))
	crowded := int32(0)
	mark := func(least int32) func(int) int32 {
		return func(i int) int32 {
			if c.counts.In(around(i%b.width, i/b.width, c.reach)) < least {
				return 0
			}
			crowded++
			return 1
		}
	}
	c.crowded = integral.New(b.width, b.height, mark(crowdLeast))
	if crowded == 0 {
		return nil
	}
	c.areas = integral.New(b.width, b.height, func(i int) int32 { return area[i] })
	c.squares = integral.New(b.width, b.height, func(i int) int32 { return area[i] * area[i] })
	crowded = 0
	c.fine = integral.New(b.width, b.height, mark(max(fineLeast, crowdLeast)))
	c.anyFine = crowded > 0
	return c
}

// holds reports whether a dot stands in a crowd, and is no larger than its neighbors.
func (c *crowds) holds(d dot) bool {
	at := d.middle()
	if c.crowded.In(around(at.X, at.Y, c.reach)) == 0 {
		return false
	}
	n := float64(c.counts.In(around(at.X, at.Y, 2*c.reach)))
	mean := float64(c.areas.In(around(at.X, at.Y, 2*c.reach))) / n
	deviation := math.Sqrt(max(0, float64(c.squares.In(around(at.X, at.Y, 2*c.reach)))/n-mean*mean))
	return float64(len(d.pixels)) <= mean+alike*deviation+alikePixels
}

// isFine reports whether a place lies in a tone too fine to tell its dots apart.
func (c *crowds) isFine(x, y int) bool { return c.anyFine && c.fine.In(around(x, y, c.reach)) > 0 }
