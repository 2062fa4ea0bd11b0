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

// mostInside is the least share of the ground in the lines that is connected if the lines are in one interior. The rest is in the counters
// of glyphs.
const mostInside = 0.6

// surroundings is what is around the interior that the lines are in. inside and beyond are as in sides, with the edges of the pieces beside
// them; inside is nil if the lines are not in one interior.
type surroundings struct {
	s              *inspection
	inside, beyond *bitmap.Bitmap
}

// surroundings finds the surroundings among pieces that differ from the ground.
func (s *inspection) surroundings(core *bitmap.Bitmap) surroundings {
	inside, beyond := s.sides(core)
	if float64(shared(inside, s.lines)) < mostInside*float64(shared(core.Complement(), s.lines)) {
		return surroundings{s: s}
	}
	return surroundings{s, inside.Dilate(1), beyond.Dilate(1)}
}

// includes reports whether a piece belongs to the surroundings: an outline separates it from the lines, like the dots of a screentone around
// a bubble, or it is such an outline itself, with the lines inside its bounds. Pieces that extend beyond the reach of the lines are left to
// sort.
func (a surroundings) includes(part bitmap.Component) bool {
	if a.inside == nil || !part.Bounds.In(a.s.reach) {
		return false
	}
	touchesInside, touchesBeyond, inLines := false, false, 0
	for _, i := range part.Pixels {
		touchesInside = touchesInside || a.inside.Pix[i] != 0
		touchesBeyond = touchesBeyond || a.beyond.Pix[i] != 0
		inLines += int(a.s.lines.Pix[i])
	}
	return 2*inLines < len(part.Pixels) && (!touchesInside || touchesBeyond && a.s.lines.Bounds().In(part.Bounds))
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
