package mask

import (
	"image"
	"math"

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
	// Pixels at squared distances of farFrom to farTo are beyond an outline. goesOn is the least share of them that has the color of a
	// ground.
	farFrom, farTo = 144, 400
	goesOn         = 0.7
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
		x, y := s.place(i)
		if raster.Difference(s.pixels[i], plane.at(x, y)) <= levels {
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

// groundGoesOn reports whether the color of the ground continues farther away. An outline around the lettering does not.
func (s *inspection) groundGoesOn(ink *bitmap.Bitmap) bool {
	all, same := 0, 0
	for i, d := range ink.Distance() {
		if d > farFrom && d <= farTo {
			all++
			if raster.Difference(s.pixels[i], s.ground) <= coreLevels {
				same++
			}
		}
	}
	return float64(same) >= goesOn*float64(all)
}

// place returns the position of pixel i of the window, relative to the middle of the window.
func (s *inspection) place(i int) (x, y float64) {
	w, h := s.window.Dx(), s.window.Dy()
	return float64(i%w - w/2), float64(i/w - h/2)
}

// plane is a color that changes evenly. For each channel it has the level at the middle of the window, and the change per pixel to the
// right and down.
type plane [3][3]float64

func (p plane) at(x, y float64) raster.RGB {
	var c raster.RGB
	for k, v := range p {
		c[k] = uint8(min(max(v[0]+v[1]*x+v[2]*y+0.5, 0), 255))
	}
	return c
}

// slope returns the greatest difference between the means of the plane over two halves of a box, in levels.
func (p plane) slope(box image.Rectangle) float64 {
	most := 0.0
	for _, v := range p {
		most = max(most, math.Abs(v[1])*float64(box.Dx())/2, math.Abs(v[2])*float64(box.Dy())/2)
	}
	return most
}

// fitPlane fits a plane by least squares to the pixels of the ring that are near the color of the ground.
func (s *inspection) fitPlane(ring []int) plane {
	var normal [3][3]float64
	var right [3][3]float64 // one right-hand side per channel
	for _, i := range ring {
		c := s.pixels[i]
		if raster.Difference(c, s.ground) > ringingNear {
			continue
		}
		x, y := s.place(i)
		row := [3]float64{1, x, y}
		for a := range row {
			for b := range row {
				normal[a][b] += row[a] * row[b]
			}
			for k := range c {
				right[k][a] += row[a] * float64(c[k])
			}
		}
	}
	var p plane
	for k := range p {
		solution, ok := solve(normal, right[k])
		if !ok {
			solution = [3]float64{float64(s.ground[k])}
		}
		p[k] = solution
	}
	return p
}

// solve solves three linear equations by Cramer's rule. ok is false if they have no unique solution.
func solve(m [3][3]float64, v [3]float64) (x [3]float64, ok bool) {
	det := determinant(m)
	if det < 1e-6 && det > -1e-6 {
		return x, false
	}
	for i := range x {
		replaced := m
		for r := range replaced {
			replaced[r][i] = v[r]
		}
		x[i] = determinant(replaced) / det
	}
	return x, true
}

func determinant(m [3][3]float64) float64 {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) + m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
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
	s.slope = s.fitPlane(ring).slope(ink.Bounds())
	others = bitmap.New(s.window)
	for i, c := range s.pixels {
		if toInk[i] > standFrom && raster.Difference(c, s.ground) > coreLevels {
			others.Pix[i] = 1
		}
	}
	return others
}
