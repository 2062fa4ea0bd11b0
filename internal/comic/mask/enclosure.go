package mask

import (
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// halfInk is how far on the way from the ground to the ink a stroke is at least: a thin one is blended to half.
	halfInk = 0.5
	// An outline runs on beside the lines for longInEm font sizes, and is up to broadInEm wide.
	longInEm, broadInEm = 0.5, 2 * thickest
)

// enclosure is the outline that runs around the lines among the crossing pieces, with what lies beyond it. Of glyphs that touch
// the outline only what lies within its width is taken for it. It is empty where no stroke parts the lines from anything: what
// is beside them then is art, and strokes may be glyphs on its edge.
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

// sides are the part of the window, up to the strokes, that most of the lines are in, and the parts that run on beyond the
// lines; what is in neither is enclosed by strokes, as the counters of glyphs are.
func (s *inspection) sides(strokes *bitmap.Bitmap) (inside, beyond *bitmap.Bitmap) {
	// Slanted strokes of one pixel are open at their corners.
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

// enclosingWidth is the usual width in pixels, from the squared distances of both sides, of a piece where it runs on beside the
// lines; 0 where it does not, or is too broad for an outline.
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
		return width + 1 // its rim
	}
	return 0
}
