package mask

import (
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// ColorLevels is the greatest difference of a pixel from a color that it has.
const ColorLevels = 40

const (
	// Two fills differ by more than apartLevels.
	apartLevels = 48
	// wholeWeight is the share of its weight that a candidate has to keep when its thin strokes are added. Some loss is accepted, because
	// the thin strokes separate glyphs more reliably from what is between them.
	wholeWeight = 0.7
	// sharpLevels is the least contrast of a glyph with its surroundings.
	sharpLevels = 64
	// settle is how many times a color is replaced by the mean of the colors near it.
	settle = 4
	// mostFills limits the number of fill colors that are tried.
	mostFills = 6
	// leastFill is the least share of the lines that a fill covers; leastExtreme applies to the darkest and the lightest color.
	leastFill, leastExtreme = 0.02, 0.005
	// The color of an outline is one of the mostOutlines most frequent ones in the surroundings of a fill.
	mostOutlines = 2
	// The surroundings of a glyph are what is farther than ringFrom and up to ringTo pixels from it: beyond its anti-aliased rim.
	ringFrom, ringTo = 1.8, 3
)

// glyph is a connected component of one color with its measurements.
type glyph struct {
	part bitmap.Component
	// half is half the width of its thickest stroke, in pixels.
	half float64
	// inNear is the share of its pixels in or beside the lines.
	inNear float64
	// ring is the number of pixels that surround it. sharp is the share of them that contrasts with it, and outlined the share that has
	// the color of the outline.
	ring            int
	sharp, outlined float64
	// contrast is the mean difference between the fill and the surroundings, in levels.
	contrast float64
	cut      bool
	// straight says that it is a straight stroke, and along is its direction in radians. They are known on a texture only.
	straight bool
	along    float64
}

// ringPixel is a pixel of the surroundings of a glyph: its index, and the index of the glyph.
type ringPixel struct{ at, glyph int32 }

// candidate is the lettering under the assumption that fill is its color.
type candidate struct {
	fill, outline raster.RGB
	glyphs        []glyph
	// ring is the surroundings of all glyphs; empty if no piece has the shape of a stroke.
	ring []ringPixel
	// taken are the indices of the glyphs chosen as lettering. weight grows with their number and size, and with the certainty that they
	// are lettering. inLines is the share of it that is in the lines alone.
	taken           []int
	weight, inLines float64
	// hasOutline says that an outline of one color runs around the glyphs. widths are how far it reaches in each direction, in pixels, and
	// levels is the tolerance for its color.
	hasOutline bool
	widths     [directions]float64
	levels     int
}

// fills returns the colors to try as fills: the darkest and the lightest color inside the lines, then the most frequent ones.
func (s *inspection) fills() []raster.RGB {
	var h raster.Histogram
	var inLines []raster.RGB
	for i := range s.lines.All() {
		h.Add(s.pixels[i])
		inLines = append(inLines, s.pixels[i])
	}
	var out []raster.RGB
	add := func(c raster.RGB) {
		// The darkest and the lightest bin may hold only the rim of a frequent color.
		for range settle {
			c = meanNear(c, ColorLevels/2, inLines)
		}
		out = append(out, c)
		h.Remove(c, apartLevels)
	}
	// Lettering is drawn to be seen, so the darkest and the lightest color are tried even if there is little of them.
	for _, c := range h.Extremes(leastExtreme) {
		add(c)
	}
	for len(out) < mostFills {
		c, share := h.Peak()
		if share < leastFill {
			break
		}
		add(c)
	}
	return out
}

// candidate finds the pieces of a color, and decides whether they have an outline.
func (s *inspection) candidate(fill raster.RGB) *candidate {
	plain := s.pieces(fill, ColorLevels)
	if len(plain.ring) == 0 {
		return plain
	}
	s.choose(plain)
	best := plain
	colors := s.ringColors(plain)
	for range mostOutlines {
		color, _ := colors.Peak()
		colors.Remove(color, apartLevels)
		outlined := &candidate{fill: fill, ring: plain.ring, glyphs: slices.Clone(plain.glyphs), hasOutline: true}
		s.outlineBy(outlined, meanNear(color, ColorLevels/2, s.pixels))
		s.choose(outlined)
		if outlined.excess() > best.excess() && s.measureOutline(outlined) {
			best = outlined
		}
	}
	return best
}

// excess is what the lines have more of the lettering than what is around them.
func (c *candidate) excess() float64 { return c.weight * c.inLines }

// pieces returns a candidate with the connected components of the pixels within levels of a fill, and with their surroundings.
func (s *inspection) pieces(fill raster.RGB, levels int) *candidate {
	c := &candidate{fill: fill}
	core := s.where(func(i int) bool { return raster.Difference(s.pixels[i], fill) <= levels })
	depth, label := core.Complement().Distance(), make([]int32, len(s.pixels))
	for _, part := range core.Components() {
		g := glyph{part: part, cut: !part.Bounds.In(s.whole)}
		var deepest int32
		near := 0
		for _, i := range part.Pixels {
			label[i] = int32(len(c.glyphs))
			deepest = max(deepest, depth[i])
			near += int(s.near.Pix[i])
		}
		g.half = root(deepest)
		g.inNear = float64(near) / float64(len(part.Pixels))
		if s.textured { // isTone alone needs it
			s.measureAxis(&g)
		}
		c.glyphs = append(c.glyphs, g)
	}
	if slices.ContainsFunc(c.glyphs, s.hasShape) {
		c.ring = s.findRing(core, label)
		s.lookAround(c)
	}
	return c
}

// lookAround measures how much each glyph contrasts with its surroundings.
func (s *inspection) lookAround(c *candidate) {
	sharp := make([]int, len(c.glyphs))
	for _, p := range c.ring {
		d := raster.Difference(s.pixels[p.at], c.fill)
		c.glyphs[p.glyph].ring++
		c.glyphs[p.glyph].contrast += float64(d)
		if d > sharpLevels {
			sharp[p.glyph]++
		}
	}
	for i := range c.glyphs {
		g := &c.glyphs[i]
		n := max(1, float64(g.ring))
		g.sharp, g.contrast = float64(sharp[i])/n, g.contrast/n
	}
}

// ringColors counts the colors around the pieces that may be strokes.
func (s *inspection) ringColors(c *candidate) *raster.Histogram {
	h := new(raster.Histogram)
	for _, p := range c.ring {
		if s.isStroke(c.glyphs[p.glyph]) {
			h.Add(s.pixels[p.at])
		}
	}
	return h
}

// outlineBy sets the color of the outline, and measures how much of it surrounds each glyph.
func (s *inspection) outlineBy(c *candidate, color raster.RGB) {
	c.outline = color
	outlined := make([]int, len(c.glyphs))
	for _, p := range c.ring {
		if raster.Difference(s.pixels[p.at], color) <= ColorLevels {
			outlined[p.glyph]++
		}
	}
	for i := range c.glyphs {
		c.glyphs[i].outlined = float64(outlined[i]) / max(1, float64(c.glyphs[i].ring))
	}
}

// findRing returns the surroundings of glyphs, given their pixels and the label of each: the index of its glyph.
func (s *inspection) findRing(core *bitmap.Bitmap, label []int32) (ring []ringPixel) {
	w := int32(s.window.Dx())
	for i, place := range core.NearestWithin(ringTo) {
		at := int32(i)
		if place < 0 || place == at {
			continue
		}
		dx, dy := at%w-place%w, at/w-place/w
		if d := float64(dx*dx + dy*dy); d > ringFrom*ringFrom && d <= ringTo*ringTo {
			ring = append(ring, ringPixel{at: at, glyph: label[place]})
		}
	}
	return ring
}
