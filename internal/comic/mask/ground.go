package mask

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// Pixels at squared distances of standFrom to standTo from lettering are its surroundings: beyond the strongest ringing of JPEG.
	standFrom, standTo = 9, 64
	// The surroundings are a ground if standShare of them is within a few levels of one plane of color, constant or a gradient, and at
	// least leastGround of them is not outline or art. In bubbles 97 % is. For sound effects and on art, and with the larger tolerance for
	// strongly compressed files, the least share is mostGround, because art of one color with lines in it is not a ground.
	standShare              = 0.95
	leastGround, mostGround = 0.35, 0.8
	// ringingNear is how far the pixels around text differ from its ground in strongly compressed JPEG files. Pixels that are farther from
	// the color of the ground are ignored when the plane is fitted.
	ringingNear = 24
	// runsIn is the least share of the ground inside the lines that is connected to the ground beside them. The rest may be in counters.
	runsIn = 0.75
)

// standsOnGround reports whether nearly all of the surroundings of ink, without others, is within levels of one plane of color. At least
// the share least of the surroundings must be free of others.
func (s *inspection) standsOnGround(ink, others *bitmap.Bitmap, least float64, levels int) bool {
	toInk, toOthers := ink.Distance(), others.Distance()
	var ring []int
	all := 0
	for i, d := range toInk {
		if d > standFrom && d <= standTo {
			all++
			if float64(toOthers[i]) > clearance*clearance {
				ring = append(ring, i)
			}
		}
	}
	if all == 0 || float64(len(ring)) < least*float64(all) {
		return false
	}
	plane := s.fitPlane(ring)
	same := 0
	for _, i := range ring {
		if plane.Off(s.near.Point(i), s.pixels[i]) <= float64(levels) {
			same++
		}
	}
	return float64(same) >= standShare*float64(len(ring))
}

// groundRunsIn reports whether the ground between the glyphs is connected to the ground beside the lines. Where light text is on art
// beside a light gutter, the color of the gutter is also inside the lines, but it is the color of the text and not connected to the
// gutter.
func (s *inspection) groundRunsIn() bool {
	ground, beside := bitmap.New(s.window), bitmap.New(s.window)
	for i, c := range s.pixels {
		if raster.Difference(c, s.ground) <= coreLevels {
			ground.Pix[i] = 1
			beside.Pix[i] = s.near.Pix[i] &^ s.lines.Pix[i]
		}
	}
	inside, joined := 0, 0
	for i, p := range ground.Flood(beside).Pix {
		if ground.Pix[i]&s.lines.Pix[i] != 0 {
			inside++
			joined += int(p)
		}
	}
	return float64(joined) >= runsIn*float64(inside)
}

// fitPlane fits a plane to the pixels of the ring that are near the color of the ground.
func (s *inspection) fitPlane(ring []int) raster.Plane {
	var places []image.Point
	var colors []raster.RGB
	for _, i := range ring {
		if c := s.pixels[i]; raster.Difference(c, s.ground) <= ringingNear {
			places, colors = append(places, s.near.Point(i)), append(colors, c)
		}
	}
	return raster.FitPlane(places, colors)
}

// takeGround sets the ground and its slope from the surroundings of ink, and returns the pixels that are neither ink nor ground.
func (s *inspection) takeGround(ink *bitmap.Bitmap) (others *bitmap.Bitmap) {
	var around []raster.RGB
	var ring []int
	toInk := ink.Distance()
	for i, c := range s.pixels {
		if toInk[i] > standFrom && toInk[i] <= standTo {
			around, ring = append(around, c), append(ring, i)
		}
	}
	s.ground, _ = raster.Median(around, groundLevels)
	s.slope = s.fitPlane(ring).Slope(ink.Bounds())
	others = bitmap.New(s.window)
	for i, c := range s.pixels {
		if toInk[i] > standFrom && raster.Difference(c, s.ground) > coreLevels {
			others.Pix[i] = 1
		}
	}
	return others
}
