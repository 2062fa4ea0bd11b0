package mask

import "plait/internal/raster/bitmap"

const (
	// A piece that is repeated leastTone times outside the lines belongs to a screentone.
	leastTone = 12
	// Art crosses the lines if at least leastCrossings of its strokes come in from beyond them. One or two are an outline that a line of text
	// touches.
	leastCrossings = 3
)

// isCrossed reports whether strokes of art, such as speed lines, run from beyond the lines into them, with the interior on both sides. Such
// art continues behind the lettering, so the interior is not its ground, even where the strokes are too far apart for a texture.
func (g *ground) isCrossed(interior *bitmap.Bitmap) bool {
	strokes := bitmap.New(g.window)
	for _, part := range interior.Complement().Components() {
		if g.runsOn(part) {
			put(part, strokes)
		}
	}
	beside := g.near.Dilate(rim)
	crossings := bitmap.New(g.window)
	for _, part := range strokes.And(g.between(interior)).And(beside).Components() {
		if g.in(g.lines, part) > 0 {
			put(part, crossings)
		}
	}
	return len(crossings.Without(g.near).Components()) >= leastCrossings
}

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
