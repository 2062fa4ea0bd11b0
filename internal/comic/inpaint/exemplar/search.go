package exemplar

import (
	"math"
	"slices"
)

func (l *level) randomSource() int32 { return l.sources[l.rng.below(len(l.sources))] }

// begin gives each target the source that c, the level of half the resolution if there is one, found for it. Targets without one get the
// source that continues that of the pixel before them, or a random one.
func (l *level) begin(c *level) {
	for _, i := range l.targets {
		if c == nil {
			l.from[i] = l.randomSource()
			continue
		}
		x, y := int(i)%l.w, int(i)/l.w
		cx, cy := min(max(x/2, half), c.w-1-half), min(max(y/2, half), c.h-1-half)
		if f := int(c.from[cy*c.w+cx]); f >= 0 {
			l.from[i] = l.source(2*(f%c.w)+x-2*cx, 2*(f/c.w)+y-2*cy)
		}
		if f := int(l.from[i-1]); l.from[i] < 0 && f >= 0 {
			l.from[i] = l.source(f%l.w+1, f/l.w)
		}
		if l.from[i] < 0 {
			l.from[i] = l.randomSource()
		}
	}
}

// source returns the index of the source at (x, y), or -1 if there is none.
func (l *level) source(x, y int) int32 {
	if x < 0 || y < 0 || x >= l.w || y >= l.h || !l.isSource[y*l.w+x] {
		return -1
	}
	return int32(y*l.w + x)
}

// measure computes the costs of all targets again.
func (l *level) measure() {
	for _, i := range l.targets {
		l.cost[i] = l.difference(int(i), int(l.from[i]), math.MaxInt32)
	}
}

// difference returns the weighted sum of squared differences between the patches around target a and source b. It stops early with a sum
// of at least limit. The sum is less than 2^31: 49 pixels times 3 channels times 255 squared times 8.
func (l *level) difference(a, b int, limit int32) int32 {
	const side = 2*half + 1
	from := half*l.w + half
	a, b = a-from, b-from
	var sum int32
	for range side {
		p, q := l.Pix[4*a:4*a+4*side], l.Pix[4*b:4*b+4*side]
		k := 0
		for _, weight := range l.weight[a : a+side] {
			d0, d1, d2 := int32(p[k])-int32(q[k]), int32(p[k+1])-int32(q[k+1]), int32(p[k+2])-int32(q[k+2])
			sum += (d0*d0 + d1*d1 + d2*d2) * weight
			k += 4
		}
		if sum >= limit {
			return sum
		}
		a, b = a+l.w, b+l.w
	}
	return sum
}

// search improves the sources of all targets. For each target it tries the sources of the preceding neighbors, shifted by one pixel, and
// then random sources at decreasing distances from the best one. Then, backward, it tries the sources of the following neighbors.
func (l *level) search() {
	for _, i := range l.targets {
		l.tryNeighbors(int(i), 1)
		l.randomSearch(int(i))
	}
	for _, i := range slices.Backward(l.targets) {
		l.tryNeighbors(int(i), -1)
	}
}

// tryNeighbors tries the sources of the targets one step before target i in its row and its column.
func (l *level) tryNeighbors(i, step int) {
	for _, shift := range [2]int{step, step * l.w} {
		if f := l.from[i-shift]; f >= 0 {
			l.try(i, int(f)+shift)
		}
	}
}

// randomSearch tries random sources at decreasing distances from the source of target i.
func (l *level) randomSearch(i int) {
	x, y := int(l.from[i])%l.w, int(l.from[i])/l.w
	for reach := max(l.w, l.h); reach >= 1; reach /= 2 {
		x0, x1 := max(x-reach, half), min(x+reach, l.w-1-half)
		y0, y1 := max(y-reach, half), min(y+reach, l.h-1-half)
		l.try(i, (y0+l.rng.below(y1-y0+1))*l.w+x0+l.rng.below(x1-x0+1))
	}
}

// try makes pixel f the source of target i if it is a source and a better one.
func (l *level) try(i, f int) {
	if f < 0 || f >= len(l.isSource) || !l.isSource[f] || f == int(l.from[i]) {
		return
	}
	if d := l.difference(i, f, l.cost[i]); d < l.cost[i] {
		l.cost[i], l.from[i] = d, int32(f)
	}
}

// falloff is the factor by which the weight of a patch decreases with each pixel that its middle is deeper in the hole: near known pixels
// a patch is more reliable.
const falloff = 1.3

// vote gives each pixel of the hole the weighted mean of the patches over it. The costs must be measured. A patch with a higher cost has a
// lower weight.
func (l *level) vote() {
	pix, hole := l.Pix, l.Hole.Pix
	sum, weights := make([]float32, len(pix)), make([]float32, len(hole))
	mean := 1.0
	for _, i := range l.targets {
		mean += float64(l.cost[i]) / float64(len(l.targets))
	}
	const least = 1e-9 // even the worst patch counts where there is no other
	for _, i := range l.targets {
		weight := float32(math.Exp(-float64(l.cost[i])/mean)*math.Pow(falloff, -math.Sqrt(float64(l.depth[i])))) + least
		shift := int(l.from[i]-i) * 4
		for dy := -half; dy <= half; dy++ {
			at := int(i) + dy*l.w
			for j := at - half; j <= at+half; j++ {
				if hole[j] == 0 {
					continue
				}
				weights[j] += weight
				for k := 4 * j; k < 4*j+3; k++ {
					sum[k] += float32(weight * float32(pix[k+shift])) // rounded, so that every processor gives the same bytes
				}
			}
		}
	}
	for i := range l.Hole.All() {
		if weight := weights[i]; weight > 0 {
			for k := 4 * i; k < 4*i+3; k++ {
				pix[k] = uint8(sum[k]/weight + 0.5)
			}
		}
	}
}
