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
	// flatAgree is the least share of the pixels beside the lines of a bubble that is ground; the rest may be the outline of the bubble.
	flatAgree = 0.35
	// A pixel that differs from a flat ground by more than coreLevels is not ground; beside such a pixel, rimLevels is enough. Lettering
	// differs visibly from its page by these values (half and all of JPEG's ringing at quality 85).
	coreLevels, rimLevels = 40, 14
	// rimReach is how far from a pixel above coreLevels a pixel above rimLevels belongs to it, in pixels.
	rimReach = 2.0
	// evenSlope is the greatest difference, in levels, between the means of a flat ground on two sides of a region.
	evenSlope = 1.5
	// strayReach is the greatest distance between large lettering and a stray piece of it, in pixels.
	strayReach = 24
)

// find separates the ink of a region from its ground and grows it into a hole.
func find(s *inspection) Region {
	out := Region{Index: s.region.Index, Ground: s.ground, Ink: bitmap.New(s.window), Hole: bitmap.New(s.window)}
	if s.window.Empty() {
		return out
	}
	if s.hasGround() {
		ink, others := s.inkOnFlat()
		isLettering := s.isLettering(ink, others)
		even := isLettering && s.standsOnGround(ink, others, leastGround, groundLevels)
		if even || isLettering && s.standsOnGround(ink, others, mostGround, ringingNear) {
			s.fillIn(&out, ink, others, even)
			return out
		}
	}
	ink := s.inkOnArt()
	others := s.takeGround(ink)
	if s.standsOnGround(ink, others, mostGround, groundLevels) {
		s.fillIn(&out, ink, others, true)
		return out
	}
	if s.textured {
		out.Class = Texture
	}
	out.Ink = ink
	out.Hole = ink.Dilate(artGrowth)
	out.Rest = !s.textured && s.hasRest(out.Hole)
	if out.Rest {
		s.takeRest(&out)
	}
	return out
}

// hasGround reports whether the lines seem to be on a ground. For sound effects and textures it is false: separate pieces of art on the
// ground, and the marks of a texture, are not lettering, so the style of the lettering has to decide.
func (s *inspection) hasGround() bool {
	return s.agree >= flatAgree && s.region.Kind != comic.KindEffect && !s.textured && s.groundRunsIn()
}

// fillIn sets the fields of a region whose ink is on a flat or smooth ground. even says that its surroundings are within groundLevels of a
// plane; otherwise, an outline that hardly differs from the ground may be among them.
func (s *inspection) fillIn(out *Region, ink, others *bitmap.Bitmap, even bool) {
	out.Class, out.Ground, out.Ink, out.Apart = Flat, s.ground, ink, others.Dilate(clearance)
	if s.slope > evenSlope {
		out.Class = Smooth
	}
	out.Hole = s.growOnFlat(ink, others)
	if even && out.Class == Smooth {
		s.keepGround(out.Hole, ink)
	}
}

// inkOnFlat separates the pixels that differ from the ground into the glyphs of the region and everything else.
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
	around := s.surroundings(core)
	for _, part := range core.Components() {
		if around.includes(part) {
			put(part, others)
		} else {
			put(part, s.sort(part, ink, others, crossing, strays))
		}
	}
	s.untangle(crossing, ink, others)
	// A speck beside an outline is part of the outline, or compression noise.
	beside := others.Dilate(clearance)
	for _, part := range strays.Components() {
		if slices.ContainsFunc(part.Pixels, func(i int32) bool { return beside.Pix[i] != 0 }) {
			put(part, others)
		} else {
			put(part, ink)
		}
	}
	return ink, others
}

// isLettering reports whether ink, rather than others, is the lettering. Outlined glyphs and the thin lines of art that touch them are one
// component, which may be in others. If others has most of the pixels in the lines that differ from the ground, the style of the lettering
// decides.
func (s *inspection) isLettering(ink, others *bitmap.Bitmap) bool {
	if shared(others, s.lines) <= shared(ink, s.lines) {
		return true
	}
	style := s.inkOnArt()
	return 2*shared(others, style) <= style.Count()
}

