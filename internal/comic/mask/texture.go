package mask

import (
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// A piece that is repeated leastTone times outside the lines belongs to a screentone. So does a straight one to which as many strokes that
	// run out of the window are parallel, within sameAngle radians.
	leastTone, sameAngle = 12, 0.15
	// Art crosses the lines if at least leastCrossings of its strokes come in from beyond them. One or two are an outline that a line of text
	// touches.
	leastCrossings = 3
	// A piece is straight if it is straightSides times as long as wide.
	straightSides = 4.0
)

// isCrossed reports whether strokes of art, such as speed lines, run from beyond the lines into them, with the interior on both sides. Such
// art continues behind the lettering, so the interior is not its ground, even where the strokes are too far apart for a texture.
func (g *ground) isCrossed(interior *bitmap.Bitmap) bool {
	strokes := interior.Complement().Keep(g.runsOn).And(g.between(interior)).And(g.near.Dilate(rim))
	return len(strokes.Flood(g.lines).Without(g.near).Components()) >= leastCrossings
}

// isTone reports whether glyph i belongs to a screentone or to hatching, which continues outside the lines.
func (s *inspection) isTone(c *candidate, i int) bool {
	if !s.textured {
		return false
	}
	repeated, parallel := 0, 0
	for _, g := range c.glyphs {
		switch {
		case g.inNear == 0 && !g.cut && g.repeats(c.glyphs[i]):
			repeated++
		case g.cut && g.isParallel(c.glyphs[i]):
			parallel++
		}
	}
	return max(repeated, parallel) >= leastTone
}

// Two glyphs are repetitions of each other if their areas differ by at most a factor of sameArea, and the sides of their bounding boxes and
// the widths of their strokes by at most a factor of sameSize.
const sameArea, sameSize = 2.0, 1.5

func (g glyph) repeats(o glyph) bool {
	a, b := g.part.Bounds, o.part.Bounds
	return alikeWithin(float64(len(g.part.Pixels)), float64(len(o.part.Pixels)), sameArea) && alikeWithin(g.half, o.half, sameSize) &&
		alikeWithin(float64(a.Dx()), float64(b.Dx()), sameSize) && alikeWithin(float64(a.Dy()), float64(b.Dy()), sameSize)
}

func alikeWithin(a, b, factor float64) bool { return a <= factor*b && b <= factor*a }

// isParallel reports whether two glyphs are straight, of one direction, and of one width.
func (g glyph) isParallel(o glyph) bool {
	return g.straight && o.straight && alikeWithin(g.half, o.half, sameSize) && math.Abs(math.Remainder(g.along-o.along, math.Pi)) <= sameAngle
}

// measureAxis sets the direction of a piece, and whether it is straight: by the rectangle with the same moments.
func (s *inspection) measureAxis(g *glyph) {
	var m raster.Moments
	for _, i := range g.part.Pixels {
		m.Add(s.near.Point(int(i)))
	}
	_, along, long, across := m.Rectangle()
	g.along, g.straight = along, long >= straightSides*max(1, across)
}
