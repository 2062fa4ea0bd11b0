package regions

import (
	"image"
	"math"

	"plait/internal/raster"
)

// palette holds the two colors of lettering: that of the glyphs and that around them.
type palette struct {
	around, glyphs raster.RGB
}

// binBits is the number of bits a channel with which colors are counted: 16 steps.
const binBits = 4

// histogram counts colors in bins, and keeps their sums to compute the mean of a bin.
type histogram struct {
	count [1 << (3 * binBits)]int
	sum   [1 << (3 * binBits)][3]int
}

func (h *histogram) add(c raster.RGB) {
	const shift = 8 - binBits
	bin := int(c[0]>>shift)<<(2*binBits) | int(c[1]>>shift)<<binBits | int(c[2]>>shift)
	h.count[bin]++
	for k := range 3 {
		h.sum[bin][k] += int(c[k])
	}
}

// mean is the mean color of a bin that is not empty.
func (h *histogram) mean(bin int) raster.RGB {
	var c raster.RGB
	for k := range 3 {
		c[k] = uint8(h.sum[bin][k] / h.count[bin])
	}
	return c
}

// most is the mean color of the fullest bin that keep accepts, and whether there is such a bin.
func (h *histogram) most(keep func(raster.RGB) bool) (raster.RGB, bool) {
	best := -1
	for bin, n := range h.count {
		if n > 0 && (best < 0 || n > h.count[best]) && keep(h.mean(bin)) {
			best = bin
		}
	}
	if best < 0 {
		return raster.RGB{}, false
	}
	return h.mean(best), true
}

// measure finds the colors inside the lines.
func measure(img *image.NRGBA, lines []Line) palette {
	var h histogram
	total := 0
	for _, l := range lines {
		eachPixel(img, l.Quad, func(c raster.RGB) {
			h.add(c)
			total++
		})
	}
	around, found := h.most(func(raster.RGB) bool { return true })
	if !found {
		return palette{around: raster.RGB{255, 255, 255}}
	}
	p := palette{around: around}
	farthest := 0.0
	for bin, n := range h.count {
		// A bin of a few pixels is noise.
		if n*500 > total {
			farthest = max(farthest, raster.Distance(h.mean(bin), around))
		}
	}
	// The edges of glyphs blend both colors, so the color of the glyphs is the fullest bin far from the color around.
	p.glyphs, found = h.most(func(c raster.RGB) bool { return raster.Distance(c, around) >= max(farthest*0.6, 1) })
	if !found {
		p.glyphs = raster.Opposite(around)
	}
	return p
}

// eachPixel visits the pixels whose centers lie in q.
func eachPixel(img *image.NRGBA, q raster.Quad, visit func(raster.RGB)) {
	_, y0, _, y1 := q.Bounds()
	for y := max(0, int(y0)); y < min(img.Rect.Dy(), int(math.Ceil(y1))); y++ {
		from, to := crossing(q, float64(y)+0.5)
		for x := max(0, int(math.Ceil(from-0.5))); x < min(img.Rect.Dx(), int(math.Floor(to-0.5))+1); x++ {
			visit(raster.At(img, x, y))
		}
	}
}

// crossing is the interval in which the horizontal at y crosses a convex quad. It is empty, with from > to, where they do not cross.
func crossing(q raster.Quad, y float64) (from, to float64) {
	from, to = math.MaxInt32, math.MinInt32
	for i, a := range q {
		b := q[(i+1)%4]
		if (a[1] < y) == (b[1] < y) {
			continue
		}
		x := a[0] + (b[0]-a[0])*(y-a[1])/(b[1]-a[1])
		from, to = min(from, x), max(to, x)
	}
	return from, to
}
