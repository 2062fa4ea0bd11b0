package mask

import (
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// nearlyInk is the position between the ground (0) and the ink (1) from which on a color belongs to the ink rather than to art beside it.
	nearlyInk = 0.65
	// The rim of art has art on one side: at least besideArt of its surroundings is. Its color is between those of the ground (0) and of the
	// art (1), up to asDark. Glyphs that stand on art differ from it. What has more than withinArt around it is a shadow or a stroke of the art.
	besideArt, withinArt, asDark = 0.3, 0.75, 1.1
)

// untangle divides the crossing pieces: the parts that look like glyphs become ink, and the rest become others.
func (s *inspection) untangle(crossing, ink, others *bitmap.Bitmap) {
	if crossing.Count() == 0 {
		return
	}
	color := s.inkColor(ink)
	free := bitmap.New(s.window)
	for i, p := range s.enclosure(crossing, color).Pix {
		free.Pix[i] = crossing.Pix[i] &^ p
	}
	s.takeGlyphs(free, ink, color)
	for i, p := range crossing.Pix {
		others.Pix[i] |= p &^ ink.Pix[i]
	}
}

// takeGlyphs adds to ink, with their rims, the parts of pieces in and beside the lines that nearly have the color of the ink and are not of
// the art: glyphs that touch art.
func (s *inspection) takeGlyphs(pieces, ink *bitmap.Bitmap, color raster.RGB) {
	dark, beyond := bitmap.New(s.window), bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		if t, off := blend(c, s.ground, color); pieces.Pix[i] != 0 && t >= nearlyInk && off <= coreLevels {
			dark.Pix[i], beyond.Pix[i] = s.near.Pix[i], 1-s.near.Pix[i]
		}
	})
	beyond = beyond.Dilate(1)
	taken := bitmap.New(s.window)
	for _, part := range dark.Components() {
		inLines, runsOn := 0, false
		for _, i := range part.Pixels {
			inLines += int(s.lines.Pix[i])
			runsOn = runsOn || beyond.Pix[i] != 0
		}
		if n := len(part.Pixels); n >= leastDot && 2*inLines > n && !s.isOfArt(part, pieces, dark, runsOn) {
			put(part, taken)
		}
	}
	for i, p := range taken.Dilate(rimReach).Pix {
		ink.Pix[i] |= p & pieces.Pix[i]
	}
}

// isOfArt reports whether a part belongs to art, the pixels of pieces that are in none of the parts: it has art beside it, and runs on,
// is within the art, or could be its rim, blended with the ground.
func (s *inspection) isOfArt(part bitmap.Component, pieces, parts *bitmap.Bitmap, runsOn bool) bool {
	around := bitmap.New(part.Bounds.Inset(-ringReach).Intersect(s.window))
	var own, art []raster.RGB
	for _, i := range part.Pixels {
		at := pieces.Point(int(i))
		around.Add(at.X, at.Y)
		own = append(own, s.pixels[i])
	}
	all := 0
	for i, d := range around.Distance() {
		if d < ringFrom || d > ringTo {
			continue
		}
		all++
		at := around.Point(i)
		if k := pieces.Offset(at.X, at.Y); pieces.Pix[k]&^parts.Pix[k] != 0 {
			art = append(art, s.pixels[k])
		}
	}
	switch share := float64(len(art)) / max(1, float64(all)); {
	case share < besideArt:
		return false
	case runsOn || share > withinArt:
		return true
	}
	t, off := blend(meanNear(own[0], math.MaxUint8, own), s.ground, meanNear(art[0], math.MaxUint8, art))
	return t <= asDark && off <= coreLevels
}

// inkColor returns the mean color of the ink pixels that differ most clearly from the ground, or the recognized foreground color of the
// region if there are none.
func (s *inspection) inkColor(ink *bitmap.Bitmap) raster.RGB {
	var sum [3]int
	n := 0
	s.each(func(i int, c raster.RGB) {
		if ink.Pix[i] != 0 && raster.Difference(c, s.ground) > 2*coreLevels {
			n++
			for k := range c {
				sum[k] += int(c[k])
			}
		}
	})
	if n == 0 {
		return s.region.FG
	}
	return raster.RGB{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n)}
}
