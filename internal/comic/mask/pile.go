package mask

import (
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// pileRounds is how many times a pile is followed from what was found of it, and mostPile bounds, in pixels, the part of the
	// page that is looked at for it.
	pileRounds, mostPile = 3, 1 << 20
	// stepsAside is how far a pile is followed in a round, in heights of its glyphs; two glyphs next to each other in it are no
	// farther apart than the larger of them is long.
	stepsAside = 4
	// Two glyphs are the same, drawn again, when neither their areas nor the sides of their boxes nor the widths of their
	// strokes differ by more than these factors.
	sameArea, sameSide, sameHalf = 2.0, 1.5, 1.5
	// More than mostRepeats glyphs are a texture. Where more than mostOfOutline of what is around has the color of the outline, as
	// white has in line art, many a line has an outline.
	mostRepeats   = 256
	mostOfOutline = 0.3
)

// withPile follows a drawn sound that is drawn over and over: a reader finds some of the claps of an applause, the rest
// stands beside them in the same colors. Of what lies beyond the lines only glyphs that repeat one within are taken, so that art
// in the same colors stays. It returns what it has looked at, and the ink in it.
func (s *inspection) withPile(ink *bitmap.Bitmap, outlined *candidate) (*inspection, *bitmap.Bitmap) {
	if outlined == nil || len(outlined.taken) == 0 {
		return s, ink
	}
	var taken []glyph
	for _, i := range outlined.taken {
		taken = append(taken, outlined.glyphs[i])
	}
	wide := *s
	found := len(taken)
	for range pileRounds {
		more := wide.repeats(outlined, taken)
		if len(more) == 0 {
			break
		}
		taken = append(taken, more...)
		for _, g := range more {
			wide.region.Lines = append(slices.Clip(wide.region.Lines), quadOf(g.part.Bounds.Inset(-1)))
		}
	}
	if len(taken) == found {
		return s, ink
	}
	s = inspect(s.threads, s.img, wide.region, s.others)
	ink, _ = s.inkOnArt()
	return s, ink
}

// repeats are the glyphs beyond the lines that have the colors of c and repeat some of those taken, from one to the next.
func (s *inspection) repeats(c *candidate, taken []glyph) []glyph {
	wide := *s
	wide.look(s.pad() + int(stepsAside*usualLength(taken)))
	if wide.window.Dx()*wide.window.Dy() > mostPile || wide.share(c.outline) > mostOfOutline {
		return nil
	}
	all := wide.pieces(c.fill, c.isFill)
	if all.ring == nil || len(all.glyphs) > mostPieces {
		return nil
	}
	wide.outlineBy(all, c.outline)
	chain, pending := wide.partPile(all, taken)
	found := len(chain)
	if len(pending) > mostRepeats {
		return nil
	}
	for next := 0; next < len(chain); next++ {
		pending = slices.DeleteFunc(pending, func(g glyph) bool {
			if !chain[next].isNext(g) {
				return false
			}
			chain = append(chain, g)
			return true
		})
	}
	return chain[found:]
}

// share is the share of the window that has nearly a color.
func (s *inspection) share(color raster.RGB) float64 {
	same := 0
	for _, p := range s.pixels {
		if raster.Difference(p, color) <= outlineLevels {
			same++
		}
	}
	return float64(same) / float64(len(s.pixels))
}

// partPile parts the glyphs in the style of a pile into those in its lines and those beyond that repeat one that was taken.
func (s *inspection) partPile(c *candidate, taken []glyph) (within, beyond []glyph) {
	for _, g := range c.glyphs {
		if g.cut || g.sharp < sharpShare || g.outlined < outlineShare || !slices.ContainsFunc(taken, g.repeats) {
			continue
		}
		x, y := center(g.part.Bounds)
		switch {
		case g.inNear >= 0.5:
			within = append(within, g)
		case !s.isOthers(x, y):
			beyond = append(beyond, g)
		}
	}
	return within, beyond
}

func (g glyph) repeats(o glyph) bool {
	a, b := g.part.Bounds, o.part.Bounds
	return alikeWithin(float64(len(g.part.Pixels)), float64(len(o.part.Pixels)), sameArea) && alikeWithin(g.half, o.half, sameHalf) &&
		alikeWithin(float64(a.Dx()), float64(b.Dx()), sameSide) && alikeWithin(float64(a.Dy()), float64(b.Dy()), sameSide)
}

func alikeWithin(a, b, factor float64) bool { return a <= factor*b && b <= factor*a }

// isNext reports whether two glyphs of a pile may stand next to each other.
func (g glyph) isNext(o glyph) bool {
	a, b := g.part.Bounds, o.part.Bounds
	return separation(a, b) <= float64(max(a.Dx(), a.Dy(), b.Dx(), b.Dy()))
}

// usualLength is the median of the longer sides of glyphs, in pixels.
func usualLength(glyphs []glyph) float64 {
	var lengths []int
	for _, g := range glyphs {
		lengths = append(lengths, max(g.part.Bounds.Dx(), g.part.Bounds.Dy()))
	}
	slices.Sort(lengths)
	return float64(lengths[len(lengths)/2])
}

// isOthers reports whether a point of the page lies in a line of another region.
func (s *inspection) isOthers(x, y float64) bool {
	return slices.ContainsFunc(s.others, func(r comic.Region) bool {
		return slices.ContainsFunc(r.Lines, func(q raster.Quad) bool { return gap(q.Bounds())(x, y) == 0 })
	})
}

func quadOf(r image.Rectangle) raster.Quad {
	x0, y0, x1, y1 := float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y)
	return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}
