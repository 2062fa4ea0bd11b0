package mask

import (
	"image"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// flatAgree: beside the lines of a bubble at least this share is ground; the rest may be the bubble's outline.
	flatAgree = 0.35
	// A pixel differs surely from a flat ground at coreLevels, and as the rim of such a pixel at rimLevels. The two
	// are those by which lettering differs visibly from its page (half and all of JPEG's ringing at quality 85).
	coreLevels, rimLevels = 40, 14
	rimReach              = 2.0
	// evenSlope is the most, in levels, that the mean of a flat ground differs between two sides of a region.
	evenSlope = 1.5
	// strayReach bounds, in pixels, how far from large lettering a stray piece of it may lie.
	strayReach = 24
	// strayInk is the least share of a stray piece that comes near to the color of the ink: lettering does in half of it, its rim
	// being the rest. A speck is up to speckInEm font sizes wide.
	strayInk, speckInEm = 0.15, 0.2
)

// find tells the ink of a region from its ground and grows it into a hole.
func find(s *inspection) Region {
	out := Region{Index: s.region.Index, Ground: s.ground, Ink: bitmap.New(s.window), Hole: bitmap.New(s.window)}
	if s.window.Empty() {
		return out
	}
	if s.hasGround() {
		ink, others := s.inkOnFlat()
		if s.isLettering(ink, others) &&
			(s.standsOnGround(ink, others, leastGround, groundLevels) || s.standsOnGround(ink, others, mostGround, ringingNear)) {
			s.fillIn(&out, ink, others)
			return out
		}
	}
	ink, outlined := s.inkOnArt()
	others := s.takeGround(ink)
	if s.standsOnGround(ink, others, mostGround, groundLevels) && s.groundGoesOn(ink) {
		if outlined == nil {
			s.takeDotsApart(ink, others)
		}
		s.fillIn(&out, ink, others)
		return out
	}
	if s.textured {
		out.Class = Texture
	}
	out.Ink = ink
	out.Hole = s.growOnArt(ink)
	return out
}

// hasGround reports whether the lines seem to stand on a ground. Beside a drawn sound, art that stands apart on the ground is no
// part of it, and so are the marks of a texture: the style of the lettering decides then, not the ground.
func (s *inspection) hasGround() bool {
	return s.agree >= flatAgree && s.region.Kind != comic.KindEffect && !s.textured && s.groundRunsIn() && !s.isCrossed()
}

// fillIn makes a region of ink on a flat ground.
func (s *inspection) fillIn(out *Region, ink, others *bitmap.Bitmap) {
	out.Class, out.Ground, out.Ink, out.Apart = Flat, s.ground, ink, others.Dilate(clearance)
	if s.slope > evenSlope {
		out.Class = Smooth
	}
	out.Hole = s.growOnFlat(ink, others)
}

// inkOnFlat parts what differs from the ground into the glyphs of the region and everything else.
func (s *inspection) inkOnFlat() (ink, others *bitmap.Bitmap) {
	core, rim := bitmap.New(s.window), bitmap.New(s.window)
	s.each(func(i int, c raster.RGB) {
		switch d := raster.Difference(c, s.ground); {
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
	crossing, strays := bitmap.New(s.window), bitmap.New(s.window)
	for _, part := range core.Components() {
		put(part, s.sort(part, ink, others, crossing, strays))
	}
	s.untangle(crossing, ink, others)
	// A speck beside an outline is a part of it, or the noise of its file; what is of another color than the ink shows through from
	// behind the bubble.
	beside, color := others.Dilate(clearance), s.inkColor(ink)
	for _, part := range strays.Components() {
		if slices.ContainsFunc(part.Pixels, func(i int32) bool { return beside.Pix[i] != 0 }) || !s.showsInk(part, color) {
			put(part, others)
		} else {
			put(part, ink)
		}
	}
	return ink, others
}

// isLettering reports whether ink, and not others, is the lettering. Outlined glyphs and the thin lines of art that run into
// them are one piece, and may all be among others: where they are most of what differs from the ground in the lines, the
// style of the lettering tells.
func (s *inspection) isLettering(ink, others *bitmap.Bitmap) bool {
	if shared(others, s.lines) <= shared(ink, s.lines) {
		return true
	}
	style, _ := s.inkOnArt()
	return 2*shared(others, style) <= style.Count()
}

// shared is how many pixels are in both of two sets of one window.
func shared(a, b *bitmap.Bitmap) int {
	n := 0
	for i, p := range a.Pix {
		n += int(p & b.Pix[i])
	}
	return n
}

// showsInk reports whether a piece has the color of the ink: in strayInk of it, or, where it is a speck, somewhere as far as that
// can be told from the ground.
func (s *inspection) showsInk(part bitmap.Component, color raster.RGB) bool {
	nearer, deep := 0, 0
	for _, i := range part.Pixels {
		if t, off := blend(s.pixels[i], s.ground, color); off <= coreLevels {
			if t >= 0.5 {
				nearer++
			}
			if t >= 0.75 {
				deep++
			}
		}
	}
	n := float64(len(part.Pixels))
	return n <= speckInEm*speckInEm*s.em*s.em && nearer > 0 || float64(deep) >= strayInk*n
}

func put(part bitmap.Component, to *bitmap.Bitmap) {
	for _, i := range part.Pixels {
		to.Pix[i] = 1
	}
}

// sort tells where a piece belongs: to the ink, to others, or to the crossing: pieces that run on beyond the lines (an
// outline, art) but pass through them, where a glyph may touch them. Strays are beside the lines, and ink if they stand alone.
func (s *inspection) sort(part bitmap.Component, ink, others, crossing, strays *bitmap.Bitmap) *bitmap.Bitmap {
	inLines, inNear := 0, 0
	for _, i := range part.Pixels {
		inLines += int(s.lines.Pix[i])
		inNear += int(s.near.Pix[i])
	}
	n := len(part.Pixels)
	cut := touches(part.Bounds, s.window)
	switch runsOn := cut || !part.Bounds.In(s.reach); {
	case runsOn && inNear > n*9/10 && !cut:
		return ink
	case runsOn && inLines > 0:
		return crossing
	case runsOn:
		return others
	case inNear*2 >= n:
		return ink
	case s.isStray(part):
		return strays
	default:
		return others
	}
}

// cuts reports whether the window may cut a piece off; the edge of the page does not.
func (s *inspection) cuts(r image.Rectangle) bool {
	w, page := s.window, s.img.Rect
	return r.Min.X <= w.Min.X && w.Min.X > page.Min.X || r.Min.Y <= w.Min.Y && w.Min.Y > page.Min.Y ||
		r.Max.X >= w.Max.X && w.Max.X < page.Max.X || r.Max.Y >= w.Max.Y && w.Max.Y < page.Max.Y
}

func touches(r, window image.Rectangle) bool {
	return r.Min.X <= window.Min.X || r.Min.Y <= window.Min.Y || r.Max.X >= window.Max.X || r.Max.Y >= window.Max.Y
}

// isStray reports whether a piece beside the lines is lettering that the detector cut off: a dot of an ellipsis, a
// comma, ruby. It is small, near, and nearer to this region than to any other.
func (s *inspection) isStray(part bitmap.Component) bool {
	if float64(max(part.Bounds.Dx(), part.Bounds.Dy())) > min(1.2*s.em, 2*strayReach) {
		return false
	}
	x, y := center(part.Bounds)
	own := gap(s.region.Bounds())(x, y)
	if own > min(0.7*s.em, strayReach) {
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
