package mask

import (
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// An apparent ground is the paper of a texture (screentone, hatching) if at most a tenth of it is farther than texturePitch pixels
	// from a mark, that is, if dots and strokes are up to 15 pixels apart. At least besideTexture pixels around the lines are examined. In
	// a tight bubble a tenth is 9 pixels away, because no outline follows the ends of every line.
	texturePitch, besideTexture = 6, 8
	// A piece that is repeated leastTone times outside the lines belongs to a screentone.
	leastTone = 12
)

// findMarks finds the marks outside the lines that differ from the ground, without the surroundings of the interior that the lines are in.
func (s *inspection) findMarks() {
	s.marks = bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		if raster.Difference(c, s.ground) > coreLevels {
			s.marks.Pix[i] = 1
		}
	})
	around := s.surroundings(s.marks)
	s.interior = around.inside
	for _, part := range s.marks.Components() {
		apart := around.includes(part)
		for _, i := range part.Pixels {
			if apart || s.lines.Pix[i] != 0 {
				s.marks.Pix[i] = 0
			}
		}
	}
}

// isTexture reports whether the apparent ground is the paper between the dots and strokes of a texture, which continues behind the
// lettering.
func (s *inspection) isTexture() bool {
	zone := s.lines.Dilate(max(0.25*s.em, besideTexture))
	var paper []int32
	for i, d := range s.marks.Distance() {
		if zone.Pix[i] != 0 && s.lines.Pix[i] == 0 && s.marks.Pix[i] == 0 && (s.interior == nil || s.interior.Pix[i] != 0) {
			paper = append(paper, d)
		}
	}
	if len(paper) == 0 {
		return false
	}
	slices.Sort(paper)
	return root(paper[len(paper)*9/10]) <= texturePitch
}

// isTone reports whether glyph i belongs to a screentone, which continues outside the lines.
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

// Two glyphs are repetitions of each other if their areas, the sides of their bounding boxes and the widths of their strokes differ by at
// most these factors.
const sameArea, sameSide, sameHalf = 2.0, 1.5, 1.5

func (g glyph) repeats(o glyph) bool {
	a, b := g.part.Bounds, o.part.Bounds
	return alikeWithin(float64(len(g.part.Pixels)), float64(len(o.part.Pixels)), sameArea) && alikeWithin(g.half, o.half, sameHalf) &&
		alikeWithin(float64(a.Dx()), float64(b.Dx()), sameSide) && alikeWithin(float64(a.Dy()), float64(b.Dy()), sameSide)
}

func alikeWithin(a, b, factor float64) bool { return a <= factor*b && b <= factor*a }