// shared returns the number of pixels that are in both of two bitmaps of the same window.
func shared(a, b *bitmap.Bitmap) int {
	n := 0
	for i, p := range a.Pix {
		n += int(p & b.Pix[i])
	}
	return n
}

func put(part bitmap.Component, to *bitmap.Bitmap) {
	for _, i := range part.Pixels {
		to.Pix[i] = 1
	}
}

// sort returns the set that a piece belongs to. ink and others are final. crossing is for pieces that extend beyond the lines (an outline,
// art) but pass through them, where a glyph may touch them. strays is for pieces beside the lines, which are ink if nothing else is near.
func (s *inspection) sort(part bitmap.Component, ink, others, crossing, strays *bitmap.Bitmap) *bitmap.Bitmap {
	inLines, inNear := 0, 0
	for _, i := range part.Pixels {
		inLines += int(s.lines.Pix[i])
		inNear += int(s.near.Pix[i])
	}
	switch runsOn := touches(part.Bounds, s.window) || !part.Bounds.In(s.reach); {
	case runsOn && inLines > 0:
		return crossing
	case runsOn:
		return others
	case inNear*2 >= len(part.Pixels):
		return ink
	case s.isStray(part):
		return strays
	default:
		return others
	}
}

// cuts reports whether the edge of the window, other than the edge of the page, may cut a piece with bounds r.
func (s *inspection) cuts(r image.Rectangle) bool {
	w, page := s.window, s.img.Rect
	return r.Min.X <= w.Min.X && w.Min.X > page.Min.X || r.Min.Y <= w.Min.Y && w.Min.Y > page.Min.Y ||
		r.Max.X >= w.Max.X && w.Max.X < page.Max.X || r.Max.Y >= w.Max.Y && w.Max.Y < page.Max.Y
}

func touches(r, window image.Rectangle) bool {
	return r.Min.X <= window.Min.X || r.Min.Y <= window.Min.Y || r.Max.X >= window.Max.X || r.Max.Y >= window.Max.Y
}

// isStray reports whether a piece beside the lines may be lettering that the detector missed: a dot of an ellipsis, a comma, ruby. It is
// small, near, on the ground, and nearer to this region than to any other.
func (s *inspection) isStray(part bitmap.Component) bool {
	if float64(max(part.Bounds.Dx(), part.Bounds.Dy())) > min(1.2*s.em, 2*strayReach) {
		return false
	}
	x, y := center(part.Bounds)
	return gap(s.region.Bounds())(x, y) <= min(0.7*s.em, strayReach) && s.isNearest(x, y) && s.isOnGround(part)
}

// isOnGround reports whether at least half of what is around the bounds of a piece, beyond its rim, is ground with its ringing.
func (s *inspection) isOnGround(part bitmap.Component) bool {
	inner, all, ground := part.Bounds.Inset(-rim), 0, 0
	for y := inner.Min.Y - rim; y < inner.Max.Y+rim; y++ {
		for x := inner.Min.X - rim; x < inner.Max.X+rim; x++ {
			at := image.Pt(x, y)
			if at.In(inner) || !at.In(s.window) {
				continue
			}
			all++
			if raster.Difference(s.pixels[s.near.Offset(x, y)], s.ground) <= ringingNear {
				ground++
			}
		}
	}
	return 2*ground >= all
}

// isNearest reports whether no other region is nearer to a point than this one.
func (s *inspection) isNearest(x, y float64) bool {
	own := gap(s.region.Bounds())(x, y)
	return !slices.ContainsFunc(s.others, func(o comic.Region) bool { return gap(o.Bounds())(x, y) < own })
}

func center(r image.Rectangle) (x, y float64) {
	return float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2
}

// gap returns a function that measures the distance of a point from the rectangle.
func gap(x0, y0, x1, y1 float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		return math.Hypot(max(x0-x, 0, x-x1), max(y0-y, 0, y-y1))
	}
}
