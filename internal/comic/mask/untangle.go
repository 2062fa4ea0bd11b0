package mask

import (
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// nearlyInk is the position between the ground (0) and the ink (1) from which on a color belongs to the ink rather than to art beside it.
const nearlyInk = 0.65

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
	s.takeDeep(free, ink, color)
	s.takeDark(free, ink, color)
	for i, p := range crossing.Pix {
		others.Pix[i] |= p &^ ink.Pix[i]
	}
}

// takeDeep adds to ink the parts inside the lines that have the color of the ink, are no thicker than strokes, and are mostly well inside
// a line rather than along its edge.
func (s *inspection) takeDeep(crossing, ink *bitmap.Bitmap, color raster.RGB) {
	glyphs := bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		if crossing.Pix[i] != 0 && s.lines.Pix[i] != 0 && s.mixes(c, color) {
			glyphs.Pix[i] = 1
		}
	})
	for i, thick := range glyphs.Erode(thickest * s.em).Dilate(thickest*s.em + 1).Pix {
		glyphs.Pix[i] &^= thick
	}
	deep := s.lines.Erode(0.12 * s.em)
	for _, part := range glyphs.Components() {
		inside := 0
		for _, i := range part.Pixels {
			inside += int(deep.Pix[i])
		}
		if inside*2 > len(part.Pixels) {
			put(part, ink)
		}
	}
}

// takeDark adds to ink, with their rims, the parts that nearly have the color of the ink and do not extend beyond the surroundings of the
// lines: glyphs that touch art of another color.
func (s *inspection) takeDark(crossing, ink *bitmap.Bitmap, color raster.RGB) {
	dark := bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		if t, off := blend(c, s.ground, color); crossing.Pix[i] != 0 && t >= nearlyInk && off <= coreLevels {
			dark.Pix[i] = 1
		}
	})
	depth := dark.Complement().Distance()
	taken := bitmap.New(s.window)
	for _, part := range dark.Components() {
		inLines, inNear, thin := 0, 0, true
		for _, i := range part.Pixels {
			inLines += int(s.lines.Pix[i])
			inNear += int(s.near.Pix[i])
			thin = thin && root(depth[i]) <= thickest*s.em
		}
		if n := len(part.Pixels); thin && inNear == n && inLines*2 > n && n >= leastDot {
			put(part, taken)
		}
	}
	for i, p := range taken.Dilate(rimReach).Pix {
		ink.Pix[i] |= p & crossing.Pix[i]
	}
}

// takeDotsApart moves pieces from others to ink if they are entirely inside the lines and have the color of the ink: the dots of lettering
// without an outline.
func (s *inspection) takeDotsApart(ink, others *bitmap.Bitmap) {
	color := s.inkColor(ink)
	for _, part := range others.Components() {
		if slices.ContainsFunc(part.Pixels, func(i int32) bool { return s.lines.Pix[i] == 0 || !s.mixes(s.pixels[i], color) }) {
			continue
		}
		move(part, others, ink)
	}
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

// mixes reports whether c is a mixture of the ground and the ink, as the pixels of a glyph are.
func (s *inspection) mixes(c, ink raster.RGB) bool {
	_, off := blend(c, s.ground, ink)
	return off <= coreLevels
}
