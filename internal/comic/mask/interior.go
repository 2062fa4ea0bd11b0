package mask

import (
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// strayReach is the greatest distance between large lettering and a stray piece of it, in pixels.
	strayReach = 24
	// nearlyInk is the position between the ground (0) and the ink (1) from which on a color belongs to the ink rather than to art beside it.
	nearlyInk = 0.65
	// The rim of art has art on one side: at least besideArt of its surroundings is. Its color is between those of the ground and of the art.
	// Glyphs that stand on art differ from it.
	besideArt = 0.3
	// outlineRim is the rim of a line, in units of its shorter side, that the outline of a small bubble or caption is often in. With 0.15, the
	// same outlines of drawn pages stay.
	outlineRim = 0.1
)

// mostInside is the least share of the ground in the lines which is connected if the lines are in one interior. The rest is in the counters
// of glyphs.
const mostInside = 0.6

// interior returns the connected part of the ground that the lines are in, with the ground between the glyphs. It returns all of the
// ground and false if the lines are in several parts.
func (g *ground) interior() (interior *bitmap.Bitmap, ok bool) {
	all := g.marks.Complement()
	// Slanted strokes one pixel wide have gaps at their corners.
	var fullest bitmap.Component
	most, beyond := 0, bitmap.New(g.window)
	for _, part := range g.marks.Dilate(1).Complement().Components() {
		if n := part.In(g.lines); n > most {
			most, fullest = n, part
		}
		if g.runsOn(part) {
			beyond.Put(part)
		}
	}
	interior = bitmap.New(g.window)
	interior.Put(fullest)
	// In the corners between marks, what is beyond reaches farther than its part.
	beyond = beyond.Without(interior).Dilate(rim)
	interior = interior.Dilate(1)
	if float64(interior.And(g.lines).Count()) < mostInside*float64(all.And(g.lines).Count()) || !g.isBeside(interior) {
		return all, false
	}
	interior.Union(g.lines.Without(beyond))
	return interior.And(all), true
}

// isBeside reports whether most of the interior beside the lines has the color of the ground. Where it is only nearly of that color, what
// is between the glyphs is their outline.
func (g *ground) isBeside(interior *bitmap.Bitmap) bool {
	beside := interior.And(g.near).Without(g.lines)
	return 2*g.within(groundLevels, beside) > beside.Count()
}

// runsOn reports whether a piece extends beyond the reach of the lines.
func (g *ground) runsOn(part bitmap.Component) bool {
	return !part.Bounds.In(g.reach)
}

// split divides the marks into ink and what is apart. Ink is what the interior surrounds in and beside the lines. Where a mark runs on, it
// is an outline or art that glyphs may touch: they are as narrow as strokes between two sides of the interior.
func (g *ground) split(interior *bitmap.Bitmap) {
	strays, runsOn := bitmap.New(g.window), bitmap.New(g.window)
	for _, part := range interior.Complement().Components() {
		switch {
		case g.runsOn(part):
			runsOn.Put(part)
		case 2*part.In(g.near) >= len(part.Pixels):
			g.ink.Put(part)
		case g.isStray(part) && g.standsOnGround(part):
			strays.Put(part)
		default:
			g.apart.Put(part)
		}
	}
	g.takeTouching(interior, runsOn)
	g.apart.Union(runsOn.Without(g.ink))
	// A speck beside an outline is part of the outline, or compression noise.
	beside := g.apart.Dilate(clearance)
	dots := strays.Keep(func(part bitmap.Component) bool { return part.In(beside) == 0 })
	g.ink.Union(dots)
	g.apart.Union(strays.Without(dots))
	g.ink = g.ink.And(g.marks)
}

