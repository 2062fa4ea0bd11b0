package mask

import (
	"math"

	"plait/internal/raster/bitmap"
)

const (
	// restBand is the width in pixels of the bands around a hole that are compared. restLevels is the least step between them in a
	// direction, in levels, that may be a rest of lettering.
	restBand, restLevels = 3, 6
	// restSides is the least number of directions in which a rest is seen: art beside a hole is on one side of it.
	restSides = 5
)

// hasRest reports whether a rest of lettering is around a hole in art, such as of a shadow: in most directions the mean color changes alike
// from the first band to the second, and more than from there to the third. Art changes in few directions, or steadily.
func (s *inspection) hasRest(hole *bitmap.Bitmap) bool {
	type band struct {
		sum [3]float64
		n   float64
	}
	var bands [directions][3]band
	for _, p := range s.around(hole, 3*restBand) {
		if at := int((p.distance - 1) / restBand); at < 3 {
			b := &bands[p.direction][at]
			b.n++
			for k, v := range s.pixels[p.at] {
				b.sum[k] += float64(v)
			}
		}
	}
	var darker, lighter [3]int
	for _, b := range bands {
		for k := range 3 {
			first, second, third := b[0].sum[k]/b[0].n, b[1].sum[k]/b[1].n, b[2].sum[k]/b[2].n
			switch step := math.Abs(second-third) + restLevels; {
			case second-first >= step:
				darker[k]++
			case first-second >= step:
				lighter[k]++
			}
		}
	}
	return max(darker[0], darker[1], darker[2], lighter[0], lighter[1], lighter[2]) >= restSides
}
