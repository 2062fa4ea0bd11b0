package textarea

import (
	"image"
	"slices"

	"plait/internal/raster/bitmap"
)

// cells divides a set among the texts: each pixel belongs to the text whose lines are nearest inside of the set. Only pixels that a disc of
// radius brush covers belong to a cell.
func (f *field) cells(set *bitmap.Bitmap, brush float64) map[*text]*bitmap.Bitmap {
	opened := opening(set, brush)
	labels := f.markers(opened)
	f.flood(opened, labels)
	most := max(slices.Max(labels), 0)
	bounds := make([]image.Rectangle, most+1)
	out := map[*text]*bitmap.Bitmap{}
	w := f.window.Dx()
	for i, l := range labels {
		if l <= 0 {
			continue
		}
		at := image.Pt(f.window.Min.X+i%w, f.window.Min.Y+i/w)
		if b := bounds[l]; !at.In(b) {
			bounds[l] = b.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	}
	for l, b := range bounds {
		if !b.Empty() {
			out[f.texts[l-1]] = labeled(set, labels, int16(l), b)
		}
	}
	return out
}

// opening returns the morphological opening of a set with a disc.
func opening(set *bitmap.Bitmap, radius float64) *bitmap.Bitmap {
	limit := int32(radius * radius)
	eroded := bitmap.New(set.Rect)
	for i, d := range set.Complement().Distance() {
		if d > limit {
			eroded.Pix[i] = 1
		}
	}
	return eroded.Dilate(radius)
}

// markers labels the core of the lines of each text.
func (f *field) markers(opened *bitmap.Bitmap) []int16 {
	labels := make([]int16, len(opened.Pix))
	for n, t := range f.texts {
		for _, line := range t.lines {
			line = t.core(line)
			for y := line.Min.Y; y < line.Max.Y; y++ {
				from := opened.Offset(line.Min.X, y)
				for i := from; i < from+line.Dx(); i++ {
					if opened.Pix[i] != 0 && labels[i] == 0 {
						labels[i] = int16(n + 1)
					}
				}
			}
		}
	}
	return labels
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

// flood grows the labels over the set, each pixel from the label that is nearest in it.
func (f *field) flood(set *bitmap.Bitmap, labels []int16) {
	w, h := int32(f.window.Dx()), int32(f.window.Dy())
	var queue []int32
	for i, l := range labels {
		if l > 0 {
			queue = append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		x, y := i%w, i/w
		for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, w-1); nx++ {
				if j := ny*w + nx; set.Pix[j] != 0 && labels[j] == 0 {
					labels[j] = labels[i]
					queue = append(queue, j)
				}
			}
		}
	}
}
