// Package lineseg segments Chinese and Japanese text into lines from its ink, where detected lines cross each other or contradict
// the ink.
//
// Characters of these scripts fill squares. Where lines are set as close as characters, the detector takes rows for columns, joins the
// beginnings of several columns, or includes furigana in its line. On flat ground the projections of the ink on both axes are
// bands with blanks between them. The axis across the lines is the one whose bands are of one width, whose blanks are wider, or that
// has fewer bands. A narrow band to the right of a column, or above a row, is furigana.
//
// [Find] replaces detected lines, [Overlooked] adds lines beside them, and [Characters] splits a column into its characters.
package lineseg

import (
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

// Group is lines that cross each other, and those that the ink tells instead.
type Group struct {
	// Members are indices of the lines.
	Members []int
	Lines   []raster.Quad
	// Across says that members lie across the lines, as pieces of several of them, and Against that none lies along.
	Across, Against bool
}

const (
	// crossing is the least share of a line that another covers where the two contradict each other. Lines of a paragraph
	// that is set solid share less.
	crossing = 0.25
	// crossingWays is that share where one of the two is a row and the other a column.
	crossingWays = 0.04
	// oblong is the ratio of sides from which a box is a row or a column.
	oblong = 1.5
	// near is how far apart lines of a group are at most, in sizes of the smaller.
	near = 0.5
)

// Find gives the groups of lines to replace, of the lines of img as they were detected: those that cross each other, or lie
// across the lines that the ink tells.
func Find(img *image.NRGBA, lines []raster.Quad) []Group {
	boxes := boundsOfAll(lines)
	var found []Group
	for _, members := range clusters(boxes) {
		crossed := contradict(boxes, members)
		if !crossed && !mayRunAcross(boxes, members) {
			continue
		}
		told := linesOfInk(img, boxes, members)
		along, across := ways(boxes, members, told.vertical)
		if told.lines != nil && (crossed || told.sure && across) {
			found = append(found, Group{members, told.lines, across, !along})
		}
	}
	return found
}

// clusters are the boxes of about one size that stand next to each other, as indices.
func clusters(boxes []box) [][]int {
	groupOf := make([]int, len(boxes))
	for i := range boxes {
		groupOf[i] = i
		for k := range i {
			reach := near * min(boxes[i].size(), boxes[k].size())
			if groupOf[k] != groupOf[i] && boxes[i].grown(reach).common(boxes[k]) > 0 && alike(boxes[i], boxes[k]) {
				replace(groupOf[:i+1], groupOf[i], groupOf[k])
			}
		}
	}
	members := make(map[int][]int)
	var order []int
	for i, g := range groupOf {
		if members[g] == nil {
			order = append(order, g)
		}
		members[g] = append(members[g], i)
	}
	all := make([][]int, len(order))
	for k, g := range order {
		all[k] = members[g]
	}
	return all
}

// alike reports whether two boxes may hold text of one size, furigana included: neither side of one is far larger.
func alike(a, b box) bool {
	return max(a.size(), b.size()) <= 3*min(a.size(), b.size())
}

func replace(values []int, old, with int) {
	for i, v := range values {
		if v == old {
			values[i] = with
		}
	}
}

// contradict reports whether two of some boxes cross.
func contradict(boxes []box, members []int) bool {
	return slices.ContainsFunc(members, func(i int) bool {
		return slices.ContainsFunc(members, func(k int) bool {
			least := crossing
			if boxes[i].isRow() && boxes[k].isColumn() {
				least = crossingWays
			}
			return i != k && boxes[i].common(boxes[k]) > least*min(boxes[i].area(), boxes[k].area())
		})
	})
}

// mayRunAcross reports whether some boxes may hold pieces of lines of the other direction: columns alone are what they seem, for
// rows are never set so far apart.
func mayRunAcross(boxes []box, members []int) bool {
	return len(members) > 1 && slices.ContainsFunc(members, func(i int) bool { return !boxes[i].isColumn() })
}

// ways reports whether some boxes lie along the lines that the ink tells, and whether any lies across them, as a piece of
// several; so do boxes of which most hold a single character.
func ways(boxes []box, members []int, vertical bool) (along, across bool) {
	single := 0
	for _, i := range members {
		row, column := boxes[i].isRow(), boxes[i].isColumn()
		if !row && !column {
			single++
		}
		along = along || vertical && column || !vertical && row
		across = across || vertical && row || !vertical && column
	}
	return along, across || 2*single > len(members)
}

// box is an upright rectangle in pixels.
type box struct{ x0, y0, x1, y1 float64 }

func boundsOf(q raster.Quad) box {
	x0, y0, x1, y1 := q.Bounds()
	return box{x0, y0, x1, y1}
}

func boundsOfAll(lines []raster.Quad) []box {
	boxes := make([]box, len(lines))
	for i, q := range lines {
		boxes[i] = boundsOf(q)
	}
	return boxes
}

func (b box) size() float64 { return min(b.x1-b.x0, b.y1-b.y0) }

func (b box) isRow() bool { return b.x1-b.x0 >= oblong*(b.y1-b.y0) }

func (b box) isColumn() bool { return b.y1-b.y0 >= oblong*(b.x1-b.x0) }

// span is the extent of a box in x or in y.
func (b box) span(x bool) (from, to float64) {
	if x {
		return b.x0, b.x1
	}
	return b.y0, b.y1
}

func (b box) holds(c box) bool {
	x, y := (c.x0+c.x1)/2, (c.y0+c.y1)/2
	return x > b.x0 && x < b.x1 && y > b.y0 && y < b.y1
}

func (b box) area() float64 { return (b.x1 - b.x0) * (b.y1 - b.y0) }

func (b box) grown(by float64) box { return box{b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by} }

func (b box) union(c box) box {
	return box{min(b.x0, c.x0), min(b.y0, c.y0), max(b.x1, c.x1), max(b.y1, c.y1)}
}

func (b box) common(c box) float64 {
	return max(0, min(b.x1, c.x1)-max(b.x0, c.x0)) * max(0, min(b.y1, c.y1)-max(b.y0, c.y0))
}

func (b box) pixels() image.Rectangle {
	return image.Rect(int(math.Floor(b.x0)), int(math.Floor(b.y0)), int(math.Ceil(b.x1)), int(math.Ceil(b.y1)))
}

func (b box) quad() raster.Quad {
	return raster.Quad{{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}}
}
