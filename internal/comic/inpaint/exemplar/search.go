package exemplar

import (
	"math"

	"plait/internal/comic/inpaint/crop"
)

// begin gives each target a random source.
func (l *level) begin() {
	for t := range l.targets {
		l.from[t] = l.randomSource()
	}
}

func (l *level) randomSource() int32 { return l.sources[l.rng.below(len(l.sources))] }

// inherit gives each target the source that c, the level of half the resolution, found for it. Targets without one get the source that
// continues that of the pixel before them, or a random one.
func (l *level) inherit(c *level) {
	for t, i := range l.targets {
		x, y := int(i)%l.w, int(i)/l.w
		cx, cy := min(max(x/2, half), c.w-1-half), min(max(y/2, half), c.h-1-half)
		l.from[t] = -1
		if u := c.order[cy*c.w+cx]; u >= 0 {
			f := int(c.from[u])
			l.from[t] = l.source(2*(f%c.w)+x-2*cx, 2*(f/c.w)+y-2*cy)
		}
		if before := t - 1; l.from[t] < 0 && before >= 0 && l.targets[before] == i-1 {
			f := int(l.from[before])
			l.from[t] = l.source(f%l.w+1, f/l.w)
		}
		if l.from[t] < 0 {
			l.from[t] = l.randomSource()
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
	for t, i := range l.targets {
		l.cost[t] = l.difference(int(i), int(l.from[t]), math.MaxInt32)
	}
}

// difference returns the weighted sum of squared differences between the patches around target a and source b. It stops early with a sum
// of at least limit. The sum is less than 2^31: 49 pixels times 3 channels times 255 squared times 16.
func (l *level) difference(a, b int, limit int32) int32 {
	const side = 2*half + 1
	from := half*l.w + half
	a, b = a-from, b-from
	var sum int32
	for range side {
		p, q := l.pix[3*a:3*a+3*side], l.pix[3*b:3*b+3*side]
		k := 0
		for _, weight := range l.weight[a : a+side] {
			d0, d1, d2 := int32(p[k])-int32(q[k]), int32(p[k+1])-int32(q[k+1]), int32(p[k+2])-int32(q[k+2])
			sum += (d0*d0 + d1*d1 + d2*d2) * weight
			k += 3
		}
		if sum >= limit {
			return sum
		}
		a, b = a+l.w, b+l.w
	}
	return sum
}

// search improves the sources of all targets. For each target it tries the sources of the preceding neighbors, shifted by one pixel, and
// then random sources at decreasing distances from the best one. Backward it tries only the sources of the following neighbors.
func (l *level) search(backward bool) {
	step := 1
	if backward {
		step = -1
	}
	for k := range l.targets {
		t := k
		if backward {
			t = len(l.targets) - 1 - k
		}
		i := int(l.targets[t])
		for _, shift := range [2]int{step, step * l.w} {
			if u := l.order[i-shift]; u >= 0 {
				l.try(t, int(l.from[u])+shift)
			}
		}
		if !backward {
			l.randomSearch(t)
		}
	}
}

// randomSearch tries random sources at decreasing distances from the source of target t.
func (l *level) randomSearch(t int) {
	x, y := int(l.from[t])%l.w, int(l.from[t])/l.w
	for reach := max(l.w, l.h); reach >= 1; reach /= 2 {
		x0, x1 := max(x-reach, half), min(x+reach, l.w-1-half)
		y0, y1 := max(y-reach, half), min(y+reach, l.h-1-half)
		l.try(t, (y0+l.rng.below(y1-y0+1))*l.w+x0+l.rng.below(x1-x0+1))
	}
}

// try makes pixel f the source of target t if it is a source and a better one.
func (l *level) try(t, f int) {
	if f < 0 || f >= len(l.isSource) || !l.isSource[f] || f == int(l.from[t]) {
		return
	}
	if d := l.difference(int(l.targets[t]), f, l.cost[t]); d < l.cost[t] {
		l.cost[t], l.from[t] = d, int32(f)
	}
}

// falloff is the factor by which the weight of a patch decreases with each pixel that its middle is deeper in the hole: near known pixels
// a patch is more reliable.
const falloff = 1.3

// vote gives each pixel of the hole the weighted mean of the patches over it. The costs must be measured. A patch with a higher cost has a
// lower weight.
func (l *level) vote() {
	sum, weights := make([]float32, len(l.pix)), make([]float32, len(l.state))
	mean := 1.0
	for _, c := range l.cost {
		mean += float64(c) / float64(len(l.cost))
	}
	const least = 1e-9 // even the worst patch counts where there is no other
	for t, i := range l.targets {
		weight := float32(math.Exp(-float64(l.cost[t])/mean)*math.Pow(falloff, -math.Sqrt(float64(l.depth[i])))) + least
		shift := int(l.from[t]-i) * 3
		for dy := -half; dy <= half; dy++ {
			at := int(i) + dy*l.w
			for j := at - half; j <= at+half; j++ {
				if l.state[j] != crop.Hole {
					continue
				}
				weights[j] += weight
				for k := 3 * j; k < 3*j+3; k++ {
					sum[k] += float32(weight * float32(l.pix[k+shift])) // rounded, so that every processor gives the same bytes
				}
			}
		}
	}
	for _, i := range l.holes {
		if weight := weights[i]; weight > 0 {
			for k := 3 * i; k < 3*i+3; k++ {
				l.pix[k] = uint8(sum[k]/weight + 0.5)
			}
		}
	}
}
