package typeset

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/document"
)

// Scales make the texts of a document equal in size: texts of one class and one size of their source are set at one scale, but for those
// that need a smaller one.
type Scales struct {
	limits map[scaleKey]float64
}

type scaleKey struct {
	class document.Class
	size  int // in half points
}

// Needed is the scale at which one text fits.
type Needed struct {
	Class document.Class
	// Size is that of the source in points.
	Size  float64
	Scale float64
}

// kept is the share of the texts that can have the common scale. The others are set smaller.
const kept = 0.8

// NewScales finds the common scales of a document from the scales that its texts need.
func NewScales(needed []Needed) Scales {
	groups := map[scaleKey][]float64{}
	for _, n := range needed {
		if n.Class != document.ClassTable { // see CellLimits
			key := keyOf(n.Class, n.Size)
			groups[key] = append(groups[key], n.Scale)
		}
	}
	s := Scales{limits: map[scaleKey]float64{}}
	for key, scales := range groups {
		slices.Sort(scales)
		s.limits[key] = scales[int((1-kept)*float64(len(scales)))]
	}
	return s
}

// NeededCell is the scale at which one cell of a page fits. Block identifies it.
type NeededCell struct {
	Block int
	document.Cell
	// Size is that of the source in points.
	Size  float64
	Scale float64
}

// minColumn is the least number of cells of one size with which a column has a size of its own. Others, such as the head of a table, share
// that of their row.
const minColumn = 3

// line is a column or a row of a table, in one size of its source.
type line struct {
	table, column, row int
	size               int
}

// CellLimits are the largest scales of cells, by their blocks: those of a column are set at one scale, and so are those of a row in columns
// with few, but for those that need a smaller one.
func CellLimits(cells []NeededCell) map[int]float64 {
	columns := map[line]int{}
	columnOf := func(c NeededCell) line {
		return line{c.Table, c.Column, -1, keyOf(document.ClassTable, c.Size).size}
	}
	for _, c := range cells {
		columns[columnOf(c)]++
	}
	lines := map[line][]NeededCell{}
	for _, c := range cells {
		l := columnOf(c)
		if columns[l] < minColumn {
			l.column, l.row = -1, c.Row
		}
		lines[l] = append(lines[l], c)
	}
	limits := map[int]float64{}
	for _, l := range lines {
		slices.SortFunc(l, func(a, b NeededCell) int { return cmp.Compare(a.Scale, b.Scale) })
		for _, c := range l {
			limits[c.Block] = l[int((1-kept)*float64(len(l)))].Scale
		}
	}
	return limits
}

func keyOf(class document.Class, size float64) scaleKey {
	return scaleKey{class, int(math.Round(2 * size))}
}

// Limit is the largest scale of a text of a block; 1 for a class and size that the document does not have.
func (s Scales) Limit(block document.Block) float64 {
	if limit, known := s.limits[keyOf(block.Class, block.Size)]; known && block.Cell == nil {
		return limit
	}
	return 1
}
