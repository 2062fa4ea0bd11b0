package mask

import (
	"math"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// A pixel within fillLevels of a fill color has that color. Two fills differ by more than apartLevels.
	fillLevels, apartLevels = 40, 48
	// wholeWeight of the weight is enough for glyphs with their thin strokes: they are told better from what is between them.
	wholeWeight = 0.7
	// blendLevels is how far a thin outline is from its color, blended with what lies on its sides.
	blendLevels = 80
	// sharpLevels is the least contrast of a glyph with what surrounds it.
	sharpLevels = 64
	// settle is how often a color is moved to the mean of those near to it.
	settle = 4
	// mostFills bounds the colors that are tried.
	mostFills = 6
	// leastFill is the least share of the lines that a fill covers, and leastExtreme that of their darkest and lightest.
	leastFill, leastExtreme = 0.02, 0.005
	// mostOutlines bounds the outlines that are tried for a fill; each makes up leastOutline of what surrounds it.
	mostOutlines, leastOutline = 3, 0.15
	// ringFrom and ringTo are squared distances, in pixels, and ringReach is the farthest of them: what surrounds a glyph begins beyond its anti-aliased rim.
	ringFrom, ringTo, ringReach = 4, 9, 3
)

// glyph is a connected piece of one color with the look of it.
type glyph struct {
	part bitmap.Component
	// half is half the width of its thickest stroke, in pixels.
	half float64
	// inNear is the share of its pixels in or beside the lines.
	inNear float64
	// ring is how many pixels surround it; sharp and outlined are the shares of them that contrast with it, and that have
	// the color of the outline.
	ring            int
	sharp, outlined float64
	// contrast is the mean difference of what surrounds it, in levels.
	contrast float64
	// off is the mean difference of its pixels from the fill, in levels, without those of its rim; 0 where there are none.
	off float64
	cut bool
}

// ringPixel is a pixel around a glyph, with the pixel of the glyph that is nearest.
type ringPixel struct{ at, nearest, glyph int32 }

// candidate is the lettering that there would be if fill were its color.
type candidate struct {
	fill, outline raster.RGB
	// isFill tells the pixels of the glyphs.
	isFill func(raster.RGB) bool
	glyphs []glyph
	// ring are the pixels that surround the glyphs; nil when no piece has the shape of a stroke.
	ring []ringPixel
	// label is the glyph of each pixel of the fill, or -1.
	label []int32
	// taken are the glyphs that are lettering, and weight is how sure, and how much, they are.
	taken  []int
	weight float64
	// hasOutline: an outline of one color runs around the glyphs.
	hasOutline bool
	// widest is how far the outline reaches in its widest direction, in pixels, once it is measured.
	widest float64
}

// fills are the most frequent colors in the lines, the most frequent first.
func (s *inspection) fills() []raster.RGB {
	var h histogram
	var inLines []raster.RGB
	for i, c := range s.pixels {
		if s.lines.Pix[i] != 0 {
			h.add(c)
			inLines = append(inLines, c)
		}
	}
	var out []raster.RGB
	add := func(c raster.RGB) {
		// The darkest and the lightest bin may hold the rim of what is frequent.
		for range settle {
			c = meanNear(c, fillLevels/2, inLines)
		}
		out = append(out, c)
		h.remove(c, apartLevels)
	}
	// Lettering is drawn to be seen: the darkest and the lightest color have a chance even where there is little of them.
	for _, c := range h.extremes(leastExtreme) {
		add(c)
	}
	for len(out) < mostFills {
		c, share := h.peak()
		if share < leastFill {
			break
		}
		add(c)
	}
	return out
}

// candidate looks at the pieces of a color, and at the outlines that they may have.
func (s *inspection) candidate(fill raster.RGB) *candidate {
	plain := s.pieces(fill, func(p raster.RGB) bool { return raster.Difference(p, fill) <= fillLevels })
	if plain.ring == nil {
		return plain
	}
	best := plain
	s.choose(plain, false)
	around := s.ringColors(plain)
	for range mostOutlines {
		color, share := around.peak()
		if share < leastOutline {
			break
		}
		around.remove(color, apartLevels)
		outlined := *plain
		outlined.glyphs = slices.Clone(plain.glyphs)
		s.outlineBy(&outlined, meanNear(color, fillLevels/2, s.pixels))
		if s.choose(&outlined, true); outlined.weight > best.weight && s.outlineEnds(&outlined) {
			best = &outlined
		}
	}
	return best
}

