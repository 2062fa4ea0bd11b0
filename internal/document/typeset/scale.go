package typeset

import (
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
		if n.Class != document.ClassTable { // cells fit their columns, which differ
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
