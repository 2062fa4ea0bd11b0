package raster

import "iter"

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

// AddAll counts colors.
func (h *Histogram) AddAll(colors iter.Seq[RGB]) {
	for c := range colors {
		h.Add(c)
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

// middle is the color in the middle of a bin.
func middle(bin int) (c RGB) {
	const least, half = 1<<binBits - 1, 1 << (7 - binBits)
	for k := range c {
		c[2-k] = uint8(bin>>(k*binBits)&least<<(8-binBits) | half)
	}
	return c
}

// Peak returns the middle of the fullest cube of 2 by 2 by 2 bins, and its share of all colors that were added: a color near the limit of a bin
// is in several.
func (h *Histogram) Peak() (RGB, float64) {
	const green, red = 1 << binBits, 1 << (2 * binBits)
	corner, most := 0, -1
	for at := range len(h.count) - red - green - 1 {
		n := 0
		for _, offset := range [...]int{0, 1, green, green + 1, red, red + 1, red + green, red + green + 1} {
			n += h.count[at+offset]
		}
		if n > most && at%green < green-1 && at%red < red-green {
			corner, most = at, n
		}
	}
	c := middle(corner)
	for k := range c {
		c[k] += 1 << (7 - binBits)
	}
	return c, float64(most) / float64(max(1, h.total))
}

// Extremes returns the middles of the darkest and the lightest bin with at least the given share of all colors that were added, or nil if these
// are the same bin or there are none.
func (h *Histogram) Extremes(share float64) []RGB {
	darkest, lightest := -1, -1
	level := func(bin int) int {
		c := middle(bin)
		return int(c[0]) + int(c[1]) + int(c[2])
	}
	for bin, n := range h.count {
		if n == 0 || float64(n) < share*float64(h.total) {
			continue
		}
		if darkest < 0 || level(bin) < level(darkest) {
			darkest = bin
		}
		if lightest < 0 || level(bin) > level(lightest) {
			lightest = bin
		}
	}
	if darkest == lightest {
		return nil
	}
	return []RGB{middle(darkest), middle(lightest)}
}

// Remove empties the bins whose middle differs from a color by at most levels; see [Difference].
func (h *Histogram) Remove(c RGB, levels int) {
	for bin := range h.count {
		if Difference(c, middle(bin)) <= levels {
			h.count[bin] = 0
		}
	}
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
