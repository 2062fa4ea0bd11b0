package mask

const (
	// A piece that is repeated leastTone times outside the lines belongs to a screentone.
	leastTone = 12
)

// isTone reports whether glyph i belongs to a screentone, which continues outside the lines.
func (s *inspection) isTone(c *candidate, i int) bool {
	if !s.textured {
		return false
	}
	seen := 0
	for _, g := range c.glyphs {
		if g.inNear == 0 && !g.cut && g.repeats(c.glyphs[i]) {
			seen++
		}
		if seen == leastTone {
			return true
		}
	}
	return false
}

// Two glyphs are repetitions of each other if their areas, the sides of their bounding boxes and the widths of their strokes differ by at
// most these factors.
const sameArea, sameSide, sameHalf = 2.0, 1.5, 1.5

func (g glyph) repeats(o glyph) bool {
	a, b := g.part.Bounds, o.part.Bounds
	return alikeWithin(float64(len(g.part.Pixels)), float64(len(o.part.Pixels)), sameArea) && alikeWithin(g.half, o.half, sameHalf) &&
		alikeWithin(float64(a.Dx()), float64(b.Dx()), sameSide) && alikeWithin(float64(a.Dy()), float64(b.Dy()), sameSide)
}

func alikeWithin(a, b, factor float64) bool { return a <= factor*b && b <= factor*a }
