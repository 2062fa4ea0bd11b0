package mask

import (
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// minGrowth and maxGrowth limit the growth on a ground, in pixels. JPEG codes blocks of 8 by 8 pixels (16 by 16 for subsampled color),
	// and ringing reaches about as far.
	minGrowth, maxGrowth = 4, 10
	// clearance is the distance that growth keeps from outlines and art, in pixels, so that their rims stay.
	clearance = 2.5
	// ringingLevels is the greatest difference between ringing and the ground.
	ringingLevels = 64
	// artGrowth is the growth over art, in pixels: the anti-aliased rim of a glyph.
	artGrowth = 2.0
)

// growOnFlat grows ink over the ground. The growth does not cross or touch others.
func (s *inspection) growOnFlat(ink, others *bitmap.Bitmap) *bitmap.Bitmap {
	radius := min(max(0.4*s.em, minGrowth), maxGrowth)
	reach := int32(radius * radius)
	toInk, toOthers := ink.Distance(), others.Distance()
	open := bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		d := raster.Difference(c, s.ground)
		// The rim belongs to the glyph even beside an outline.
		if ink.Pix[i] != 0 || toInk[i] <= 2 && others.Pix[i] == 0 ||
			toInk[i] <= reach && d <= ringingLevels && float64(toOthers[i]) > clearance*clearance {
			open.Pix[i] = 1
		}
	})
	return open.Flood(ink)
}