// completed is an outlined candidate with the strokes that are so thin that they have the color of the fill nowhere: they are
// what is nearer to the fill than to the outline.
func (s *inspection) completed(c *candidate) *candidate {
	whole := s.pieces(c.fill, func(p raster.RGB) bool {
		t, off := blend(p, c.fill, c.outline)
		return t < 0.5 && off <= fillLevels
	})
	s.outlineBy(whole, c.outline)
	if s.choose(whole, true); whole.weight >= wholeWeight*c.weight {
		return whole
	}
	return c
}

// pieces are the connected pieces of the pixels that isFill accepts, with what surrounds them.
func (s *inspection) pieces(fill raster.RGB, isFill func(raster.RGB) bool) *candidate {
	c := &candidate{fill: fill, isFill: isFill, label: make([]int32, len(s.pixels))}
	core := bitmap.New(s.window)
	for i, p := range s.pixels {
		c.label[i] = -1
		if isFill(p) {
			core.Pix[i] = 1
		}
	}
	depth := core.Complement().Distance()
	for _, part := range core.Components() {
		g := glyph{part: part, cut: s.cuts(part.Bounds)}
		var deepest int32
		near, inner, off := 0, 0, 0
		for _, i := range part.Pixels {
			c.label[i] = int32(len(c.glyphs))
			deepest = max(deepest, depth[i])
			near += int(s.near.Pix[i])
			if depth[i] > rim*rim {
				inner++
				off += raster.Difference(s.pixels[i], fill)
			}
		}
		g.off = float64(off) / max(1, float64(inner))
		g.half = root(deepest)
		g.inNear = float64(near) / float64(len(part.Pixels))
		c.glyphs = append(c.glyphs, g)
	}
	if slices.ContainsFunc(c.glyphs, s.hasShape) {
		s.findRing(c, core.NearestWithin(ringReach))
		s.lookAround(c)
	}
	return c
}

// blend is how far c lies on the way from one color to another, 0..1 between them, and how far off that way, or a
// little beyond its end, in levels.
func blend(c, from, to raster.RGB) (t, off float64) {
	var along, length float64
	var d, v [3]float64
	for k := range c {
		d[k], v[k] = float64(to[k])-float64(from[k]), float64(c[k])-float64(from[k])
		along, length = along+d[k]*v[k], length+d[k]*d[k]
	}
	if length == 0 {
		return 0, math.Inf(1)
	}
	t = along / length
	for k := range c {
		e := v[k] - min(max(t, 0), 1.2)*d[k]
		off += e * e
	}
	return t, math.Sqrt(off)
}

// lookAround measures how the glyphs stand out from what surrounds them.
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
func (s *inspection) ringColors(c *candidate) *histogram {
	h := new(histogram)
	for _, p := range c.ring {
		if s.isStroke(c.glyphs[p.glyph]) {
			h.add(s.pixels[p.at])
		}
	}
	return h
}

// outlineBy takes a color for the outline, and measures how much of it surrounds each glyph.
func (s *inspection) outlineBy(c *candidate, color raster.RGB) {
	c.outline = color
	outlined := make([]int, len(c.glyphs))
	for _, p := range c.ring {
		d := raster.Difference(s.pixels[p.at], color)
		// A thin outline ends before the ring; all of it is blended.
		if d <= fillLevels || raster.Difference(s.between(int(p.at), p.nearest), color) <= min(blendLevels, d-fillLevels/5) {
			outlined[p.glyph]++
		}
	}
	for i := range c.glyphs {
		c.glyphs[i].outlined = float64(outlined[i]) / max(1, float64(c.glyphs[i].ring))
	}
}

// between is the color halfway from one pixel to another.
func (s *inspection) between(i int, place int32) raster.RGB {
	w := s.window.Dx()
	x, y := (i%w+int(place)%w)/2, (i/w+int(place)/w)/2
	return s.pixels[y*w+x]
}

// findRing finds the pixels around the glyphs, from the place of the nearest pixel of a glyph for each pixel.
func (s *inspection) findRing(c *candidate, nearest []int32) {
	c.ring = []ringPixel{}
	w := int32(s.window.Dx())
	for i, place := range nearest {
		at := int32(i)
		if place < 0 || place == at {
			continue
		}
		dx, dy := at%w-place%w, at/w-place/w
		if d := dx*dx + dy*dy; d >= ringFrom && d <= ringTo {
			c.ring = append(c.ring, ringPixel{at: at, nearest: place, glyph: c.label[place]})
		}
	}
}
