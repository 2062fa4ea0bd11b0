package main

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// The constants of the truth of erasing. Lengths are in pixels, levels are of [raster.Difference], and shares are 0..1.
const (
	// A pixel is of a glyph if lettering changes it by more than glyphLevels, or by more than edgeLevels within edgeReach of such a pixel.
	glyphLevels, edgeLevels, edgeReach = 48, 16, 2
	// A group of fewer than leastGlyph such pixels is noise of compression.
	leastGlyph = 4
	// A glyph pixel belongs to the nearest block, at most ownReach away. A block with fewer than leastBlock pixels is not scored.
	ownReach, leastBlock = 12, 20
	// The class of a block comes from the pixels within classReach of its glyphs: the share of those within classLevels of their median.
	classReach, classLevels   = 8, 10
	flatShare, mostlyOneColor = 0.98, 0.70
)

// class says what is behind a block on the page without text.
type class int

const (
	flat  class = iota // one color
	mixed              // one color for the most part, such as a bubble whose outline the text touches
	art
)

func (c class) String() string { return [...]string{"flat", "mixed", "art"}[c] }

// glyphs are the pixels that differ between a page and the same page without its text.
type glyphs struct {
	all *bitmap.Bitmap
	// of has the glyphs of each block, in the bounding box of these; nil for a block that is not scored.
	of []*bitmap.Bitmap
}

// findGlyphs compares a page with the same page without its text, and divides the difference among the blocks.
func findGlyphs(page, bare *image.NRGBA, blocks []block) glyphs {
	g := glyphs{all: changedPixels(page, bare), of: make([]*bitmap.Bitmap, len(blocks))}
	owned := make([][]int, len(blocks))
	for i, set := range g.all.Pix {
		if set == 0 {
			continue
		}
		if k := owner(g.all.Point(i), blocks); k >= 0 {
			owned[k] = append(owned[k], i)
		}
	}
	for k, pixels := range owned {
		if len(pixels) < leastBlock {
			continue
		}
		var bounds image.Rectangle
		for _, i := range pixels {
			at := g.all.Point(i)
			bounds = bounds.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
		g.of[k] = bitmap.New(bounds)
		for _, i := range pixels {
			at := g.all.Point(i)
			g.of[k].Add(at.X, at.Y)
		}
	}
	return g
}

// changedPixels returns the pixels of glyphs, with their outlines.
func changedPixels(page, bare *image.NRGBA) *bitmap.Bitmap {
	core, edge := bitmap.New(page.Rect), bitmap.New(page.Rect)
	for i := range core.Pix {
		at := core.Point(i)
		switch d := raster.Difference(raster.At(page, at.X, at.Y), raster.At(bare, at.X, at.Y)); {
		case d > glyphLevels:
			core.Pix[i] = 1
		case d > edgeLevels:
			edge.Pix[i] = 1
		}
	}
	near := core.Dilate(edgeReach)
	for i, set := range edge.Pix {
		core.Pix[i] |= set & near.Pix[i]
	}
	for _, c := range core.Components() {
		if len(c.Pixels) < leastGlyph {
			for _, i := range c.Pixels {
				core.Pix[i] = 0
			}
		}
	}
	return core
}

// owner returns the block to which a glyph pixel belongs: the nearest, and of overlapping ones that whose middle is nearest in units of its
// size; -1 if none is near.
func owner(at image.Point, blocks []block) int {
	x, y := float64(at.X), float64(at.Y)
	best, least, nearest := -1, math.Inf(1), math.Inf(1)
	for k, b := range blocks {
		gap := max(b.Box[0]-x, x-b.Box[2], b.Box[1]-y, y-b.Box[3], 0)
		if gap > ownReach || gap > nearest {
			continue
		}
		mx, my := b.Box.middle()
		off := math.Hypot((x-mx)/max(1, b.Box[2]-b.Box[0]), (y-my)/max(1, b.Box[3]-b.Box[1]))
		if gap < nearest || off < least {
			best, least, nearest = k, off, gap
		}
	}
	return best
}

// around returns the pixels of a page within reach of some of its glyphs, in a bitmap that extends one pixel beyond them.
func around(set *bitmap.Bitmap, reach int, page image.Rectangle) *bitmap.Bitmap {
	grown := bitmap.New(set.Rect.Inset(-reach - 1).Intersect(page))
	grown.Union(set)
	return grown.Dilate(float64(reach))
}

// classOf returns the class of a block from the page without text.
func classOf(set *bitmap.Bitmap, bare *image.NRGBA) class {
	near := around(set, classReach, bare.Rect)
	var colors []raster.RGB
	for i, in := range near.Pix {
		if in != 0 {
			at := near.Point(i)
			colors = append(colors, raster.At(bare, at.X, at.Y))
		}
	}
	switch _, share := raster.Median(colors, classLevels); {
	case share >= flatShare:
		return flat
	case share >= mostlyOneColor:
		return mixed
	default:
		return art
	}
}
