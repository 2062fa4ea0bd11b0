package mask

import (
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

const (
	// sharpShare is the least share of the surroundings of a glyph that contrasts with it.
	sharpShare = 0.75
	// outlineShare is the least share of the surroundings of an outlined glyph that has the color of the outline.
	outlineShare = 0.65
	// leastRatio is the least area of a stroke, in squares of its half width. For a disc it is 3.1.
	leastRatio = 5.0
	// slender is the least width of a dot, in widths of the strokes. A dot is lettering only beside a stroke of the same style.
	slender = 0.5
	// mostPieces limits the number of pieces that may be dots of a lettering; more are a screentone.
	mostPieces = 4096
	// leastDot is the least area in pixels of a piece of lettering beside another piece.
	leastDot = 4
	// Lettering has at least mostlyInLines of the evidence for its style in the lines, and may go on beside them. On books it is 0.6 to 1.
	// Where the paper between focus lines or in a dark screentone passes for outlined glyphs, it is up to 0.56, and only what is wholly in
	// or near the lines counts: at least nearlyAll of a piece.
	mostlyInLines = 0.6
	// The strokes of one lettering are thinnest to boldest times as wide as the median.
	thinnest, boldest = 0.3, 2.2
)

// isStroke reports whether a piece on its own may be a glyph or part of one.
func (s *inspection) isStroke(g glyph) bool { return s.hasShape(g) && g.sharp >= sharpShare }

// hasShape reports whether a piece has the position, size and shape of a stroke.
func (s *inspection) hasShape(g glyph) bool {
	leastPiece := int(max(leastDot, s.em*s.em/1600)) // on its own
	return !g.cut && g.inNear >= 0.5 && g.half <= thickest*s.em && g.ratio() >= leastRatio && len(g.part.Pixels) >= leastPiece
}

func (g glyph) ratio() float64 { return float64(len(g.part.Pixels)) / (g.half * g.half) }

// choose selects the glyphs that are lettering of one style: strokes of about the same width, all outlined or not, and the dots beside
// them.
func (s *inspection) choose(c *candidate) {
	isOf := func(g glyph, share float64) bool {
		return g.sharp >= share*sharpShare && (!c.hasOutline || g.outlined >= share*outlineShare)
	}
	var strokes []int
	for i, g := range c.glyphs {
		if s.hasShape(g) && isOf(g, 1) && !s.isTone(c, i) {
			strokes = append(strokes, i)
		}
	}
	half := c.usual(strokes, func(g glyph) float64 { return g.half })
	alike := func(g glyph, share float64) bool {
		return isOf(g, share) && g.half >= share*thinnest*half && g.half <= boldest*half
	}
	if s.weigh(c, strokes, alike); c.weight > 0 {
		c.taken = slices.DeleteFunc(c.taken, func(i int) bool { return c.glyphs[i].inNear < c.leastNear() })
		s.takeDots(c, half, func(g glyph) bool { return alike(g, besideShare) })
	}
}

// weigh takes the strokes of a style, and sets how much they are evidence for it, and the share of this evidence that is in the lines alone.
// Art of the style goes on beyond the lines: what is there, and not of another region, is taken to be in the lines as densely. Blank paper
// that runs out of the window, such as a gutter, tells nothing of how dense it is.
func (s *inspection) weigh(c *candidate, strokes []int, alike func(g glyph, share float64) bool) {
	for _, i := range strokes {
		if g := c.glyphs[i]; alike(g, 1) {
			c.taken = append(c.taken, i)
			c.weight += g.evidence()
		}
	}
	beyond, near := 0.0, s.near.Count()
	far := len(s.pixels) - near
	for _, g := range c.glyphs {
		switch {
		case g.inNear < 0.5 && alike(g, 1) && s.isNearest(raster.Middle(g.part.Bounds)):
			beyond += g.evidence()
		case g.cut:
			far -= len(g.part.Pixels)
		}
	}
	beyond *= float64(near) / float64(max(1, far))
	c.inLines = c.weight / max(1, c.weight+beyond)
}

// leastNear returns the share of a piece of the style that has to be in or near the lines.
func (c *candidate) leastNear() float64 {
	if c.inLines < mostlyInLines {
		return nearlyAll
	}
	return 0.5
}

// evidence returns how much a stroke counts for a style. It uses the contour rather than the area, because areas of art are large, and the
// contrast, because lettering is drawn to be seen.
func (g glyph) evidence() float64 {
	return float64(g.ring) * g.sharp * g.contrast * (1 + g.outlined*g.outlined)
}

// usual returns the median of a measure of the strokes, weighted by their areas; 0 without strokes.
func (c *candidate) usual(strokes []int, measure func(glyph) float64) float64 {
	var values []raster.Weighted
	for _, i := range strokes {
		values = append(values, raster.Weighted{Value: measure(c.glyphs[i]), Weight: len(c.glyphs[i].part.Pixels)})
	}
	return raster.Quantile(values, 0.5)
}

// takeDots adds the pieces of the style that are too short for strokes or are beside the lines, if they are next to a glyph and no other
// region is nearer. half is the median half width of the strokes. A dot is at least slender times as wide as they are; the dots of a
// screentone are smaller.
func (s *inspection) takeDots(c *candidate, half float64, fits func(glyph) bool) {
	taken := make([]bool, len(c.glyphs))
	for _, i := range c.taken {
		taken[i] = true
	}
	var pending []int
	for i, g := range c.glyphs {
		if taken[i] || g.cut || !fits(g) || len(g.part.Pixels) < leastDot || g.inNear < c.leastNear() ||
			g.ratio() < leastRatio && g.half < slender*half {
			continue
		}
		if middle := raster.Middle(g.part.Bounds); middle.Pixel().In(s.reach) && s.isNearest(middle) && !s.isTone(c, i) {
			pending = append(pending, i)
		}
	}
	if len(pending) > mostPieces {
		return // a screentone
	}
	for next := 0; next < len(c.taken); next++ {
		o := c.glyphs[c.taken[next]]
		pending = slices.DeleteFunc(pending, func(i int) bool {
			if !s.isBeside(o, c.glyphs[i]) {
				return false
			}
			c.taken = append(c.taken, i)
			return true
		})
	}
	slices.Sort(c.taken)
}

const (
	// Two pieces of one lettering are at most besideReach half widths of their strokes apart, or thickest em if their strokes are thin:
	// the dot of a question mark is that far from its hook.
	besideReach = 5
	// besideShare is how much of what a stroke on its own must show is enough beside another stroke: its outline may be thin on one side.
	besideShare = 0.75
)

func (s *inspection) isBeside(g, o glyph) bool {
	return separation(g.part.Bounds, o.part.Bounds) <= max(besideReach*max(g.half, o.half), thickest*s.em)
}

// separation returns the distance of two rectangles in pixels; 0 if they touch.
func separation(a, b image.Rectangle) float64 {
	return math.Hypot(float64(max(0, a.Min.X-b.Max.X, b.Min.X-a.Max.X)), float64(max(0, a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y)))
}

func root(squared int32) float64 {
	return math.Sqrt(float64(squared))
}
