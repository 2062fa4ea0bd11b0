package raster

// binBits is the number of bits of a channel by which a [Histogram] counts colors: 16 steps.
const binBits = 4

// Histogram counts colors in bins, and keeps their sums for the mean of a bin.
type Histogram struct {
	count [1 << (3 * binBits)]int
	sum   [1 << (3 * binBits)][3]int
	total int
}

// Add counts a color.
func (h *Histogram) Add(c RGB) {
	const shift = 8 - binBits
	bin := int(c[0]>>shift)<<(2*binBits) | int(c[1]>>shift)<<binBits | int(c[2]>>shift)
	h.total++
	h.count[bin]++
	for k := range 3 {
		h.sum[bin][k] += int(c[k])
	}
}

// mean is the mean color of a bin that is not empty.
func (h *Histogram) mean(bin int) RGB {
	var c RGB
	for k := range 3 {
		c[k] = uint8(h.sum[bin][k] / h.count[bin])
	}
	return c
}

// Mode returns the mean color of the fullest bin, and whether there is one.
func (h *Histogram) Mode() (RGB, bool) { return h.ModeBeyond(RGB{}, 0) }

// ModeBeyond is Mode among the bins whose [Distance] from a color is at least that.
func (h *Histogram) ModeBeyond(from RGB, distance float64) (mode RGB, found bool) {
	most := 0
	for bin, n := range h.count {
		if n <= most {
			continue
		}
		if c := h.mean(bin); Distance(c, from) >= distance {
			mode, most = c, n
		}
	}
	return mode, most > 0
}

// Farthest returns the greatest [Distance] from a color of a bin that has more than the given share of the colors.
func (h *Histogram) Farthest(from RGB, share float64) (distance float64) {
	for bin, n := range h.count {
		if float64(n) > share*float64(h.total) {
			distance = max(distance, Distance(h.mean(bin), from))
		}
	}
	return distance
}
