package mask

import (
	"cmp"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// thickest is the greatest half width of a stroke, in em. Outlines are no wider, and gaps between the pieces of a glyph neither.
	thickest = 0.2
	// secondWeight is the least weight of a second style of the same lettering, as a share of the weight of the first.
	secondWeight = 0.15
	// bordering is the least share of the surroundings of a piece of an outline that belongs to the fill.
	bordering = 0.2
	// blended is how far the color of a thin stroke may be from that of thick strokes, as a share of their contrast with the surroundings.
	blended = 0.5
)

// inkOnArt finds lettering that has no ground of its own. It tries each frequent color inside the lines as the fill of the glyphs: their
// pieces must look like strokes, be sharply bounded and of one width, and have an outline of one color or none at all.
func (s *inspection) inkOnArt() *bitmap.Bitmap {
	fills := s.fills()
	all := make([]*candidate, len(fills))
	each(s.pool, len(fills), func(i int) { all[i] = s.candidate(fills[i]) })
	all = slices.DeleteFunc(all, func(c *candidate) bool { return c.weight <= 0 })
	if len(all) == 0 {
		return bitmap.New(s.window)
	}
	return s.compose(all)
}

// addThinStrokes adds to the glyphs of c, which has no outline, the strokes that are so thin that their color is blended with their
// surroundings. It accepts a wider range of colors as the fill; the contrast between the glyphs and the art limits the range.
func (s *inspection) addThinStrokes(c *candidate, ink *bitmap.Bitmap) {
	levels := int(blended * c.usual(c.taken, func(g glyph) float64 { return g.contrast }))
	wide := s.pieces(c.fill, levels)
	if s.choose(wide); wide.weight >= wholeWeight*c.weight {
		ink.Union(s.inkOf(wide))
	}
}

// compose combines the candidates that belong to one lettering. The candidate of the greatest weight always belongs to it.
func (s *inspection) compose(all []*candidate) *bitmap.Bitmap {
	best := slices.MaxFunc(all, func(a, b *candidate) int { return cmp.Compare(a.weight, b.weight) })
	ink := s.inkOf(best)
	alone := !best.hasOutline
	for _, c := range all {
		if c == best || c.weight < secondWeight*best.weight {
			continue
		}
		switch {
		case c.isOutlineOf(best):
			ink.Union(s.outlinesOf(c, best))
		case best.isOutlineOf(c):
			ink.Union(s.inkOf(c))
		default:
			continue
		}
		alone = false
	}
	if alone {
		s.addThinStrokes(best, ink)
	}
	return ink
}

// outlinesOf returns the glyphs of c, whose fill is the color of an outline, that run around the fill of o, no farther from it than the
// outline of o reaches.
func (s *inspection) outlinesOf(c, o *candidate) *bitmap.Bitmap {
	s.outlineBy(c, o.fill)
	fill := s.where(func(i int) bool {
		t, off := raster.Blend(s.pixels[i], o.fill, c.fill)
		return t < 0.3 && off <= ColorLevels
	})
	ink := bitmap.New(s.window)
	for _, i := range c.taken {
		if g := c.glyphs[i]; g.outlined >= bordering {
			ink.Put(g.part)
		}
	}
	return ink.And(fill.Dilate(slices.Max(o.widths[:]) + 1))
}

// isOutlineOf reports whether c is the outline of o.
func (c *candidate) isOutlineOf(o *candidate) bool {
	return o.hasOutline && raster.Difference(o.outline, c.fill) <= apartLevels
}

// inkOf returns the chosen glyphs of a candidate with their outline.
func (s *inspection) inkOf(c *candidate) *bitmap.Bitmap {
	ink := s.glyphsOf(c)
	if c.hasOutline {
		s.addOutline(c, ink)
	}
	return ink
}

// glyphsOf returns the chosen glyphs of a candidate.
func (s *inspection) glyphsOf(c *candidate) *bitmap.Bitmap {
	glyphs := bitmap.New(s.window)
	for _, g := range c.taken {
		glyphs.Put(c.glyphs[g].part)
	}
	return glyphs
}

// meanNear returns the mean of the colors that are within levels of c, or c if there are none.
func meanNear(c raster.RGB, levels int, colors []raster.RGB) raster.RGB {
	var sum [3]int
	n := 0
	for _, p := range colors {
		if raster.Difference(p, c) <= levels {
			n++
			for k := range p {
				sum[k] += int(p[k])
			}
		}
	}
	if n == 0 {
		return c
	}
	return raster.RGB{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n)}
}
