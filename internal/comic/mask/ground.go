package mask

import (
	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

const (
	// What is standFrom to standTo (squared pixels) away from lettering is what it stands on: beyond the worst of JPEG's
	// ringing.
	standFrom, standTo = 9, 64
	// It is a ground when standShare of it lies within groundLevels of one plane of color, constant or a gradient, and
	// leastGround of it is no outline or art, or most of it around a drawn sound. In bubbles 97 % do.
	standShare              = 0.95
	leastGround, mostGround = 0.35, 0.8
	// planeLevels: what is farther from the ground's color has no say in the plane.
	planeLevels = 24
)

// standsOnGround reports whether nearly everything around ink is ground, but for others, which leave at least a share of it.
func (s *survey) standsOnGround(ink, others *bitmap.Bitmap, least float64) bool {
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
		if Difference(s.pixels[i], plane.at(x, y)) <= groundLevels {
			same++
		}
	}
	return float64(same) >= standShare*float64(len(ring))
}

// place is the place of pixel i in the window, from its middle.
func (s *survey) place(i int) (x, y float64) {
	w, h := s.window.Dx(), s.window.Dy()
	return float64(i%w - w/2), float64(i/w - h/2)
}

// plane is a color that changes evenly: its level at the middle, and how it changes a pixel to the right and down.
type plane [3][3]float64

func (p plane) at(x, y float64) pipeline.RGB {
	var c pipeline.RGB
	for k, v := range p {
		c[k] = uint8(min(max(v[0]+v[1]*x+v[2]*y+0.5, 0), 255))
	}
	return c
}

// fitPlane fits a plane to the pixels of the ring that are near the ground's color, by least squares.
func (s *survey) fitPlane(ring []int) plane {
	var normal [3][3]float64
	var right [3][3]float64 // of each channel
	for _, i := range ring {
		c := s.pixels[i]
		if Difference(c, s.ground) > planeLevels {
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

// solve solves three linear equations by Cramer's rule; not ok without one solution.
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

// takeGround takes what surrounds ink for the ground, and returns what is neither.
func (s *survey) takeGround(ink *bitmap.Bitmap) (others *bitmap.Bitmap) {
	var around []pipeline.RGB
	toInk := ink.Distance()
	for i, c := range s.pixels {
		if toInk[i] > standFrom && toInk[i] <= standTo {
			around = append(around, c)
		}
	}
	s.ground, _ = Median(around, groundLevels)
	others = bitmap.New(s.window)
	for i, c := range s.pixels {
		if toInk[i] > standFrom && Difference(c, s.ground) > coreLevels {
			others.Pix[i] = 1
		}
	}
	return others
}
