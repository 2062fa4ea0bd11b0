package edge

import (
	"math"

	"plait/internal/comic/inpaint/crop"
)

const (
	// Points of edges are looked for from nearest to farthest pixels away from the hole.
	nearest, farthest = 3, 24
	// steep is the least slope of a point of an edge, in levels over two pixels.
	steep = 24
	// turns is the number of directions that are told apart: two degrees each.
	turns = 180
	// leastVotes is the least number of points of a line, mostLines the number of candidates that are looked at.
	leastVotes, mostLines = 12, 48
	// A point lies on a line within offLine pixels, and when the two directions differ by offTurn radians at most.
	offLine, offTurn = 1.5, 0.1
)

// point is a pixel on the crest of an edge; turn is the direction towards the bright side.
type point struct {
	x, y, slope, turn float64
}

// findLines finds the straight lines beside the hole, those with most points first.
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

// findPoints are the pixels near the hole that are steeper than those before and behind them.
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

// sobel is the slope of the luma at a pixel whose neighbors are all known, or zero.
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

// fit is the line of least squares through the points near the one with that normal and distance, and which points lie on it.
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
		// The direction of the line is that of the greater axis of the points; the normal keeps its side.
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

// without is the points but those at the given places, which are in order.
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
