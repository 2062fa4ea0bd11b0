package mask

import (
	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

const (
	// JPEG codes blocks of 8 by 8 pixels (16 by 16 of color, where it is subsampled): ringing reaches about as far.
	minGrowth, maxGrowth = 4, 10
	// clearance is how far growth stays from outlines and art, whose rim is theirs.
	clearance = 2.5
	// ringingLevels is the most that ringing differs from the ground.
	ringingLevels = 64
	// artGrowth takes the anti-aliased rim of a glyph over art.
	artGrowth = 2.0
)

// growOnFlat grows ink over the ground without crossing or touching others.
func (s *survey) growOnFlat(ink, others *bitmap.Bitmap) *bitmap.Bitmap {
	radius := min(max(0.4*s.em, minGrowth), maxGrowth)
	reach := int32(radius * radius)
	toInk, toOthers := ink.Distance(), others.Distance()
	open := bitmap.New(s.window)
	s.each(func(i int, c pipeline.RGB) {
		d := Difference(c, s.ground)
		// The rim belongs to the glyph even beside an outline.
		if ink.Pix[i] != 0 || toInk[i] <= 2 && others.Pix[i] == 0 ||
			toInk[i] <= reach && d <= ringingLevels && float64(toOthers[i]) > clearance*clearance {
			open.Pix[i] = 1
		}
	})
	return open.Flood(ink)
}
