package edge

import (
	"math"

	"plait/internal/comic/inpaint/crop"
)

const (
	// Edge points are searched for at nearest to farthest pixels from the hole.
	nearest, farthest = 3, 24
	// steep is the least gradient at an edge point, in levels over two pixels.
	steep = 24
	// turns is the number of directions that are distinguished, two degrees each.
	turns = 180
	// leastVotes is the least number of points on a line. mostLines limits the number of lines that are examined.
	leastVotes, mostLines = 12, 48
	// A point belongs to a line if it is at most offLine pixels from it and their directions differ by at most offTurn radians.
	offLine, offTurn = 1.5, 0.1
)

// point is an edge pixel: a local maximum of the gradient. slope is the magnitude of the gradient, and turn its direction in radians,
// towards the bright side.
type point struct {
	x, y, slope, turn float64
}

// findLines finds straight lines near the hole with a Hough transform, the line with the most votes first.
func findLines(c *crop.Crop, toHole []int32) []line {
	points := findPoints(c, toHole)
	if len(points) < leastVotes {
		return nil
	}
	reach := c.Width() + c.Height()
	votes := make([]int32, turns*(2*reach+1))
	cast := func(p point, sign int32) {
		middle := int(math.Round(p.turn / (2 * math.Pi) * turns))
		for k := middle - 1; k <= middle+1; k++ {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / turns)
			votes[(k+turns)%turns*(2*reach+1)+int(math.Round(p.x*cos+p.y*sin))+reach] += sign
		}
	}
	for _, p := range points {
		cast(p, 1)
	}
	var lines []line
	for range mostLines {
		best := 0
		for i, v := range votes {
			if v > votes[best] {
				best = i
			}
		}
		if votes[best] < leastVotes {
			break
		}
		turn := 2 * math.Pi * float64(best/(2*reach+1)) / turns
		l, on := fit(points, turn, float64(best%(2*reach+1)-reach))
		if len(on) >= leastVotes {
			lines = append(lines, l)
		} else {
			votes[best] = 0
		}
		for _, k := range on {
			cast(points[k], -1)
		}
		points = without(points, on)
	}
	return lines
}

// findPoints returns the pixels near the hole where the magnitude of the gradient is a local maximum along its direction.
func findPoints(c *crop.Crop, toHole []int32) []point {
	w, h := c.Width(), c.Height()
	slope := make([][2]float64, w*h)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			if i := y*w + x; toHole[i] >= (nearest-1)*(nearest-1) && toHole[i] <= (farthest+1)*(farthest+1) {
				slope[i] = sobel(c, i)
			}
		}
	}
	size := func(x, y int) float64 { return math.Hypot(slope[y*w+x][0], slope[y*w+x][1]) }
	var points []point
	for y := 2; y < h-2; y++ {
		for x := 2; x < w-2; x++ {
			i := y*w + x
			if toHole[i] < nearest*nearest || toHole[i] > farthest*farthest {
				continue
			}
			s := size(x, y)
			if s < steep {
				continue
			}
			dx, dy := int(math.Round(slope[i][0]/s)), int(math.Round(slope[i][1]/s))
			if s < size(x-dx, y-dy) || s <= size(x+dx, y+dy) {
				continue
			}
			points = append(points, point{float64(x), float64(y), s, math.Atan2(slope[i][1], slope[i][0])})
		}
	}
	return points
}

// sobel returns the gradient of the luma at a pixel, or zero if a pixel of its neighborhood is not known.
func sobel(c *crop.Crop, i int) (slope [2]float64) {
	w := c.Width()
	var v [9]float64
	for k := range v {
		j := i + (k/3-1)*w + k%3 - 1
		if c.State[j] != crop.Known {
			return [2]float64{}
		}
		p := c.Pix[3*j : 3*j+3]
		v[k] = 0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2])
	}
	return [2]float64{
		(v[2] + 2*v[5] + v[8] - v[0] - 2*v[3] - v[6]) / 4,
		(v[6] + 2*v[7] + v[8] - v[0] - 2*v[1] - v[2]) / 4,
	}
}

// fit fits a line by least squares to the points near the line with the given normal and distance. It returns the indices of these points.
func fit(points []point, turn, distance float64) (line, []int) {
	var on []int
	var l line
	for range 3 {
		sin, cos := math.Sincos(turn)
		var n, sx, sy, sxx, sxy, syy float64
		on = on[:0]
		for i, p := range points {
			if math.Abs(p.x*cos+p.y*sin-distance) > offLine || math.Abs(math.Remainder(p.turn-turn, 2*math.Pi)) > offTurn {
				continue
			}
			on = append(on, i)
			n, sx, sy = n+p.slope, sx+p.slope*p.x, sy+p.slope*p.y
			sxx, sxy, syy = sxx+p.slope*p.x*p.x, sxy+p.slope*p.x*p.y, syy+p.slope*p.y*p.y
		}
		if len(on) < leastVotes {
			return l, on
		}
		mx, my := sx/n, sy/n
		// The line has the direction of the major axis of the points. The normal keeps its side.
		axis := math.Atan2(2*(sxy/n-mx*my), sxx/n-mx*mx-syy/n+my*my)/2 + math.Pi/2
		if math.Cos(axis-turn) < 0 {
			axis += math.Pi
		}
		turn = axis
		sin, cos = math.Sincos(turn)
		distance = mx*cos + my*sin
		l = line{x: mx, y: my, dx: -sin, dy: cos, nx: cos, ny: sin}
	}
	return l, on
}

// without removes the points at the given indices, which are in ascending order.
func without(points []point, places []int) []point {
	kept := points[:0]
	for i, p := range points {
		if len(places) > 0 && places[0] == i {
			places = places[1:]
		} else {
			kept = append(kept, p)
		}
	}
	return kept
}
