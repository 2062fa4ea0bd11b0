package mask

import "plait/internal/raster"

// histogram counts colors, with 16 bins for each channel.
type histogram struct {
	bins  [16 * 16 * 16]float64
	total float64
}

func bin(c raster.RGB) int { return int(c[0]>>4)<<8 | int(c[1]>>4)<<4 | int(c[2]>>4) }

func (h *histogram) add(c raster.RGB) {
	h.bins[bin(c)]++
	h.total++
}

// mode returns the middle of the most frequent bin.
func (h *histogram) mode() raster.RGB {
	best := 0
	for i, n := range h.bins {
		if n > h.bins[best] {
			best = i
		}
	}
	return middleOfBin(best)
}

// peak returns the middle of the most frequent cube of 2 by 2 by 2 bins, and its share of the total.
func (h *histogram) peak() (raster.RGB, float64) {
	best, most := [3]int{}, -1.0
	for r := range 15 {
		for g := range 15 {
			for b := range 15 {
				at := r<<8 | g<<4 | b
				n := h.bins[at] + h.bins[at+1] + h.bins[at+16] + h.bins[at+17] +
					h.bins[at+256] + h.bins[at+257] + h.bins[at+272] + h.bins[at+273]
				if n > most {
					best, most = [3]int{r, g, b}, n
				}
			}
		}
	}
	return raster.RGB{uint8(16*best[0] + 16), uint8(16*best[1] + 16), uint8(16*best[2] + 16)}, most / max(1, h.total)
}

// extremes returns the middles of the darkest and the lightest bin that have at least the given share of the total, or nil if these are
// the same bin or there are none.
func (h *histogram) extremes(share float64) []raster.RGB {
	darkest, lightest := -1, -1
	level := func(i int) int { return i>>8 + i>>4&15 + i&15 }
	for i, n := range h.bins {
		if n < share*h.total || n == 0 {
			continue
		}
		if darkest < 0 || level(i) < level(darkest) {
			darkest = i
		}
		if lightest < 0 || level(i) > level(lightest) {
			lightest = i
		}
	}
	if darkest == lightest {
		return nil
	}
	return []raster.RGB{middleOfBin(darkest), middleOfBin(lightest)}
}

// remove empties the bins whose middle is within levels of c.
func (h *histogram) remove(c raster.RGB, levels int) {
	for i := range h.bins {
		if raster.Difference(c, middleOfBin(i)) <= levels {
			h.bins[i] = 0
		}
	}
}

func middleOfBin(i int) raster.RGB {
	return raster.RGB{uint8(i>>8<<4 | 8), uint8(i>>4&15<<4 | 8), uint8(i&15<<4 | 8)}
}