// takeTouching adds the glyphs among pieces that run on to the ink: what has the color of the ink and does not run on itself, such as a
// glyph that touches art, or is as narrow as a stroke between two sides of the interior, such as a glyph that touches an outline of its
// color. Most of it is in the lines without their rim.
func (g *ground) takeTouching(interior, pieces *bitmap.Bitmap) {
	inkColor := g.inkColor()
	colored := g.where(func(i int) bool {
		t, off := raster.Blend(g.pixels[i], g.color, inkColor)
		return pieces.Pix[i] != 0 && t >= nearlyInk && off <= ColorLevels
	})
	beside := colored.And(g.near)
	found := beside.Without(beside.Flood(colored.Without(g.near).Dilate(1)))
	found.Union(g.between(interior).And(beside))
	art, inner := pieces.Without(found), bitmap.New(g.window)
	for _, q := range g.region.Lines {
		inner.Fill(q.Inset(outlineRim * min(q.Sides())))
	}
	taken := found.Keep(func(part bitmap.Component) bool {
		n := len(part.Pixels)
		return n >= leastDot && 2*part.In(inner) > n && !g.isOfArt(part, art)
	})
	g.ink.Union(taken.Dilate(rim).And(pieces))
}

// isOfArt reports whether a part could be the rim of art beside it, blended with the ground.
func (g *ground) isOfArt(part bitmap.Component, art *bitmap.Bitmap) bool {
	var own, beside []raster.RGB
	for _, i := range part.Pixels {
		own = append(own, g.pixels[i])
	}
	around := ringOf(art.Component(part).Over(part.Bounds.Inset(-ringTo).Intersect(g.window)), ringFrom, ringTo)
	for _, at := range around.All() {
		if k := art.Offset(at.X, at.Y); art.Pix[k] != 0 {
			beside = append(beside, g.pixels[k])
		}
	}
	if len(beside) == 0 || float64(len(beside)) < besideArt*float64(around.Count()) {
		return false
	}
	t, off := raster.Blend(meanNear(own[0], math.MaxUint8, own), g.color, meanNear(beside[0], math.MaxUint8, beside))
	return t <= 1 && off <= ColorLevels
}

// inkColor returns the mean color of the ink that differs most clearly from the ground, or the recognized color of the region.
func (g *ground) inkColor() raster.RGB {
	var clearest []raster.RGB
	for i := range g.ink.All() {
		if g.off(i) > 2*ColorLevels {
			clearest = append(clearest, g.pixels[i])
		}
	}
	return meanNear(g.region.FG, math.MaxUint8, clearest)
}

// between returns the interior with what is as narrow as a stroke between two sides of it.
func (g *ground) between(interior *bitmap.Bitmap) *bitmap.Bitmap {
	return interior.Dilate(thickest * g.em).Erode(thickest * g.em)
}

// isStray reports whether a piece beside the lines may be lettering that the detector missed: a dot of an ellipsis, a comma, ruby. It is
// small, near, and nearer to this region than to any other.
func (s *inspection) isStray(part bitmap.Component) bool {
	if float64(max(part.Bounds.Dx(), part.Bounds.Dy())) > min(1.2*s.em, 2*strayReach) {
		return false
	}
	middle := raster.Middle(part.Bounds)
	return distance(s.region, middle) <= min(0.7*s.em, strayReach) && s.isNearest(middle)
}

// standsOnGround reports whether at least half of what is around the bounds of a piece, beyond its rim, has the color of the ground. Pale art
// beyond a bubble differs from its ground by little, but a speck of it is no dot of the lettering.
func (g *ground) standsOnGround(part bitmap.Component) bool {
	inner := part.Bounds.Inset(-rim)
	outer := inner.Inset(-rim).Intersect(g.window)
	all, ground := 0, 0
	for at := range raster.Pixels(outer) {
		if at.In(inner) {
			continue
		}
		if all++; g.off(g.near.Offset(at.X, at.Y)) <= coarseLevels {
			ground++
		}
	}
	return 2*ground >= all
}

// isNearest reports whether no other region is nearer to a point than this one.
func (s *inspection) isNearest(p raster.Point) bool {
	own := distance(s.region, p)
	return !slices.ContainsFunc(s.others, func(o comic.Region) bool { return distance(o, p) < own })
}

// distance returns how far a point is from the bounding box of a region, in pixels.
func distance(r comic.Region, p raster.Point) float64 {
	x0, y0, x1, y1 := r.Bounds()
	return math.Hypot(max(x0-p[0], 0, p[0]-x1), max(y0-p[1], 0, p[1]-y1))
}
