package mask

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// minGrowth and maxGrowth limit the growth on a ground, in pixels. JPEG codes blocks of 8 by 8 pixels (16 by 16 for subsampled color),
	// and ringing reaches about as far.
	minGrowth, maxGrowth = 4, 10
	// clearance is the distance that growth keeps from outlines and art, in pixels, so that their rims stay.
	clearance = 2.5
	// ringingLevels is the greatest difference between ringing and the ground.
	ringingLevels = 64
	// A pixel of ringing on a ground that changes from place to place differs by more than ringingSeen levels from the mean of what is
	// within ringingPitch pixels, which is about a period of the ringing.
	ringingSeen, ringingPitch = 4, 2
	// artGrowth is the growth over art, in pixels: the anti-aliased rim of a glyph.
	artGrowth = 2.0
)

// growOnFlat grows ink over the ground. The growth does not cross or touch others.
func (s *inspection) growOnFlat(ink, others *bitmap.Bitmap) *bitmap.Bitmap {
	radius := min(max(0.4*s.em, minGrowth), maxGrowth)
	reach := int32(radius * radius)
	toInk, toOthers := ink.Distance(), others.Distance()
	open := bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		d := raster.Difference(c, s.ground)
		// The rim belongs to the glyph even beside an outline.
		if ink.Pix[i] != 0 || toInk[i] <= 2 && others.Pix[i] == 0 ||
			toInk[i] <= reach && d <= ringingLevels && float64(toOthers[i]) > clearance*clearance {
			open.Pix[i] = 1
		}
	})
	return open.Flood(ink)
}

// keepGround takes out of a hole what is neither beside the ink nor ringing: where the ground changes, it is known better there than from
// what is around the hole.
func (s *inspection) keepGround(hole, ink *bitmap.Bitmap) {
	toInk, ringing := ink.Distance(), bitmap.New(s.window)
	for i, p := range hole.Pix {
		if p != 0 && toInk[i] > minGrowth*minGrowth && s.rings(i, toInk) {
			ringing.Pix[i] = 1
		}
	}
	for i, p := range ringing.Dilate(1).Pix {
		if p == 0 && toInk[i] > minGrowth*minGrowth {
			hole.Pix[i] = 0
		}
	}
}

// rings reports whether a pixel beyond the rim of the ink is ringing.
func (s *inspection) rings(i int, toInk []int32) bool {
	at := s.near.Point(i)
	around := image.Rect(-ringingPitch, -ringingPitch, ringingPitch+1, ringingPitch+1).Add(at).Intersect(s.window)
	var sum [3]int
	n := 0
	for y := around.Min.Y; y < around.Max.Y; y++ {
		for x := around.Min.X; x < around.Max.X; x++ {
			if k := s.near.Offset(x, y); toInk[k] > rim*rim {
				n++
				for c, v := range s.pixels[k] {
					sum[c] += int(v)
				}
			}
		}
	}
	mean := raster.RGB{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n)}
	return raster.Difference(s.pixels[i], mean) > ringingSeen
}
