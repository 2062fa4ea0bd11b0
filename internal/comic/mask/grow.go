package mask

import (
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
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
	// paperLevels is how far pixels of a gutter differ from its color where nothing rings; what rings there is no farther than
	// gutterGrowth pixels from ink and besidePaper from paper.
	paperLevels, gutterGrowth, besidePaper = 3, 10, 4
	// leastPaper is the least share of what is around lettering for it to stand on a gutter in part.
	leastPaper = 0.1
)

// growOnFlat grows ink over the ground without crossing or touching others.
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

// growOnArt grows ink over art, by no more than its rim, and wipes what rings around it where it stands in part on a gutter or
// an open bubble. What is clean there stays, and tells the fill where the paper is.
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
		// What is dark is a line or a dot of a tone, what is large is art; of a stain every pixel is near to ink, and to paper.
		if !slices.ContainsFunc(part.Pixels, func(i int32) bool {
			return raster.Difference(s.pixels[i], color) > coreLevels || toInk[i] > gutterGrowth*gutterGrowth || toPaper[i] > besidePaper*besidePaper
		}) {
			put(part, hole)
		}
	}
	return hole
}
