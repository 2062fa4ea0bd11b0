package mask

import (
	"math"

	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

// How many times more frequent in the lines than around them a color is when it is surely, or possibly, ink.
const surelyInk, possiblyInk = 6.0, 2.5

// thickest is half the width of the boldest stroke with its outline, in em.
const thickest = 0.2

// inkOnArt takes the colors that are frequent inside the lines and rare around them, and of the pieces of such colors
// those that keep to the lines.
func (s *survey) inkOnArt() *bitmap.Bitmap {
	likelihood := s.inkLikelihood()
	sure, possible := bitmap.New(s.window), bitmap.New(s.window)
	s.each(func(i int, c pipeline.RGB) {
		if s.near.Pix[i] == 0 {
			return
		}
		switch ratio := likelihood[bin(c)]; {
		case ratio >= surelyInk:
			sure.Pix[i], possible.Pix[i] = 1, 1
		case ratio >= possiblyInk:
			possible.Pix[i] = 1
		}
	})
	// What is thicker than any stroke is a patch of art that shares the ink's color.
	for i, thick := range possible.Erode(thickest * s.em).Dilate(thickest*s.em + 1).Pix {
		possible.Pix[i] &^= thick
	}
	ink := bitmap.New(s.window)
	for _, part := range possible.Components() {
		if s.keepsToLines(part, sure) {
			for _, i := range part.Pixels {
				ink.Pix[i] = 1
			}
		}
	}
	return ink
}

// inkLikelihood is, for each bin of colors, its share inside the lines over its share around them.
func (s *survey) inkLikelihood() *[16 * 16 * 16]float64 {
	var inside, around histogram
	s.each(func(i int, c pipeline.RGB) {
		switch {
		case s.lines.Pix[i] != 0:
			inside.add(c, 1)
		case s.near.Pix[i] == 0:
			around.add(c, 1)
		}
	})
	in, out := inside.shares(), around.shares()
	floor := 1 / max(inside.total, 100) * 4
	for i := range in {
		in[i] /= out[i] + floor
	}
	return in
}

// keepsToLines drops specks, pieces without a sure pixel, and pieces mostly outside the lines.
func (s *survey) keepsToLines(part bitmap.Component, sure *bitmap.Bitmap) bool {
	inLines, certain := 0, 0
	for _, i := range part.Pixels {
		inLines += int(s.lines.Pix[i])
		certain += int(sure.Pix[i])
	}
	n := len(part.Pixels)
	return n >= int(math.Max(4, s.em*s.em/200)) && certain*5 >= n && inLines*2 >= n
}
