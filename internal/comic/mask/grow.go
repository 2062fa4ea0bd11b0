package mask

import (
	"slices"

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
	// Without ringing, the pixels of a gutter are within paperLevels of its color. Ringing is at most gutterGrowth pixels from ink and
	// besidePaper pixels from paper.
	paperLevels, gutterGrowth, besidePaper = 3, 10, 4
	// leastPaper is the least share of the surroundings that is paper where lettering is partly on a gutter.
	leastPaper = 0.1
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

// growOnArt grows ink over art by its rim only. Where the lettering is partly on a gutter or an open bubble, it adds the ringing there to
// the hole. Clean paper stays, and shows the fill where the paper is.
func (s *inspection) growOnArt(ink *bitmap.Bitmap) *bitmap.Bitmap {
	hole := ink.Dilate(artGrowth)
	if s.textured {
		return hole
	}
	toInk := ink.Distance()
	beside := func(i int) bool { return toInk[i] > standFrom && toInk[i] <= standTo }
	var around histogram
	var colors []raster.RGB
	for i, c := range s.pixels {
		if beside(i) {
			around.add(c)
			colors = append(colors, c)
		}
	}
	color := meanNear(around.mode(), groundLevels, colors)
	paper, stains := bitmap.New(s.window), bitmap.New(s.window)
	same := 0.0
	for i, c := range s.pixels {
		switch {
		case raster.Difference(c, color) <= paperLevels:
			paper.Pix[i] = 1
			if beside(i) {
				same++
			}
		case hole.Pix[i] == 0:
			stains.Pix[i] = 1
		}
	}
	if same < leastPaper*around.total {
		return hole
	}
	toPaper := paper.Distance()
	for _, part := range stains.Components() {
		// Dark pieces are lines or dots of a screentone, and large ones are art. Every pixel of a stain is near ink and near paper.
		if !slices.ContainsFunc(part.Pixels, func(i int32) bool {
			return raster.Difference(s.pixels[i], color) > coreLevels || toInk[i] > gutterGrowth*gutterGrowth || toPaper[i] > besidePaper*besidePaper
		}) {
			put(part, hole)
		}
	}
	return hole
}
