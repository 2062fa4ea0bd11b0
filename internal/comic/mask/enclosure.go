package mask

import (
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// halfInk is the least position of a stroke between the ground (0) and the ink (1): a thin stroke is blended to half.
	halfInk = 0.5
	// An outline has a length of at least longInEm beside the lines, and a width of at most broadInEm, both in em.
	longInEm, broadInEm = 0.5, 2 * thickest
)

// enclosure returns the outline that runs around the lines, as far as it is part of the crossing pieces, with everything beyond it. Where
// glyphs touch the outline, only the pixels within the width of the outline belong to it. The result is empty if no stroke separates the
// lines from anything: then there is art beside the lines, and strokes at its edge may be glyphs.
func (s *inspection) enclosure(crossing *bitmap.Bitmap, color raster.RGB) *bitmap.Bitmap {
	strokes := bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		if t, off := blend(c, s.ground, color); crossing.Pix[i] != 0 && t >= halfInk && off <= coreLevels {
			strokes.Pix[i] = 1
		}
	})
	enclosing := bitmap.New(s.window)
	inside, beyond := s.sides(strokes)
	if beyond.Count() == 0 {
		return enclosing
	}
	toInside, toBeyond := inside.Distance(), beyond.Distance()
	for _, part := range strokes.Components() {
		width := s.enclosingWidth(part, toInside, toBeyond)
		for _, i := range part.Pixels {
			if root(toBeyond[i]) <= width {
				enclosing.Pix[i] = 1
			}
		}
	}
	if enclosing.Count() > 0 {
		enclosing.Union(beyond)
	}
	return enclosing
}

// sides divides the window, without the strokes, into the connected part that has most of the lines, and the parts that extend beyond the
// lines. Parts that strokes enclose, such as the counters of glyphs, belong to neither.
func (s *inspection) sides(strokes *bitmap.Bitmap) (inside, beyond *bitmap.Bitmap) {
	// Slanted strokes one pixel wide have gaps at their corners.
	parts := strokes.Dilate(1).Complement().Components()
	most, at := 0, -1
	for k, part := range parts {
		inLines := 0
		for _, i := range part.Pixels {
			inLines += int(s.lines.Pix[i])
		}
		if inLines > most {
			most, at = inLines, k
		}
	}
	inside, beyond = bitmap.New(s.window), bitmap.New(s.window)
	for k, part := range parts {
		switch {
		case k == at:
			put(part, inside)
		case touches(part.Bounds, s.window) || !part.Bounds.In(s.reach):
			put(part, beyond)
		}
	}
	return inside.Dilate(1), beyond.Dilate(1)
}

// enclosingWidth returns the median width in pixels of a piece where it continues beside the lines. It returns 0 if the piece does not
// continue there or is too broad for an outline. toInside and toBeyond are squared distances to the two sides.
func (s *inspection) enclosingWidth(part bitmap.Component, toInside, toBeyond []int32) float64 {
	var across []int32
	for _, i := range part.Pixels {
		if s.near.Pix[i] == 0 && toInside[i] <= 2 {
			across = append(across, toBeyond[i])
		}
	}
	if float64(len(across)) < longInEm*s.em {
		return 0
	}
	slices.Sort(across)
	if width := root(across[len(across)/2]); width <= broadInEm*s.em {
		return width + 1 // with its rim
	}
	return 0
}
