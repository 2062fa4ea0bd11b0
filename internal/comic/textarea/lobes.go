package textarea

import (
	"math"
	"slices"

	"plait/internal/raster/bitmap"
)

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

// markers labels the lines of each text, and the lobes without a text.
func (f *field) markers(opened *bitmap.Bitmap, room []int32) []int16 {
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
	pieces := opened.Components()
	f.dropStray(pieces, labels)
	f.markEmptyLobes(opened, pieces, room, labels)
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

const (
	// neck is the greatest width of the way to an empty lobe, relative to both the lobe and the lobe of the text.
	neck = 0.62
	// leastLobe is the least half width of a lobe, in em.
	leastLobe = 0.9
	// neckStep is the difference between the half widths of necks that are searched, and widestNeck the greatest of them, in em.
	neckStep, widestNeck = 0.25, 3
)

// markEmptyLobes labels the parts of the set without a text that erosion separates from the parts with a text.
func (f *field) markEmptyLobes(opened *bitmap.Bitmap, pieces []bitmap.Component, room []int32, labels []int16) {
	next := int16(len(f.texts) + 1)
	eroded := bitmap.New(opened.Rect)
	narrowest, widest := textRoom(pieces, room, labels)
	var left []int32 // the pixels that remain after erosion, row by row
	for i, least := range narrowest {
		if least > 0 && opened.Pix[i] != 0 {
			left = append(left, int32(i))
			eroded.Pix[i] = 1
		}
	}
	most := min(neck*math.Sqrt(float64(widest)), widestNeck*f.em)
	for radius := neckStep * f.em; radius <= most; radius += neckStep * f.em {
		limit, least := int32(radius*radius), int32(math.Pow(max(radius/neck, leastLobe*f.em), 2))
		left = slices.DeleteFunc(left, func(i int32) bool {
			if room[i] <= limit || float64(narrowest[i])*neck*neck < radius*radius {
				eroded.Pix[i] = 0
			}
			return eroded.Pix[i] == 0
		})
		for _, c := range eroded.Components() {
			var peak int32
			taken := false
			for _, i := range c.Pixels {
				peak = max(peak, room[i])
				taken = taken || labels[i] != 0
			}
			if taken {
				continue
			}
			for _, i := range c.Pixels {
				eroded.Pix[i] = 0 // further erosion finds no other lobe in it
			}
			if peak < least || next == math.MaxInt16 {
				continue
			}
			for _, i := range c.Pixels {
				labels[i] = next
			}
			next++
		}
	}
}

// textRoom returns, for each pixel of the pieces of a set, the least room of a text in its piece, and the greatest room of any text. The
// room of a text is the greatest squared distance from the edge on its lines.
func textRoom(pieces []bitmap.Component, room []int32, labels []int16) (narrowest []int32, widest int32) {
	narrowest = make([]int32, len(labels))
	peaks := make([]int32, slices.Max(labels)+1)
	for _, c := range pieces {
		clear(peaks)
		for _, i := range c.Pixels {
			if l := labels[i]; l != 0 {
				peaks[l] = max(peaks[l], room[i])
			}
		}
		var least int32
		for _, peak := range peaks {
			if widest = max(widest, peak); least == 0 || peak > 0 && peak < least {
				least = peak
			}
		}
		for _, i := range c.Pixels {
			narrowest[i] = least
		}
	}
	return narrowest, widest
}
