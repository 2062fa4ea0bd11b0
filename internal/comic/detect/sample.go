package detect

import (
	"image"
	"math"
)

// The normalization that the model was trained with: the means and standard deviations of ImageNet, as blue, green, red.
var (
	channelMean      = [3]float32{0.406, 0.456, 0.485}
	channelDeviation = [3]float32{0.225, 0.224, 0.229}
)

// taps holds the interpolation weights of one axis: for each sample, the source pixels and their weights, no more than most of them. most
// is even, because weights are summed in pairs.
type taps struct {
	at     []int32
	weight []float32
	most   int
	// from and to bound the source pixels: from..to-1.
	from, to int
}

// newTaps computes the weights of the samples first..first+n-1 along an axis of size pixels scaled by scale. It interpolates linearly;
// when the image shrinks, the filter is widened so that every source pixel counts.
func newTaps(first, n, size int, scale float64) taps {
	reach := max(1, 1/scale)
	most := (int(math.Ceil(2*reach)) + 1) / 2 * 2
	t := taps{at: make([]int32, n*most), weight: make([]float32, n*most), most: most, from: size}
	for i := range n {
		center := (float64(first+i)+0.5)/scale - 0.5
		at, weight := t.of(i)
		k := 0
		var sum float32
		for source := int(math.Ceil(center - reach)); source <= int(math.Floor(center+reach)) && k < most; source++ {
			w := float32(1 - math.Abs(float64(source)-center)/reach)
			if w <= 0 {
				continue
			}
			sum += w
			at[k], weight[k] = int32(min(max(source, 0), size-1)), w
			t.from, t.to = min(t.from, int(at[k])), max(t.to, int(at[k])+1)
			k++
		}
		for j := range weight {
			weight[j] /= sum
			at[j] = at[min(j, k-1)] // unused places have no weight
		}
	}
	return t
}

// of are the source pixels and weights of sample i.
func (t *taps) of(i int) ([]int32, []float32) {
	return t.at[i*t.most : (i+1)*t.most], t.weight[i*t.most : (i+1)*t.most]
}

// sample writes the part seen of the scaled image into planes of width x height: blue, green, red, normalized. Beyond the image it repeats
// the edge, so that no edge of the padding looks like a stroke.
func sample(img *image.NRGBA, scale float64, seen image.Rectangle, width, height int, planes []float32) {
	bounds := img.Bounds()
	rows := newTaps(seen.Min.Y, height, bounds.Dy(), scale)
	cache := newRowCache(img, newTaps(seen.Min.X, width, bounds.Dx(), scale), rows.most+2)
	area := width * height
	for y := range height {
		at, weights := rows.of(y)
		for c := range 3 {
			line := planes[c*area+y*width : c*area+(y+1)*width]
			for k := 0; k < len(at); k += 2 {
				addRows(line, cache.row(int(at[k]))[c], cache.row(int(at[k+1]))[c], weights[k], weights[k+1], k == 0)
			}
		}
	}
}

// addRows adds two weighted rows to line, or overwrites line with their sum if begin is set.
func addRows(line, a, b []float32, weightA, weightB float32, begin bool) {
	a, b = a[:len(line)], b[:len(line)]
	if begin {
		for x := range line {
			line[x] = weightA*a[x] + weightB*b[x]
		}
		return
	}
	for x := range line {
		line[x] += weightA*a[x] + weightB*b[x]
	}
}

// blankRange is how far a channel of blank paper may differ from its first pixel, 0..1: the noise of a compressed file.
const blankRange = 8.0 / 255

// blank reports whether planes of area pixels, as [sample] writes them, have a single color, like the gutters of strips.
func blank(planes []float32, area int) bool {
	for c, deviation := range channelDeviation {
		plane, limit := planes[c*area:(c+1)*area], blankRange/deviation
		for _, v := range plane {
			if d := v - plane[0]; d > limit || d < -limit {
				return false
			}
		}
	}
	return true
}

// rowCache holds the few horizontally resampled source rows that neighboring samples share.
type rowCache struct {
	img     *image.NRGBA
	columns taps
	number  []int
	rows    [][3][]float32
	opaque  [3][]float32
}

func newRowCache(img *image.NRGBA, columns taps, size int) *rowCache {
	c := &rowCache{img: img, columns: columns, number: make([]int, size), rows: make([][3][]float32, size)}
	for i := range c.rows {
		c.number[i] = -1
		for k := range 3 {
			c.rows[i][k] = make([]float32, len(columns.at)/columns.most)
		}
	}
	for k := range 3 {
		c.opaque[k] = make([]float32, columns.to-columns.from)
	}
	for i := range columns.at {
		columns.at[i] -= int32(columns.from)
	}
	return c
}

// row is row y of the image as blue, green and red, over a white background and normalized.
func (c *rowCache) row(y int) *[3][]float32 {
	slot := y % len(c.rows)
	if c.number[slot] == y {
		return &c.rows[slot]
	}
	c.number[slot] = y
	c.lay(c.img.Pix[y*c.img.Stride+4*c.columns.from : y*c.img.Stride+4*c.columns.to])
	for k := range 3 {
		c.columns.sum(c.opaque[k], c.rows[slot][k])
		normalize(c.rows[slot][k], k)
	}
	return &c.rows[slot]
}

// normalize normalizes the samples of a channel from 0..255.
func normalize(samples []float32, channel int) {
	factor, least := 1/(255*channelDeviation[channel]), -channelMean[channel]/channelDeviation[channel]
	for x, v := range samples {
		samples[x] = v*factor + least
	}
}

// lay composites pixels over white, as 0..255.
func (c *rowCache) lay(pixels []uint8) {
	blue, green, red := c.opaque[0], c.opaque[1][:len(c.opaque[0])], c.opaque[2][:len(c.opaque[0])]
	for x := range blue {
		p := pixels[4*x : 4*x+4 : 4*x+4]
		blue[x], green[x], red[x] = float32(p[2]), float32(p[1]), float32(p[0])
		if p[3] == 255 {
			continue
		}
		alpha := float32(p[3]) / 255
		blue[x], green[x], red[x] = 255+(blue[x]-255)*alpha, 255+(green[x]-255)*alpha, 255+(red[x]-255)*alpha
	}
}

// sum writes the weighted samples of a line.
func (t *taps) sum(line, out []float32) {
	clear(out)
	for k := 0; k < t.most; k += 2 {
		i := k
		for x := range out {
			at, weight := t.at[i:i+2:i+2], t.weight[i:i+2:i+2]
			out[x] += weight[0]*line[at[0]] + weight[1]*line[at[1]]
			i += t.most
		}
	}
}
