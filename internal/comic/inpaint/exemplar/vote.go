package exemplar

import (
	"math"

	"plait/internal/comic/inpaint/crop"
)

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
		weight := float32(math.Exp(-float64(l.cost[t])/mean)*math.Pow(falloff, -float64(l.depth[i]))) + least
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
