package main

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// The constants of damage. Lengths are in pixels, and levels are of [raster.Difference].
const (
	// A pixel is of no glyph if it is farther than glyphMargin from every glyph pixel, and the page does not differ there by more than
	// edgeLevels from the page without text. It is damaged if the erased page differs there by more than damageLevels.
	glyphMargin, damageLevels = 2, 48
	// A block is destroyed if at least leastDamage damaged pixels within farReach of its glyphs are connected: a piece of outline 20 pixels
	// long, on pages that are 1240 pixels wide. Texture that an inpainter fills differently next to glyphs has smaller groups.
	leastDamage = 60
)

// damage returns the pixels of no glyph that erasing changed visibly: those of bubbles, outlines and art. Pixels where the page without text
// has another shape of the bubble than the page do not count.
func damage(erased, page, bare *image.NRGBA, all *bitmap.Bitmap) *bitmap.Bitmap {
	glyph, out := all.Dilate(glyphMargin), bitmap.New(page.Rect)
	for i, in := range glyph.Pix {
		if in != 0 {
			continue
		}
		at := glyph.Point(i)
		truth := raster.At(bare, at.X, at.Y)
		if raster.Difference(raster.At(page, at.X, at.Y), truth) <= edgeLevels && raster.Difference(raster.At(erased, at.X, at.Y), truth) > damageLevels {
			out.Pix[i] = 1
		}
	}
	return out
}

// isDestroyed reports whether a block, of which set are the glyphs, is destroyed.
func isDestroyed(damaged, set *bitmap.Bitmap) bool {
	near := around(set, farReach, damaged.Rect)
	for i := range near.Pix {
		if at := near.Point(i); !damaged.Has(at.X, at.Y) {
			near.Pix[i] = 0
		}
	}
	for _, c := range near.Components() {
		if len(c.Pixels) >= leastDamage {
			return true
		}
	}
	return false
}
