package mask

import (
	"cmp"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// thickest is half the width of the boldest stroke, in em.
	thickest = 0.2
	// secondWeight is the least weight of a second style of a lettering, as a share of the first's.
	secondWeight = 0.15
	// coveredShare of an outline is covered by the fill that it runs around, grown by the width of the outline.
	coveredShare = 0.7
	// bordering is the least share of what surrounds a piece of an outline that is of the fill.
	bordering = 0.2
	// blended is how far, as a share of the way to what surrounds it, the color of a thin stroke is from that of thick ones.
	blended = 0.5
)

// inkOnArt finds lettering that stands on no ground of its own. Each of the frequent colors in the lines is tried for the
// color of its glyphs: pieces that look like strokes, sharply bounded, of one width, and outlined in one color or not at all.
// Outlined are the glyphs that an outline runs around, or nil.
func (s *inspection) inkOnArt() (ink *bitmap.Bitmap, outlined *candidate) {
	fills := s.fills()
	all := make([]*candidate, len(fills))
	s.threads.each(len(fills), func(i int) { all[i] = s.candidate(fills[i]) })
	all = slices.DeleteFunc(all, func(c *candidate) bool { return c.weight <= 0 })
	if len(all) == 0 {
		return bitmap.New(s.window), nil
	}
	best := slices.MaxFunc(all, func(a, b *candidate) int { return cmp.Compare(a.weight, b.weight) }).weight
	s.threads.each(len(all), func(i int) {
		if c := all[i]; c.hasOutline && c.weight >= secondWeight*best {
			all[i] = s.completed(c)
		}
	})
	return s.compose(all)
}

// addThinStrokes adds to the glyphs of c, which has no outline, strokes so thin that they are blended with what is beside
// them: the color of the fill is taken less exactly, as far as the glyphs contrast with the art.
func (s *inspection) addThinStrokes(c *candidate, ink *bitmap.Bitmap) {
	levels := int(blended * c.usual(c.taken, func(g glyph) float64 { return g.contrast }))
	if levels <= fillLevels {
		return
	}
	wide := s.pieces(c.fill, func(p raster.RGB) bool { return raster.Difference(p, c.fill) <= levels })
	if s.choose(wide, false); wide.weight >= wholeWeight*c.weight {
		ink.Union(s.inkOf(wide))
	}
}

// compose makes lettering of its colors, of which the one of greatest weight is surely one.
func (s *inspection) compose(all []*candidate) (ink *bitmap.Bitmap, outlined *candidate) {
	best := slices.MaxFunc(all, func(a, b *candidate) int { return cmp.Compare(a.weight, b.weight) })
	ink = s.inkOf(best)
	if best.hasOutline {
		outlined = best
	}
	alone := !best.hasOutline
	for _, c := range all {
		if c == best || c.weight < secondWeight*best.weight {
			continue
		}
		switch {
		case c.isOutlineOf(best):
			ink.Union(s.outlinesOf(c, best))
		case best.isOutlineOf(c) && s.isWithin(c, ink):
			inner := s.inkOf(c)
			outlined = c
			if best.coveredBy(inner) {
				ink = inner
				ink.Union(s.outlinesOf(best, c))
			} else {
				ink.Union(inner)
			}
		case c.sharesOutline(best):
			s.addWithin(c, best, ink)
		default:
			continue
		}
		alone = false
	}
	if alone {
		s.addThinStrokes(best, ink)
	}
	return ink, outlined
}

// outlinesOf are the glyphs of c, a color of outlines, that run around the fill of o, as far from it as its outline reaches,
// with what they enclose of it: strokes of the fill that are too thin to be seen by themselves.
func (s *inspection) outlinesOf(c, o *candidate) *bitmap.Bitmap {
	s.outlineBy(c, o.fill)
	fill := bitmap.New(s.window)
	for i, p := range s.pixels {
		if t, off := blend(p, o.fill, c.fill); t < 0.3 && off <= fillLevels {
			fill.Pix[i] = 1
		}
	}
	toFill := fill.Distance()
	ink := bitmap.New(s.window)
	for _, i := range c.taken {
		if g := c.glyphs[i]; g.outlined >= bordering {
			for _, i := range g.part.Pixels {
				if root(toFill[i]) <= o.widest+1 {
					ink.Pix[i] = 1
				}
			}
		}
	}
	s.fillEnclosed(o.fill, slender*o.usualHalf(o.taken), ink)
	return ink
}

// addWithin adds the glyphs taken of c, a second color of the fill of o, that ink surrounds. What a glyph encloses has the
// outline around it, too, but touches no fill.
func (s *inspection) addWithin(c, o *candidate, ink *bitmap.Bitmap) {
	within, touching := make([]int, len(c.glyphs)), make([]int, len(c.glyphs))
	for _, p := range c.ring {
		within[p.glyph] += int(ink.Pix[p.at])
		if o.label[p.at] >= 0 {
			touching[p.glyph]++
		}
	}
	for _, i := range c.taken {
		if g := c.glyphs[i]; within[i]*2 >= g.ring && float64(touching[i]) >= bordering*float64(g.ring) {
			for _, i := range g.part.Pixels {
				ink.Pix[i] = 1
			}
		}
	}
}

// isWithin reports whether most of what surrounds the glyphs taken of c is ink, or its rim.
func (s *inspection) isWithin(c *candidate, ink *bitmap.Bitmap) bool {
	taken := make([]bool, len(c.glyphs))
	for _, i := range c.taken {
		taken[i] = true
	}
	rimmed := ink.Dilate(rim)
	all, in := 0, 0
	for _, p := range c.ring {
		if taken[p.glyph] {
			all++
			in += int(rimmed.Pix[p.at])
		}
	}
	return in*2 >= all
}

// sharesOutline reports whether two candidates are the colors of one lettering within one outline.
func (c *candidate) sharesOutline(o *candidate) bool {
	return c.hasOutline && o.hasOutline && isNear(c.outline, o.outline)
}

// coveredBy reports whether nearly all of the glyphs taken lie in ink.
func (c *candidate) coveredBy(ink *bitmap.Bitmap) bool {
	all, in := 0, 0
	for _, g := range c.taken {
		for _, i := range c.glyphs[g].part.Pixels {
			all++
			in += int(ink.Pix[i])
		}
	}
	return float64(in) >= coveredShare*float64(all)
}

// isOutlineOf reports whether c is the outline of o, rather than the other way around.
func (c *candidate) isOutlineOf(o *candidate) bool {
	mutual := c.hasOutline && isNear(c.outline, o.fill)
	return o.hasOutline && isNear(o.outline, c.fill) && (!mutual || o.agreement() > c.agreement())
}

func isNear(a, b raster.RGB) bool { return raster.Difference(a, b) <= apartLevels }

// agreement is the share of the outline's color around the glyphs taken.
func (c *candidate) agreement() float64 {
	outlined, ring := 0.0, 0.0
	for _, i := range c.taken {
		outlined += c.glyphs[i].outlined * float64(c.glyphs[i].ring)
		ring += float64(c.glyphs[i].ring)
	}
	return outlined / max(1, ring)
}

// inkOf are the glyphs taken of a candidate, with their outline.
func (s *inspection) inkOf(c *candidate) *bitmap.Bitmap {
	ink := bitmap.New(s.window)
	for _, g := range c.taken {
		for _, i := range c.glyphs[g].part.Pixels {
			ink.Pix[i] = 1
		}
	}
	if c.hasOutline {
		s.addOutline(c, ink)
	}
	return ink
}

// meanNear is the mean of the colors that are within levels of c, or c where none is.
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
