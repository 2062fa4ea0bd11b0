package mask

import (
	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

const (
	// How many times more frequent in the lines than around them a color is when it is surely, or possibly, ink.
	surelyInk, possiblyInk = 6.0, 2.5
	// inkLevels: a pixel within so many levels of the reader's color may be ink.
	inkLevels = 36
	// Lettering covers from a twentieth to three quarters of its lines.
	leastInk, mostInk = 0.05, 0.75
	// thickest is half the width of the boldest stroke with its outline, in em.
	thickest = 0.2
)

// inkOnArt finds lettering that stands on no ground of its own: first by the color that the reader saw, and where that
// gives no lettering, by the colors that are frequent inside the lines and rare around them. Its outline and what it
// encloses belong to it.
func (s *survey) inkOnArt() *bitmap.Bitmap {
	ink := s.strokes(s.colored(s.region.FG))
	if share := float64(ink.Count()) / max(1, float64(s.lines.Count())); share < leastInk || share > mostInk {
		ink = s.strokes(s.frequent())
	}
	s.addOutline(ink)
	s.fillEnclosed(ink)
	return ink
}

// colored are the pixels near the lines of about that color.
func (s *survey) colored(color pipeline.RGB) *bitmap.Bitmap {
	out := bitmap.New(s.window)
	s.each(func(i int, c pipeline.RGB) {
		if s.near.Pix[i] != 0 && Difference(c, color) <= inkLevels {
			out.Pix[i] = 1
		}
	})
	return out
}

// frequent are the pieces of possible ink near the lines of which a fifth is surely ink.
func (s *survey) frequent() *bitmap.Bitmap {
	likelihood := s.inkLikelihood()
	sure, possible := bitmap.New(s.window), bitmap.New(s.window)
	s.each(func(i int, c pipeline.RGB) {
		if ratio := likelihood[bin(c)]; s.near.Pix[i] != 0 && ratio >= possiblyInk {
			possible.Pix[i] = 1
			if ratio >= surelyInk {
				sure.Pix[i] = 1
			}
		}
	})
	for _, part := range possible.Components() {
		certain := 0
		for _, i := range part.Pixels {
			certain += int(sure.Pix[i])
		}
		if certain*5 < len(part.Pixels) {
			for _, i := range part.Pixels {
				possible.Pix[i] = 0
			}
		}
	}
	return possible
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

// strokes keeps what may be parts of glyphs: no specks, no patches thicker than any stroke, no pieces that lie mostly
// outside the lines or run on to the edge of the window.
func (s *survey) strokes(possible *bitmap.Bitmap) *bitmap.Bitmap {
	for i, thick := range possible.Erode(thickest * s.em).Dilate(thickest*s.em + 1).Pix {
		possible.Pix[i] &^= thick
	}
	ink := bitmap.New(s.window)
	least := int(max(4, s.em*s.em/200))
	for _, part := range possible.Components() {
		inLines := 0
		for _, i := range part.Pixels {
			inLines += int(s.lines.Pix[i])
		}
		if len(part.Pixels) < least || inLines*2 < len(part.Pixels) || touches(part.Bounds, s.window) {
			continue
		}
		for _, i := range part.Pixels {
			ink.Pix[i] = 1
		}
	}
	return ink
}
