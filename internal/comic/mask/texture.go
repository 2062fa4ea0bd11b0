package mask

import (
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// What seems to be a ground is the paper of a texture (screentone, hatching) where hardly any of it, a tenth, is farther than
	// texturePitch pixels from a mark: dots and strokes that are up to 15 pixels apart. It is looked at besideTexture pixels around
	// the lines at least. In a tight bubble a tenth is 9 pixels away, because no outline follows the ends of every line.
	texturePitch, besideTexture = 6, 8
	// More than mostStrokes strokes beside the lines are speed lines: the outline of a bubble, with the art that touches the lines, is
	// a few. They are counted strokesAt pixels away, over strokesOver pixels, beyond what sticks out of the lines.
	mostStrokes            = 32
	strokesAt, strokesOver = 4, 2
	// A piece that is seen leastTone times beyond the lines is of a screentone.
	leastTone = 12
)

func (s *inspection) findMarks() {
	s.marks = bitmap.New(s.window)
	for i, c := range s.pixels {
		if s.lines.Pix[i] == 0 && raster.Difference(c, s.ground) > coreLevels {
			s.marks.Pix[i] = 1
		}
	}
}

// isTexture reports whether what seems to be the ground is the paper between the dots and strokes of a texture, which goes on
// behind the lettering.
func (s *inspection) isTexture() bool {
	zone := s.lines.Dilate(max(0.25*s.em, besideTexture))
	var paper []int32
	for i, d := range s.marks.Distance() {
		if zone.Pix[i] != 0 && s.lines.Pix[i] == 0 && s.marks.Pix[i] == 0 {
			paper = append(paper, d)
		}
	}
	if len(paper) == 0 {
		return false
	}
	slices.Sort(paper)
	return root(paper[len(paper)*9/10]) <= texturePitch
}

// isCrossed reports whether strokes run by the lines on all sides, as speed lines do.
func (s *inspection) isCrossed() bool {
	passing := s.lines.Dilate(strokesAt + strokesOver)
	for i, inside := range s.lines.Dilate(strokesAt).Pix {
		passing.Pix[i] &= s.marks.Pix[i] &^ inside
	}
	return len(passing.Components()) > mostStrokes
}

// isTone reports whether piece i is of a screentone, which goes on beyond the lines.
func (s *inspection) isTone(c *candidate, i int) bool {
	if !s.textured {
		return false
	}
	seen := 0
	for _, g := range c.glyphs {
		if g.inNear == 0 && !g.cut && g.repeats(c.glyphs[i]) {
			seen++
		}
		if seen == leastTone {
			return true
		}
	}
	return false
}

// Two glyphs are the same, drawn again, when neither their areas nor the sides of their boxes nor the widths of their strokes differ by more
// than these factors.
const sameArea, sameSide, sameHalf = 2.0, 1.5, 1.5

func (g glyph) repeats(o glyph) bool {
	a, b := g.part.Bounds, o.part.Bounds
	return alikeWithin(float64(len(g.part.Pixels)), float64(len(o.part.Pixels)), sameArea) && alikeWithin(g.half, o.half, sameHalf) &&
		alikeWithin(float64(a.Dx()), float64(b.Dx()), sameSide) && alikeWithin(float64(a.Dy()), float64(b.Dy()), sameSide)
}

func alikeWithin(a, b, factor float64) bool { return a <= factor*b && b <= factor*a }
