package exemplar

import (
	"math"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
)

// falloff is the factor by which the weight of a patch decreases with each pixel that its middle is deeper in the hole: near known pixels
// a patch is more reliable.
const falloff = 1.3

// vote gives each pixel of the hole the weighted mean of the patches over it.
func (l *level) vote() {
	said := l.ballot(crop.Hole)
	for _, i := range l.holes {
		if weight := said.weight[i]; weight > 0 {
			for k := 3 * i; k < 3*i+3; k++ {
				l.pix[k] = uint8(said.sum[k]/weight + 0.5)
			}
		}
	}
}

// closeSeam distributes over the hole the difference between the patches and the known pixels beside it.
func (l *level) closeSeam() {
	l.measure()
	said := l.ballot(crop.Known)
	state := make([]crop.State, len(l.state))
	for i := range state {
		state[i] = crop.Barred
	}
	for _, i := range l.holes {
		state[i] = crop.Hole
		for _, j := range [4]int{int(i) - 1, int(i) + 1, int(i) - l.w, int(i) + l.w} {
			if j >= 0 && j < len(state) && said.weight[j] > 0 {
				state[j] = crop.Known
			}
		}
	}
	for i, s := range state {
		for k := 3 * i; s == crop.Known && k < 3*i+3; k++ {
			said.sum[k] = float32(l.pix[k]) - said.sum[k]/said.weight[i]
		}
	}
	membrane.Solve(l.w, l.h, state, said.sum)
	for _, i := range l.holes {
		for k := 3 * i; k < 3*i+3; k++ {
			l.pix[k] = uint8(min(max(float32(l.pix[k])+said.sum[k]+0.5, 0), 255))
		}
	}
}

// votes has sums of weighted colors, and the sums of the weights.
type votes struct{ sum, weight []float32 }

// ballot sums the votes of all patches for the pixels of a state. The costs must be measured. A patch with a higher cost has a lower
// weight.
func (l *level) ballot(of crop.State) votes {
	v := votes{sum: make([]float32, len(l.pix)), weight: make([]float32, len(l.state))}
	mean := 1.0
	for _, c := range l.cost {
		mean += float64(c) / float64(len(l.cost))
	}
	const least = 1e-9 // even the worst patch counts where there is no other
	for t, i := range l.targets {
		weight := float32(math.Exp(-float64(l.cost[t])/mean)*math.Pow(falloff, -float64(l.depth[i]))) + least
		shift := int(l.from[t]-i) * 3
		for dy := -half; dy <= half; dy++ {
			at := int(i) + dy*l.w
			for j := at - half; j <= at+half; j++ {
				if l.state[j] != of {
					continue
				}
				v.weight[j] += weight
				for k := 3 * j; k < 3*j+3; k++ {
					v.sum[k] += float32(weight * float32(l.pix[k+shift])) // rounded, so that every processor gives the same bytes
				}
			}
		}
	}
	return v
}
