package lineseg

import (
	"image"
	"math"

	"plait/internal/raster"
)

const (
	// leastPitch, usualPitch and greatestPitch are the way from one character of a column to the next, in widths of the column's
	// box, which the detector leaves a third wider than characters are.
	leastPitch, usualPitch, greatestPitch = 0.6, 0.76, 0.95
	// blankOfEnds is how much less than its pitches a column's ink is long, in those widths.
	blankOfEnds = 0.08
	// boundaryReach is how far from its place the boundary of two characters is looked for, in those widths.
	boundaryReach = 0.07
	// pitchWeight is how much a pitch that is off the usual counts against ink on a boundary.
	pitchWeight = 0.3
	// cellMargin is what is left beside the widest character, in its widths.
	cellMargin = 0.1
)

// Characters are the outlines of the characters of a column, from its top, which are set at one pitch. There are none where
// the column does not stand on flat ground, or holds no two characters.
func Characters(img *image.NRGBA, column raster.Quad) []raster.Quad {
	b := boundsOf(column)
	area := b.pixels().Intersect(img.Rect)
	ground, flat := groundColor(img, area)
	if area.Empty() || flat < flatGround {
		return nil
	}
	rows, left, right := profile(inkOf(img, area, ground), area.Dx())
	top, bottom := 0, len(rows)
	for top < bottom && rows[top] == 0 {
		top++
	}
	for bottom > top && rows[bottom-1] == 0 {
		bottom--
	}
	cuts := boundaries(rows, top, bottom, b.x1-b.x0)
	var all []raster.Quad
	middle, width := float64(left+right)/2, float64(right-left)*(1+2*cellMargin)
	for i := 1; i < len(cuts); i++ {
		from, to := float64(cuts[i-1]), float64(cuts[i])
		half := max(width, to-from) / 2
		x, y := float64(area.Min.X)+middle, float64(area.Min.Y)
		all = append(all, box{x - half, y + from, x + half, y + to}.quad())
	}
	return all
}

// profile is how many pixels of each row are ink, and between which columns all ink lies.
func profile(inked []bool, width int) (rows []int, left, right int) {
	rows = make([]int, len(inked)/max(width, 1))
	left = width
	for i, ink := range inked {
		if ink {
			rows[i/width]++
			left, right = min(left, i%width), max(right, i%width+1)
		}
	}
	return rows, left, right
}

// boundaries are where characters of one pitch begin, and where the last one ends: of all pitches that characters of a
// column of that size have, those with least ink on them.
func boundaries(rows []int, top, bottom int, size float64) (best []int) {
	length := float64(bottom-top) + blankOfEnds*size
	start := float64(top) - blankOfEnds*size/2
	least := math.Inf(1)
	for n := max(2, int(math.Ceil(length/(greatestPitch*size)))); float64(n) <= length/(leastPitch*size); n++ {
		pitch := length / float64(n)
		cuts := []int{max(0, int(start))}
		cost := 0.0
		for k := 1; k < n; k++ {
			at, ink := leastInk(rows, start+float64(k)*pitch, boundaryReach*size)
			cuts, cost = append(cuts, at), cost+float64(ink)/size
		}
		cost = cost/float64(n-1) + pitchWeight*math.Abs(pitch/size-usualPitch)
		if cost < least {
			cuts = append(cuts, min(len(rows), int(math.Ceil(start+length))))
			least, best = cost, cuts
		}
	}
	return best
}

// leastInk is the row near a place that has least ink, and how much.
func leastInk(rows []int, place, reach float64) (at, ink int) {
	at = min(max(0, int(place)), len(rows)-1)
	ink = rows[at]
	for y := max(0, int(place-reach)); y <= min(len(rows)-1, int(place+reach)); y++ {
		if rows[y] < ink || rows[y] == ink && math.Abs(float64(y)-place) < math.Abs(float64(at)-place) {
			at, ink = y, rows[y]
		}
	}
	return at, ink
}
