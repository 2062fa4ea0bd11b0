package mask

import (
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// outlineLevels is the greatest difference between a pixel of an outline and the color of the outline.
	outlineLevels = 56
	// outlineFall is the least drop of the share of the color of the outline where an outline ends. An outline ends in at least leastEnds
	// directions, whereas a ground continues.
	outlineFall, leastEnds = 0.3, 6
	// For an outline without gaps, with a share of nearlyAll, the drop has to be at least solidFall only. That separates it from a
	// light screentone, most of which has its color.
	solidFall = 0.15
	// steepness is within how many pixels an outline ends.
	steepness = 4
	// The width of an outline with its drop shadow is at most the greater of thickest em and widestSmall pixels. Anything wider is a
	// ground that ends somewhere, such as a sack with a label on it.
	widestSmall = 8
	// directions is the number of directions that the width of an outline is measured in: a drop shadow makes it wider on one side.
	directions = 8
	// rim is the width of the anti-aliased rim of a glyph, in pixels.
	rim = 2.0
)

// addOutline adds to ink the outline of the chosen glyphs of c, whose pixels are in ink. The outline is limited by its color and by its
// width in each direction: the color alone would continue into dark art.
func (s *inspection) addOutline(c *candidate, ink *bitmap.Bitmap) {
	like := ink.Over(s.window)
	for _, p := range s.around(ink, s.outlineReach()) {
		if p.distance <= rim || p.distance <= c.widths[p.direction]+1 && raster.Difference(s.pixels[p.at], c.outline) <= c.levels {
			like.Pix[p.at] = 1
		}
	}
	ink.Union(like.Flood(ink))
	s.addCorners(c, ink)
}

// addCorners adds to ink what is left of its outline beyond the usual width, as at the corners of strokes and between strokes: pieces of
// its color at the ink of which no pixel is farther from it than an outline may be wide. Dark art that runs into an outline extends farther.
func (s *inspection) addCorners(c *candidate, ink *bitmap.Bitmap) {
	toInk, reach := ink.Distance(), float64(s.outlineReach())
	rest := s.where(func(i int) bool { return ink.Pix[i] == 0 && raster.Difference(s.pixels[i], c.outline) <= c.levels })
	ink.Union(rest.Keep(func(part bitmap.Component) bool {
		nearest, farthest := math.Inf(1), 0.0
		for _, i := range part.Pixels {
			nearest, farthest = min(nearest, root(toInk[i])), max(farthest, root(toInk[i]))
		}
		return nearest <= rim && farthest <= reach
	}))
}

// outlineReach returns the greatest width of an outline, in pixels.
func (s *inspection) outlineReach() int { return int(max(thickest*s.em, widestSmall)) }

// offset is a pixel near ink, with its distance in pixels and its direction from the nearest pixel of the ink.
type offset struct {
	at        int32
	distance  float64
	direction int
}

// around returns the pixels that are not ink and are less than reach+2 pixels from it.
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

// measureOutline measures the outline of the chosen glyphs of c, and reports whether the color around them ends as an outline does. If it does
// not, it is the color of the art behind them, and other glyphs may be in front of another color. It tries several tolerances and takes
// the one at which the outline ends in most directions: in front of a sky that becomes lighter downwards, a dark outline can be separated from
// the lower part at a greater tolerance than from the upper part.
func (s *inspection) measureOutline(c *candidate) bool {
	reach, most := s.outlineReach(), leastEnds-1
	around := s.around(s.glyphsOf(c), reach)
	for _, levels := range []int{outlineLevels, outlineLevels / 2, outlineLevels / 4} {
		var widths [directions]float64
		ends := 0
		for k, share := range s.outlineShares(c, around, reach, levels) {
			if widths[k] = lastFrequent(share); widths[k] > 0 {
				ends++
			}
		}
		if ends > most {
			c.widths, c.levels, most = widths, levels, ends
		}
	}
	return c.levels > 0
}

// outlineShares returns, for each direction and each distance from the glyphs in whole pixels, the share of pixels with the color of the
// outline.
func (s *inspection) outlineShares(c *candidate, around []offset, reach, levels int) (shares [directions][]float64) {
	var count [directions][]float64
	for k := range shares {
		shares[k], count[k] = make([]float64, reach+2), make([]float64, reach+2)
	}
	for _, p := range around {
		if at := int(p.distance + 0.5); at <= reach+1 {
			count[p.direction][at]++
			if raster.Difference(s.pixels[p.at], c.outline) <= levels {
				shares[p.direction][at]++
			}
		}
	}
	for k, same := range shares {
		for d := range same {
			same[d] /= max(1, count[k][d])
		}
	}
	return shares
}

// lastFrequent returns the last distance before the share of a color drops from its peak to its value far away; 0 if it does not drop.
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
	if peak-far < outlineFall && (peak < nearlyAll || peak-far < solidFall) {
		return 0
	}
	for d := at; d < len(share); d++ {
		if share[d] < (peak+far)/2 {
			if share[min(d+steepness, len(share)-1)] > far+outlineFall*(peak-far) {
				return 0 // a gradual drop, as in art
			}
			return float64(d - 1)
		}
	}
	return 0
}
