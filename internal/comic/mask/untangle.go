package mask

import (
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
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
	s.takeDeep(free, ink, color)
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
