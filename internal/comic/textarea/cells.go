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
	texts   []*text
}

// neck is the greatest width of a neck, relative to that of the lobe on each side. A text may extend into a wider border.
const neck = 0.6

// wide reports whether a border of a text's cell is not a neck.
func (c *cells) wide(t *text) bool {
	own := int16(slices.Index(c.texts, t) + 1)
	for pair, saddle := range c.saddles {
		lower := min(c.peaks[pair[0]], c.peaks[pair[1]])
		if slices.Contains(pair[:], own) && float64(saddle) > neck*neck*float64(lower) {
			return true
		}
	}
	return false
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
		of: map[*text]*bitmap.Bitmap{}, saddles: map[[2]int16]int32{},
		peaks: make([]int32, most+1), texts: f.texts,
	}
	w := f.window.Dx()
	for i, l := range labels {
		if l <= 0 {
			continue
		}
		at := image.Pt(f.window.Min.X+i%w, f.window.Min.Y+i/w)
		if i%w > 0 {
			out.meet(l, labels[i-1], room[i])
		}
		if i >= w {
			out.meet(l, labels[i-w], room[i])
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

func (c *cells) meet(a, b int16, room int32) {
	if a != b && b > 0 {
		pair := [2]int16{min(a, b), max(a, b)}
		c.saddles[pair] = max(c.saddles[pair], room)
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
