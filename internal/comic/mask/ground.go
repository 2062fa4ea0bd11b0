package mask

import (
	"image"
	"math"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// groundLevels is the greatest difference of a ground pixel from the ground, in every channel. JPEG at quality 85 keeps flat areas
	// within 10 levels.
	groundLevels = 10
	// coarseLevels is the same for strongly compressed files.
	coarseLevels = 24
	// planeFits is how many times a plane is fitted to the pixels near the last one: it extends from the most frequent color.
	planeFits = 3
	// A pixel that does not have the color of the ground is a mark. In its rim, a difference of more than rimLevels is enough: that of half
	// of JPEG's ringing at quality 85.
	rimLevels = 14
	// What is farther than standFrom and up to standTo pixels from lettering are its surroundings: beyond the strongest ringing of JPEG.
	standFrom, standTo = 3, 8
	// The surroundings are a ground if nearlyAll of them is within a few levels of it, and at least leastGround of them is not apart. For
	// drawn lettering, and with the larger tolerance for strongly compressed files, the least share is mostGround, because art of one
	// color with lines in it is not a ground.
	leastGround, mostGround = 0.35, 0.8
	// evenSlope is the greatest difference, in levels, between the means of a flat ground on two sides of a region.
	evenSlope = 1.5
)

// ground is a background of one color, or of a color that changes evenly, and what stands on it.
type ground struct {
	*inspection
	color raster.RGB
	plane raster.Plane
	// marks are the pixels that differ from the ground: the ink of the region, and what is apart from it.
	marks, ink, apart *bitmap.Bitmap
}

// groundOf measures the ground of the pixels in zone that are near a color, or near the plane of those that are.
func (s *inspection) groundOf(color raster.RGB, zone *bitmap.Bitmap) *ground {
	g := &ground{inspection: s, color: color, ink: bitmap.New(s.window), apart: bitmap.New(s.window)}
	near := func(i int) bool { return raster.Difference(s.pixels[i], color) <= groundLevels }
	for range planeFits {
		var places []image.Point
		var colors []raster.RGB
		for i, at := range zone.All() {
			if near(i) {
				places, colors = append(places, at), append(colors, s.pixels[i])
			}
		}
		if len(colors) > 0 {
			g.color, _ = raster.Median(colors, groundLevels)
		}
		g.plane = raster.FitPlane(places, colors)
		near = func(i int) bool { return g.off(i) <= groundLevels }
	}
	g.mark()
	return g
}

// mark finds the marks.
func (g *ground) mark() {
	g.marks = g.where(func(i int) bool { return g.off(i) > ColorLevels })
	beside := g.marks.Dilate(rim)
	g.marks.Union(g.where(func(i int) bool { return beside.Pix[i] != 0 && g.off(i) > rimLevels }))
}

// off returns how far a pixel is from the ground, in levels.
func (g *ground) off(i int) float64 { return g.plane.Off(g.near.Point(i), g.pixels[i]) }

// commonGround is the ground under the assumption that most of what is in and beside the lines shows it.
func (s *inspection) commonGround() *ground {
	zone := bitmap.New(s.window)
	for _, q := range s.region.Lines {
		zone.Fill(q.Inset(-0.25 * s.em)) // around the outline of large lettering, too
	}
	var h raster.Histogram
	for i := range zone.All() {
		h.Add(s.pixels[i])
	}
	color, _ := h.Mode()
	return s.groundOf(color, zone)
}

// groundAround is the ground under the assumption that ink stands on it.
func (s *inspection) groundAround(ink *bitmap.Bitmap) *ground {
	ring := ringOf(ink, standFrom, standTo)
	var colors []raster.RGB
	for i := range ring.All() {
		colors = append(colors, s.pixels[i])
	}
	color, _ := raster.Median(colors, groundLevels)
	g := s.groundOf(color, ring)
	g.ink, g.apart = ink, g.marks.Without(ink.Dilate(rim+1))
	return g
}

// holds reports whether nearly all of the surroundings of the ink, without what is apart, is within levels of the ground. At least the
// share least of the surroundings must be free of what is apart.
func (g *ground) holds(least, levels float64) bool {
	ring := ringOf(g.ink, standFrom, standTo)
	free := ring.Without(g.apart.Dilate(clearance))
	all, some := float64(ring.Count()), float64(free.Count())
	return all > 0 && some >= least*all && float64(g.within(levels, free)) >= nearlyAll*some
}

// ringOf returns the pixels that are farther than from and up to a distance from a set.
func ringOf(set *bitmap.Bitmap, from, to float64) *bitmap.Bitmap {
	return set.Dilate(to).Without(set.Dilate(from))
}

// within returns how many pixels of a set are within levels of the ground.
func (g *ground) within(levels float64, set *bitmap.Bitmap) (n int) {
	for i := range set.All() {
		if g.off(i) <= levels {
			n++
		}
	}
	return n
}

// lettering returns the lettering on the ground.
func (g *ground) lettering() Region {
	class := Flat
	if g.plane.Slope(g.near.Bounds()) > evenSlope {
		class = Smooth
	}
	apart := g.apart.Dilate(clearance)
	return Region{Index: g.region.Index, Class: class, Ground: g.color, Apart: apart, Ink: g.ink, Hole: g.grow(class, apart)}
}

const (
	// minGrowth and maxGrowth limit the growth on a ground, in pixels. JPEG codes blocks of 8 by 8 pixels (16 by 16 for subsampled color),
	// and ringing reaches about as far.
	minGrowth, maxGrowth = 4, 10
	// clearance is the distance that growth keeps from what is apart, in pixels, so that its rim stays.
	clearance = 2.5
)

// grow grows the ink over the ground. The growth does not cross what is apart, with its clearance. Where the ground changes, it is known better than
// from around the hole, which grows only over what differs from it: ringing, and an outline nearly of its color.
func (g *ground) grow(class Class, apart *bitmap.Bitmap) *bitmap.Bitmap {
	hole := g.ink.Dilate(min(max(0.4*g.em, minGrowth), maxGrowth)).Without(apart)
	hole.Union(g.ink.Dilate(math.Sqrt2).Without(g.apart)) // the rim belongs to the glyph even beside an outline
	hole.Union(g.ink)
	hole = hole.Flood(g.ink)
	if class == Flat {
		return hole
	}
	keep := g.where(func(i int) bool { return g.off(i) > groundLevels }).Dilate(1)
	keep.Union(g.ink.Dilate(minGrowth))
	return hole.And(keep)
}

// An apparent ground is the paper of a texture (screentone, hatching) if at most a tenth of it is farther than texturePitch pixels from a
// mark, that is, if dots and strokes are up to 15 pixels apart. In a tight bubble a tenth is 9 pixels away, because no outline follows
// the ends of every line.
const texturePitch = 6

// isTexture reports whether the apparent ground is the paper between the dots and strokes of a texture, which continues behind the
// lettering. interior is the ground that the lines are in; enclosed says that it is one interior.
func (g *ground) isTexture(interior *bitmap.Bitmap, enclosed bool) bool {
	lines := g.lines.Bounds()
	marks := interior.Complement().Keep(func(part bitmap.Component) bool {
		return !enclosed || !lines.In(part.Bounds) // what is around the lines is an outline, with everything beyond it
	}).And(g.marks).Without(g.lines)
	var paper []int32
	for i, d := range marks.Distance() {
		if g.near.Pix[i]&interior.Pix[i]&^g.lines.Pix[i] != 0 {
			paper = append(paper, d)
		}
	}
	if len(paper) == 0 {
		return false
	}
	slices.Sort(paper)
	return root(paper[len(paper)*9/10]) <= texturePitch
}
