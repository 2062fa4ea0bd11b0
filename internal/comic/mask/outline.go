package mask

import (
	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

const (
	// An outline has one color (this share of the pixels next to the fill, within outlineLevels), and it ends: at its
	// greatest width most pixels have another one.
	outlineShare  = 0.7
	outlineLevels = 32
	outlineEnds   = 0.4
	// widest is the greatest width of an outline in em.
	widest = 0.22
	// enclosed is the greatest size of what glyphs enclose, in em: the fill of outlined glyphs, or counters.
	enclosed = 0.8
)

// addOutline adds the outline that runs around ink, when there is one.
func (s *survey) addOutline(ink *bitmap.Bitmap) {
	toInk := ink.Distance()
	width := widest*s.em + 4
	color, agree := s.colorAt(toInk, 4, 16) // two to four pixels off, beyond the anti-aliased rim
	if agree < outlineShare {
		return
	}
	limit, inner := int32(width*width), int32((width-2)*(width-2))
	like := bitmap.New(s.window)
	band, escaped := 0, 0
	s.each(func(i int, c pipeline.RGB) {
		if toInk[i] > limit {
			return
		}
		same := toInk[i] <= 4 || Difference(c, color) <= outlineLevels
		if same {
			like.Pix[i] = 1
		}
		if toInk[i] > inner {
			band++
			if same {
				escaped++
			}
		}
	})
	if band == 0 || float64(escaped) > outlineEnds*float64(band) {
		return
	}
	ink.Union(like.Flood(ink))
}

// colorAt is the median color of the pixels whose squared distance lies above from and up to to, and the share of them
// near it.
func (s *survey) colorAt(distance []int32, from, to int32) (median pipeline.RGB, agree float64) {
	var colors []pipeline.RGB
	s.each(func(i int, c pipeline.RGB) {
		if distance[i] > from && distance[i] <= to {
			colors = append(colors, c)
		}
	})
	return Median(colors, outlineLevels)
}

// fillEnclosed adds what ink encloses.
func (s *survey) fillEnclosed(ink *bitmap.Bitmap) {
	for _, part := range ink.Complement().Components() {
		if float64(max(part.Bounds.Dx(), part.Bounds.Dy())) <= enclosed*s.em && !touches(part.Bounds, s.window) {
			for _, i := range part.Pixels {
				ink.Pix[i] = 1
			}
		}
	}
}
