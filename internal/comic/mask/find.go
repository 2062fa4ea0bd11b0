package mask

import (
	"image"
	"math"

	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

const (
	// flatAgree: beside the lines of a bubble at least this share is ground; the rest may be the bubble's outline.
	flatAgree = 0.6
	// A pixel differs surely from a flat ground at coreLevels, and as the rim of such a pixel at rimLevels. The two
	// are those by which lettering differs visibly from its page (half and all of JPEG's ringing at quality 85).
	coreLevels, rimLevels = 40, 14
	rimReach              = 2.0
)

// find tells the ink of a region from its ground and grows it into a hole.
func find(s *survey) Region {
	out := Region{Index: s.region.Index, Ground: s.ground, Ink: bitmap.New(s.window), Hole: bitmap.New(s.window)}
	if s.window.Empty() {
		return out
	}
	if s.agree >= flatAgree {
		ink, others := s.inkOnFlat()
		hole, agree := s.growOnFlat(ink, others)
		if agree >= flatAgree {
			out.Class, out.Ink, out.Hole = Flat, ink, hole
			return out
		}
	}
	out.Ink = s.inkOnArt()
	out.Hole = out.Ink.Dilate(artGrowth)
	return out
}

// inkOnFlat parts what differs from the ground into the glyphs of the region and everything else.
func (s *survey) inkOnFlat() (ink, others *bitmap.Bitmap) {
	core, rim := bitmap.New(s.window), bitmap.New(s.window)
	s.each(func(i int, c pipeline.RGB) {
		switch d := Difference(c, s.ground); {
		case d > coreLevels:
			core.Pix[i] = 1
		case d > rimLevels:
			rim.Pix[i] = 1
		}
	})
	for i, p := range core.Dilate(rimReach).Pix {
		core.Pix[i] |= p & rim.Pix[i]
	}
	ink, others = bitmap.New(s.window), bitmap.New(s.window)
	for _, part := range core.Components() {
		s.sort(part, ink, others)
	}
	return ink, others
}

// sort gives a piece to the ink when it belongs to the lines. A piece that runs on beyond them is an outline or art;
// where it crosses a line, a glyph touches it, and only the part inside the line is taken.
func (s *survey) sort(part bitmap.Component, ink, others *bitmap.Bitmap) {
	inLines, inNear := 0, 0
	for _, i := range part.Pixels {
		inLines += int(s.lines.Pix[i])
		inNear += int(s.near.Pix[i])
	}
	n := len(part.Pixels)
	runsOn := !part.Bounds.In(s.near.Bounds().Inset(-int(s.em/2))) || touches(part.Bounds, s.window)
	to := others
	switch {
	case runsOn && inNear > n*9/10 && !touches(part.Bounds, s.window):
		to = ink
	case runsOn && inLines > 0:
		for _, i := range part.Pixels {
			if s.lines.Pix[i] != 0 {
				ink.Pix[i] = 1
			} else {
				others.Pix[i] = 1
			}
		}
		return
	case runsOn:
	case inNear*2 >= n, s.isStray(part):
		to = ink
	}
	for _, i := range part.Pixels {
		to.Pix[i] = 1
	}
}

func touches(r, window image.Rectangle) bool {
	return r.Min.X <= window.Min.X || r.Min.Y <= window.Min.Y || r.Max.X >= window.Max.X || r.Max.Y >= window.Max.Y
}

// isStray reports whether a piece beside the lines is lettering that the detector cut off: a dot of an ellipsis, a
// comma, ruby. It is small, near, and nearer to this region than to any other.
func (s *survey) isStray(part bitmap.Component) bool {
	if float64(max(part.Bounds.Dx(), part.Bounds.Dy())) > 1.2*s.em {
		return false
	}
	x, y := center(part.Bounds)
	own := gap(s.region.Bounds())(x, y)
	if own > 0.7*s.em {
		return false
	}
	for _, o := range s.others {
		if gap(o.Bounds())(x, y) < own {
			return false
		}
	}
	return true
}

func center(r image.Rectangle) (x, y float64) {
	return float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2
}

// gap is the distance of a point from a rectangle.
func gap(x0, y0, x1, y1 float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		return math.Hypot(max(x0-x, 0, x-x1), max(y0-y, 0, y-y1))
	}
}
