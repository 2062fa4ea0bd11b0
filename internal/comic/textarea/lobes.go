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
