package textarea

import "plait/internal/raster/bitmap"

// opening returns the morphological opening of a set with a disc. room is the squared distance of each pixel from the edge of the set.
func opening(set *bitmap.Bitmap, room []int32, radius float64) *bitmap.Bitmap {
	limit := int32(radius * radius)
	eroded := bitmap.New(set.Rect)
	for i, d := range room {
		if d > limit {
			eroded.Pix[i] = 1
		}
	}
	return eroded.Dilate(radius)
}

// markers labels the lines of each text.
func (f *field) markers(opened *bitmap.Bitmap) []int16 {
	labels := make([]int16, len(opened.Pix))
	for n, t := range f.texts {
		for _, line := range t.lines {
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
	f.dropStray(opened.Components(), labels)
	return labels
}

// mostMarks is the least share of the marks of a text in one piece of the set for its marks in other pieces to be dropped.
const mostMarks = 0.7

// dropStray removes the marks of a text from the pieces of the set that its lines only touch: the box of a line is slightly larger than
// its ink, and may extend over the edge of its panel.
func (f *field) dropStray(pieces []bitmap.Component, labels []int16) {
	n := len(f.texts) + 1
	marks := make([]int, n*len(pieces)) // indexed by piece and text
	most, all := make([]int, n), make([]int, n)
	for k, c := range pieces {
		in := marks[k*n : (k+1)*n]
		for _, i := range c.Pixels {
			in[labels[i]]++
		}
		for l, n := range in {
			most[l], all[l] = max(most[l], n), all[l]+n
		}
	}
	for k, c := range pieces {
		for _, i := range c.Pixels {
			if l := labels[i]; l > 0 && marks[k*n+int(l)] < most[l] && float64(most[l]) >= mostMarks*float64(all[l]) {
				labels[i] = 0
			}
		}
	}
}
