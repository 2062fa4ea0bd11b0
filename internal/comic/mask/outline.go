package mask

import (
	"math"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// outlineLevels: a pixel within so many levels of the outline's color may be outline.
	outlineLevels = 56
	// outlineFall is the least by which the share of the outline's color falls where the outline ends. An outline ends in at
	// least outlineEnds of the directions: a ground goes on.
	outlineFall, leastEnds = 0.3, 6
	// An outline that is nowhere interrupted is told from a light tone, most of which has its color, by a smaller fall.
	solid, solidFall = 0.95, 0.15
	// steepness is how many pixels an outline takes to end.
	steepness = 4
	// An outline or a drop shadow reaches at most as far as widestInHalves half widths of the strokes and widestPlus pixels, and
	// at most widestInEm of the font size, or widestSmall pixels: what is wider is a ground that ends somewhere, a sack with a
	// label on it.
	widestInHalves, widestPlus = 4, 6
	widestInEm, widestSmall    = 0.2, 8
	// directions is how many directions an outline is measured in: a drop shadow makes it wider on one side.
	directions = 8
	// rim is how far the anti-aliased rim of a glyph reaches, in pixels.
	rim = 2.0
)

// addOutline adds the outline of the glyphs taken of c, whose pixels are in ink. The outline has a color and, in each
// direction, a width: the color alone would run on into dark art.
func (s *inspection) addOutline(c *candidate, ink *bitmap.Bitmap) {
	reach := s.outlineReach(c)
	around := s.around(ink, reach)
	widths, levels := s.outlineWidths(c, around, reach)
	if levels == 0 {
		return
	}
	c.widest = slices.Max(widths[:])
	like := bitmap.New(s.window)
	like.Union(ink)
	for _, p := range around {
		if p.distance <= rim || p.distance <= widths[p.direction]+1 && raster.Difference(s.pixels[p.at], c.outline) <= levels {
			like.Pix[p.at] = 1
		}
	}
	ink.Union(like.Flood(ink))
	s.fillEnclosed(c.outline, boldest*c.usualHalf(c.taken), ink)
}

// outlineReach is how far the outline of a candidate reaches at most, in pixels.
func (s *inspection) outlineReach(c *candidate) int {
	half := c.usualHalf(c.taken)
	return int(min(widestInHalves*half+widestPlus, max(widestInEm*s.em, widestSmall)))
}

// outlineEnds reports whether the color around the glyphs taken of c ends as an outline does. Where it does not it is that
// of the art behind them, and other glyphs may stand on another.
func (s *inspection) outlineEnds(c *candidate) bool {
	glyphs := bitmap.New(s.window)
	for _, g := range c.taken {
		put(c.glyphs[g].part, glyphs)
	}
	reach := s.outlineReach(c)
	_, levels := s.outlineWidths(c, s.around(glyphs, reach), reach)
	return levels > 0
}

// fillEnclosed adds what ink encloses, is mostly of that color, and is nowhere farther than half from ink, in pixels.
func (s *inspection) fillEnclosed(color raster.RGB, half float64, ink *bitmap.Bitmap) {
	depth := ink.Distance()
	for _, part := range ink.Complement().Components() {
		if touches(part.Bounds, s.window) {
			continue
		}
		same, thin := 0, true
		for _, i := range part.Pixels {
			thin = thin && root(depth[i]) <= half
			if raster.Difference(s.pixels[i], color) <= outlineLevels {
				same++
			}
		}
		if thin && same*2 > len(part.Pixels) {
			for _, i := range part.Pixels {
				ink.Pix[i] = 1
			}
		}
	}
}

// offset is a pixel beside ink: how far from it, and in which of the directions.
type offset struct {
	at        int32
	distance  float64
	direction int
}

// around are the pixels within reach of ink, and one more, without those of the ink.
func (s *inspection) around(ink *bitmap.Bitmap, reach int) []offset {
	var out []offset
	w, far := s.window.Dx(), (reach+2)*(reach+2)
	for i, place := range ink.NearestWithin(reach + 2) {
		x, y := i%w-int(place)%w, i/w-int(place)/w
		if place < 0 || place == int32(i) || x*x+y*y >= far {
			continue
		}
		dx, dy := float64(x), float64(y)
		turn := math.Atan2(dy, dx)/(2*math.Pi)*directions + directions + 0.5
		out = append(out, offset{at: int32(i), distance: math.Hypot(dx, dy), direction: int(turn) % directions})
	}
	return out
}

// outlineWidths is how far the outline reaches in each direction, and within how many levels of its color it is: those at which
// it ends in most directions, for where the sky goes from dark to light a dark outline is told from it below before it is above.
// Levels are 0 where it ends at none: that is a ground rather than an outline.
func (s *inspection) outlineWidths(c *candidate, around []offset, reach int) (widths [directions]float64, levels int) {
	most := leastEnds - 1
	for _, within := range []int{outlineLevels, outlineLevels / 2, outlineLevels / 4} {
		var found [directions]float64
		ends := 0
		for k, share := range s.outlineShares(c, around, reach, within) {
			if found[k] = lastFrequent(share); found[k] > 0 {
				ends++
			}
		}
		if ends > most {
			widths, levels, most = found, within, ends
		}
	}
	return widths, levels
}

// outlineShares are the shares of the outline's color at each distance from the glyphs, in each direction.
func (s *inspection) outlineShares(c *candidate, around []offset, reach, levels int) [directions][]float64 {
	count, same := make([][directions]float64, reach+2), make([][directions]float64, reach+2)
	for _, p := range around {
		if at := int(p.distance + 0.5); at <= reach+1 {
			count[at][p.direction]++
			if raster.Difference(s.pixels[p.at], c.outline) <= levels {
				same[at][p.direction]++
			}
		}
	}
	var shares [directions][]float64
	for k := range shares {
		shares[k] = make([]float64, reach+2)
		for d := range shares[k] {
			shares[k][d] = same[d][k] / max(1, count[d][k])
		}
	}
	return shares
}

// lastFrequent is the last distance before the share of a color falls from its height to what it is far away; 0 when it does
// not.
func lastFrequent(share []float64) float64 {
	peak, at := 0.0, 0
	for d := 2; d < min(5, len(share)); d++ {
		if share[d] > peak {
			peak, at = share[d], d
		}
	}
	far, n := 0.0, 0.0
	for _, v := range share[len(share)*3/4:] {
		far, n = far+v, n+1
	}
	far /= max(1, n)
	if peak-far < outlineFall && (peak < solid || peak-far < solidFall) {
		return 0
	}
	for d := at; d < len(share); d++ {
		if share[d] < (peak+far)/2 {
			if share[min(d+steepness, len(share)-1)] > far+outlineFall*(peak-far) {
				return 0 // it fades, as art does
			}
			return float64(d - 1)
		}
	}
	return 0
}
