package mask

import (
	"cmp"
	"image"
	"math"
	"slices"
)

const (
	// sharpShare of what surrounds a glyph contrasts with it.
	sharpShare = 0.75
	// outlineShare of what surrounds an outlined glyph has the color of the outline.
	outlineShare = 0.65
	// outlineSpread is how much less of an outline a glyph may have than is usual; one slender times as wide as usual may
	// have an outline too thin to be seen on a side.
	outlineSpread, slenderSpread, slender = 0.25, 0.5, 0.5
	// An outlined glyph that is no thin stroke is of one color as evenly as the others: within evenTimes as many levels and evenPlus
	// more. What a letter encloses of the art, and what a dark line of it encloses, is not. Strokes up to leastEven pixels from their
	// edge are half rim, and tell nothing.
	evenTimes, evenPlus = 1.5, 6
	leastEven           = 2 * rim
	// leastRatio is the least area of a stroke in squares of its half width: that of a disc is 3.1.
	leastRatio = 5.0
	// dotRatio is that of a dot, which is lettering only beside a stroke of its kind.
	dotRatio = 2.2
	// mostPieces bounds the pieces that may be dots of a lettering, or beyond its lines may repeat its glyphs.
	mostPieces = 4096
	// leastDot is the least area of a piece of lettering beside another, in pixels.
	leastDot = 4
	// Strokes of one lettering are from thinnest to boldest times as wide as most of it.
	thinnest, boldest = 0.3, 2.2
)

// isStroke reports whether a piece by itself may be a glyph or a part of one.
func (s *inspection) isStroke(g glyph) bool { return s.hasShape(g) && g.sharp >= sharpShare }

// hasShape reports whether a piece has the place, the size and the shape of a stroke.
func (s *inspection) hasShape(g glyph) bool {
	return !g.cut && g.inNear >= 0.5 && g.half <= thickest*s.em && g.ratio() >= leastRatio && len(g.part.Pixels) >= s.leastPiece()
}

// leastPiece is the least area of a piece of lettering by itself, in pixels.
func (s *inspection) leastPiece() int { return int(max(leastDot, s.em*s.em/1600)) }

func (g glyph) ratio() float64 { return float64(len(g.part.Pixels)) / (g.half * g.half) }

// choose takes the glyphs that are lettering of one style: strokes of about one width, outlined or not, and the dots beside
// them.
func (s *inspection) choose(c *candidate, hasOutline bool) {
	c.hasOutline, c.taken, c.weight = hasOutline, nil, 0
	isOf := func(g glyph, share float64) bool {
		return g.sharp >= share*sharpShare && (!hasOutline || g.outlined >= share*outlineShare)
	}
	var strokes []int
	for i, g := range c.glyphs {
		if s.isStroke(g) && isOf(g, 1) && !s.isTone(c, i) {
			strokes = append(strokes, i)
		}
	}
	if len(strokes) == 0 {
		return
	}
	half := c.usualHalf(strokes)
	outlined := c.usual(strokes, func(g glyph) float64 { return g.outlined })
	off := evenTimes*c.usual(strokes, func(g glyph) float64 { return g.off }) + evenPlus
	// What lies between outlined glyphs may have the color of their fill, but no outline of its own.
	alike := func(g glyph, share float64) bool {
		spread := outlineSpread
		if g.half <= slender*half {
			spread = slenderSpread
		}
		return g.half >= share*thinnest*half && g.half <= boldest*half && g.outlined >= outlined-spread &&
			(g.off <= off || !hasOutline || g.half <= max(slender*half, leastEven))
	}
	for _, i := range strokes {
		if g := c.glyphs[i]; alike(g, 1) {
			c.taken = append(c.taken, i)
			c.weight += s.weigh(g, hasOutline)
		}
	}
	s.takeDots(c, half, func(g glyph) bool { return isOf(g, besideShare) && alike(g, besideShare) })
}

// weigh is how much a stroke speaks for a style: by its contour rather than its area, which is that of art, and by its
// contrast, since lettering is drawn to be seen.
func (s *inspection) weigh(g glyph, hasOutline bool) float64 {
	w := float64(g.ring) * g.sharp * g.contrast
	if hasOutline {
		return w * (1 + g.outlined*g.outlined)
	}
	return w
}

// usualHalf is the usual half width of strokes.
func (c *candidate) usualHalf(strokes []int) float64 {
	return c.usual(strokes, func(g glyph) float64 { return g.half })
}

// usual is the median of a measure of strokes, each counted by its area; 0 of none.
func (c *candidate) usual(strokes []int, measure func(glyph) float64) float64 {
	sorted := slices.Clone(strokes)
	slices.SortFunc(sorted, func(a, b int) int {
		return cmp.Or(cmp.Compare(measure(c.glyphs[a]), measure(c.glyphs[b])), cmp.Compare(a, b))
	})
	total := 0
	for _, i := range sorted {
		total += len(c.glyphs[i].part.Pixels)
	}
	sum := 0
	for _, i := range sorted {
		if sum += len(c.glyphs[i].part.Pixels); sum*2 >= total {
			return measure(c.glyphs[i])
		}
	}
	return 0
}

// takeDots takes the pieces of the style that are too short for strokes, or lie beside the lines, next to a glyph. A dot is
// about as wide as the strokes, half wide: those of screentone are smaller.
func (s *inspection) takeDots(c *candidate, half float64, fits func(glyph) bool) {
	taken := make([]bool, len(c.glyphs))
	for _, i := range c.taken {
		taken[i] = true
	}
	var pending []int
	for i, g := range c.glyphs {
		ratio := g.ratio()
		if taken[i] || g.cut || !fits(g) || len(g.part.Pixels) < leastDot || g.inNear < 0.5 && !c.hasOutline ||
			ratio < dotRatio || ratio < leastRatio && g.half < slender*half {
			continue
		}
		if x, y := center(g.part.Bounds); image.Pt(int(x), int(y)).In(s.reach) && !s.isTone(c, i) {
			pending = append(pending, i)
		}
	}
	if len(pending) > mostPieces {
		return // a tone
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
	// besideReach is how far from each other two pieces of one lettering are, in half widths of their strokes, and besideInEm
	// in font sizes, for strokes that are thin: the dot of a question mark lies as far from its hook.
	besideReach, besideInEm = 5, 0.2
	// besideShare of what a stroke by itself has to show is enough beside another: the outline may be thin on one side.
	besideShare = 0.75
)

func (s *inspection) isBeside(g, o glyph) bool {
	return separation(g.part.Bounds, o.part.Bounds) <= max(besideReach*max(g.half, o.half), besideInEm*s.em)
}

// separation is the distance of two rectangles in pixels, 0 when they touch.
func separation(a, b image.Rectangle) float64 {
	return math.Hypot(float64(max(0, a.Min.X-b.Max.X, b.Min.X-a.Max.X)), float64(max(0, a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y)))
}

func root(squared int32) float64 {
	return math.Sqrt(float64(squared))
}
