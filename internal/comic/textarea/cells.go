package textarea

import (
	"image"
	"math"
	"slices"

	"plait/internal/raster/bitmap"
)

// cells divides a set of pixels among the texts of a field. Labels from 1 are the texts.
type cells struct {
	of map[*text]*bitmap.Bitmap
	// saddles has, for each pair of labels that touch, the greatest distance from the edge at their border. peaks has the greatest
	// distance from the edge inside each label. Both are squared.
	saddles map[[2]int16]int32
	peaks   []int32
	// borders are the pixels where two labels touch.
	borders map[[2]int16]*border
	texts   []*text
}

// wide reports whether a border of a text's cell is not a neck. A neck is narrower than neck times the depth of both lobes, or shorter than
// neck times their length.
func (c *cells) wide(t *text, neck float64) bool {
	own := int16(slices.Index(c.texts, t) + 1)
	for pair, saddle := range c.saddles {
		lower := min(c.peaks[pair[0]], c.peaks[pair[1]])
		if slices.Contains(pair[:], own) && float64(saddle) > neck*neck*float64(lower) && !c.notched(pair, neck) {
			return true
		}
	}
	return false
}

// notched reports whether the border of two lobes is shorter than neck times the extent of each along it.
func (c *cells) notched(pair [2]int16, neck float64) bool {
	along, length := c.borders[pair].line()
	for _, label := range pair {
		least, most := math.Inf(1), math.Inf(-1)
		cell := c.of[c.texts[label-1]]
		for i, p := range cell.Pix {
			if p != 0 {
				at := cell.Point(i)
				d := float64(at.X)*along[0] + float64(at.Y)*along[1]
				least, most = min(least, d), max(most, d)
			}
		}
		if length > neck*(most-least+1) {
			return false
		}
	}
	return true
}

const (
	// sharedNeck is the width of a neck, relative to the lobes on both sides, above which the lobes share their interior.
	sharedNeck = 0.8
	// openNeck is the relative width of a neck above which a text may extend into it.
	openNeck = 0.6
)

// border is where two cells touch: sums over the coordinates of its pixels.
type border struct {
	n, x, y, xx, xy, yy float64
}

func (b *border) add(at image.Point) {
	x, y := float64(at.X), float64(at.Y)
	b.n, b.x, b.y = b.n+1, b.x+x, b.y+y
	b.xx, b.xy, b.yy = b.xx+x*x, b.xy+x*y, b.yy+y*y
}

// line returns the direction of the principal axis of the border, and the length of a straight line with the same variance.
func (b *border) line() (along [2]float64, length float64) {
	xx, xy, yy := b.xx/b.n-b.x*b.x/b.n/b.n, b.xy/b.n-b.x*b.y/b.n/b.n, b.yy/b.n-b.y*b.y/b.n/b.n
	sin, cos := math.Sincos(math.Atan2(2*xy, xx-yy) / 2)
	variance := cos*cos*xx + 2*sin*cos*xy + sin*sin*yy
	return [2]float64{cos, sin}, math.Sqrt(12*max(variance, 0)) + 1
}

// cells divides a set among the texts. It floods the set from the lines of the texts, pixels far from the edge first, so that two texts in
// one bubble meet in its neck, or half way if there is none. Only pixels that a disc of radius brush covers belong to a cell.
//
// This is the watershed of the distance from the edge, by flooding from markers (Meyer, 1991). It has few levels: all places that are at
// least as wide as two lines of text are on one level, and are divided by their distance from the texts.
func (f *field) cells(set *bitmap.Bitmap, brush float64) *cells {
	room := set.Complement().Distance()
	opened := opening(set, room, brush)
	labels := f.markers(opened)
	f.flood(opened, room, labels)
	most := max(slices.Max(labels), 0)
	bounds := make([]image.Rectangle, most+1)
	out := &cells{
		of: map[*text]*bitmap.Bitmap{}, saddles: map[[2]int16]int32{}, borders: map[[2]int16]*border{},
		peaks: make([]int32, most+1), texts: f.texts,
	}
	w := f.window.Dx()
	for i, l := range labels {
		if l <= 0 {
			continue
		}
		at := image.Pt(f.window.Min.X+i%w, f.window.Min.Y+i/w)
		if i%w > 0 {
			out.meet(l, labels[i-1], room[i], at)
		}
		if i >= w {
			out.meet(l, labels[i-w], room[i], at)
		}
		out.peaks[l] = max(out.peaks[l], room[i])
		if b := bounds[l]; !at.In(b) {
			bounds[l] = b.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	}
	for l, b := range bounds {
		if !b.Empty() {
			out.of[f.texts[l-1]] = labeled(set, labels, int16(l), b)
		}
	}
	return out
}

func (c *cells) meet(a, b int16, room int32, at image.Point) {
	if a != b && b > 0 {
		pair := [2]int16{min(a, b), max(a, b)}
		c.saddles[pair] = max(c.saddles[pair], room)
		if c.borders[pair] == nil {
			c.borders[pair] = &border{}
		}
		c.borders[pair].add(at)
	}
}

// labeled returns the set of pixels with a label. They must all be inside r.
func labeled(like *bitmap.Bitmap, labels []int16, label int16, r image.Rectangle) *bitmap.Bitmap {
	out := bitmap.New(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := like.Offset(r.Min.X, y), out.Offset(r.Min.X, y)
		for x := range r.Dx() {
			if labels[from+x] == label {
				out.Pix[to+x] = 1
			}
		}
	}
	return out
}

const (
	// roomy is the distance from the edge, in em, beyond which all pixels have the same level.
	roomy = 1.3
	// levels is the number of levels below that distance.
	levels = 10
)

// flood grows the labels over the set, pixels farther from the edge first.
func (f *field) flood(set *bitmap.Bitmap, room []int32, labels []int16) {
	w, h := int32(f.window.Dx()), int32(f.window.Dy())
	scale := levels / (roomy * f.em)
	level := func(i int32) int { return min(int(math.Sqrt(float64(room[i]))*scale), levels) }
	var queues [levels + 1][]int32
	push := func(i int32, from int16) {
		x, y := i%w, i/w
		for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, w-1); nx++ {
				if j := ny*w + nx; set.Pix[j] != 0 && labels[j] == 0 {
					labels[j] = -from // negative while in the queue
					l := level(j)
					queues[l] = append(queues[l], j)
				}
			}
		}
	}
	for i, l := range labels {
		if l > 0 {
			push(int32(i), l)
		}
	}
	for top := highest(queues[:]); len(queues[top]) > 0; {
		i := queues[top][0]
		queues[top] = queues[top][1:]
		labels[i] = -labels[i]
		push(i, labels[i])
		top = highest(queues[:])
	}
}

func highest(queues [][]int32) int {
	for i := len(queues) - 1; i > 0; i-- {
		if len(queues[i]) > 0 {
			return i
		}
	}
	return 0
}
