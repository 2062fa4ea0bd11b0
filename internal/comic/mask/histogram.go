package mask

import "plait/internal/pipeline"

// histogram counts colors in 16 levels a channel.
type histogram struct {
	bins  [16 * 16 * 16]float64
	total float64
}

func bin(c pipeline.RGB) int { return int(c[0]>>4)<<8 | int(c[1]>>4)<<4 | int(c[2]>>4) }

func (h *histogram) add(c pipeline.RGB, weight float64) {
	h.bins[bin(c)] += weight
	h.total += weight
}

// mode is the middle of the most frequent bin.
func (h *histogram) mode() pipeline.RGB {
	best := 0
	for i, n := range h.bins {
		if n > h.bins[best] {
			best = i
		}
	}
	return pipeline.RGB{uint8(best>>8<<4 | 8), uint8(best>>4&15<<4 | 8), uint8(best&15<<4 | 8)}
}

// shares are the bins as shares of the total, blurred over neighboring bins (1 2 1 in each channel), so that a color on
// the border of two bins counts in both.
func (h *histogram) shares() *[16 * 16 * 16]float64 {
	cur, next := h.bins, [16 * 16 * 16]float64{}
	for _, step := range []int{256, 16, 1} {
		for i := range cur {
			level := i / step % 16
			sum := 2 * cur[i]
			if level > 0 {
				sum += cur[i-step]
			}
			if level < 15 {
				sum += cur[i+step]
			}
			next[i] = sum / 4
		}
		cur = next
	}
	for i := range cur {
		cur[i] /= max(h.total, 1)
	}
	return &cur
}
