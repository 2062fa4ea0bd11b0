package textarea

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// cells divides a set among the texts: each pixel belongs to the text whose lines are nearest inside of the set. Only pixels that a disc of
// radius brush covers belong to a cell.
func (f *field) cells(set *bitmap.Bitmap, brush float64) map[*text]*bitmap.Bitmap {
	opened := opening(set, brush)
	labels := f.markers(opened)
	f.flood(opened, labels)
	boxes := make([]image.Rectangle, len(f.texts))
	for i, l := range labels {
		if l > 0 {
			at := set.Point(i)
			boxes[l-1] = boxes[l-1].Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	}
	out := map[*text]*bitmap.Bitmap{}
	for n, t := range f.texts {
		if !boxes[n].Empty() {
			out[t] = bitmap.Where(boxes[n], func(at image.Point) bool { return labels[set.Offset(at.X, at.Y)] == int16(n+1) })
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
			for at := range raster.Pixels(t.core(line)) {
				if i := opened.Offset(at.X, at.Y); opened.Pix[i] != 0 && labels[i] == 0 {
					labels[i] = int16(n + 1)
				}
			}
		}
	}
	return labels
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
