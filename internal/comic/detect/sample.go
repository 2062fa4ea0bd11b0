package detect

import (
	"image"
	"math"
)

// The normalization that the model was trained with: the means and deviations of ImageNet, in the order blue, green, red.
var (
	channelMean      = [3]float32{0.406, 0.456, 0.485}
	channelDeviation = [3]float32{0.225, 0.224, 0.229}
)

// tap is one source pixel's share of a sample.
type tap struct {
	at     int
	weight float32
}

// taps are the shares for each of n samples from first on of a side of size pixels that is scaled: linear interpolation,
// widened when the side shrinks so that every source pixel counts.
func taps(first, n, size int, scale float64) [][]tap {
	all := make([][]tap, n)
	reach := max(1, 1/scale)
	for i := range all {
		center := (float64(first+i)+0.5)/scale - 0.5
		from, to := int(math.Ceil(center-reach)), int(math.Floor(center+reach))
		var sum float32
		for at := from; at <= to; at++ {
			w := float32(1 - math.Abs(float64(at)-center)/reach)
			if w <= 0 {
				continue
			}
			sum += w
			all[i] = append(all[i], tap{min(max(at, 0), size-1), w})
		}
		for k := range all[i] {
			all[i][k].weight /= sum
		}
	}
	return all
}

// sample writes the part seen of the scaled image into planes of width x height: blue, green, red, normalized. What lies
// beyond the image repeats its edge, so that no edge of the padding looks like a stroke.
func sample(img *image.NRGBA, scale float64, seen image.Rectangle, width, height int, planes []float32) {
	bounds := img.Bounds()
	columns := taps(seen.Min.X, width, bounds.Dx(), scale)
	rows := taps(seen.Min.Y, height, bounds.Dy(), scale)
	cache := newRowCache(img, columns, len(rows[0])+2)
	area := width * height
	for y, shares := range rows {
		for c := range 3 {
			line := planes[c*area+y*width : c*area+(y+1)*width]
			for _, s := range shares {
				for x, v := range cache.row(s.at)[c] {
					line[x] += s.weight * v
				}
			}
			for x := range line {
				line[x] = (line[x]/255 - channelMean[c]) / channelDeviation[c]
			}
		}
	}
}

// rowCache holds the few source rows, sampled across, that neighboring samples share.
type rowCache struct {
	img     *image.NRGBA
	columns [][]tap
	number  []int
	rows    [][3][]float32
	opaque  [3][]float32
}

func newRowCache(img *image.NRGBA, columns [][]tap, size int) *rowCache {
	c := &rowCache{img: img, columns: columns, number: make([]int, size), rows: make([][3][]float32, size)}
	for i := range c.rows {
		c.number[i] = -1
		for k := range 3 {
			c.rows[i][k] = make([]float32, len(columns))
		}
	}
	for k := range 3 {
		c.opaque[k] = make([]float32, img.Bounds().Dx())
	}
	return c
}

// row is row y of the image in blue, green and red, 0..255, laid over white.
func (c *rowCache) row(y int) [3][]float32 {
	slot := y % len(c.rows)
	if c.number[slot] == y {
		return c.rows[slot]
	}
	c.number[slot] = y
	pixels := c.img.Pix[y*c.img.Stride : y*c.img.Stride+4*len(c.opaque[0])]
	for x := range c.opaque[0] {
		p := pixels[4*x : 4*x+4]
		alpha := float32(p[3]) / 255
		for k := range 3 {
			c.opaque[k][x] = 255 + (float32(p[2-k])-255)*alpha
		}
	}
	for k := range 3 {
		out := c.rows[slot][k]
		for x, shares := range c.columns {
			var sum float32
			for _, s := range shares {
				sum += s.weight * c.opaque[k][s.at]
			}
			out[x] = sum
		}
	}
	return c.rows[slot]
}
