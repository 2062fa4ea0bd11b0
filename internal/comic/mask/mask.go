// Package mask finds the pixels of lettering, so that they can be erased without touching what lies around them.
//
// It starts from the colors of the page, not from boxes. Around each region the color of the ground is looked up. Where
// text stands on a ground (a bubble, a caption), ink is whatever differs from it, connected piece by piece: pieces that
// belong to the lines are glyphs, pieces that run on far beyond them are outlines and art. What of these lies in the lines is a
// glyph that touches them, but not where it is the outline itself, which parts the lines from what lies beyond it. The paper between
// the dots and strokes of a texture is no ground: they go on behind the lettering.
//
// Elsewhere, and for drawn sounds everywhere, lettering is told from art by its style. Each frequent color inside the lines is
// tried for the fill of glyphs: its pieces have to be as wide as strokes, sharply bounded, and, where one color runs around
// most of them, outlined by it. The style that explains most contour with most contrast wins. Its outline is measured in
// eight directions, because a drop shadow makes it wider on one side, and because the color of an outline alone would run on
// into dark art. Other colors join when they are fill within the same outline, or the outline itself.
//
// A sound that is drawn over and over (an applause) is one pile of lettering, of which a reader finds some. Where lettering with an
// outline was found, glyphs beyond its lines that repeat one of its glyphs, and stand next to each other, go with it.
//
// Glyphs are then grown by class. On a ground growth costs nothing and has to wipe the ringing that JPEG leaves around
// a glyph, which reaches a block (8 pixels) and a little more; it stops short of outlines and art. On art each pixel of
// growth is a pixel to invent, so that only the anti-aliased rim is taken.
package mask

import (
	"context"
	"fmt"
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// Class says what lies behind the lettering of a region.
type Class int

// The classes.
const (
	// Art: anything but one color.
	Art Class = iota
	// Flat: one color around every glyph.
	Flat
	// Smooth: one color that changes slowly from place to place.
	Smooth
	// Texture: the dots or strokes of a screentone, hatching or speed lines.
	Texture
)

// Region is the lettering of one region.
type Region struct {
	// Index is the region's index on its page.
	Index int
	Class Class
	// Ground is the color around the glyphs; exact for Flat, the most frequent color for the others.
	Ground raster.RGB
	// Apart are the outlines and art beside lettering on a ground: what is behind the lettering does not continue
	// them. It is nil for Art and Texture.
	Apart *bitmap.Bitmap
	// Ink holds the glyphs with their outlines; Hole is Ink grown to what has to be filled. Both are empty, never nil,
	// when nothing was found.
	Ink, Hole *bitmap.Bitmap
}

// Mask is the lettering of a page: only of the regions that were asked for.
type Mask struct {
	// Bounds are those of the page.
	Bounds  image.Rectangle
	Regions []Region
}

// Merged is the union of all holes over the page.
func (m *Mask) Merged() *bitmap.Bitmap {
	all := bitmap.New(m.Bounds)
	for _, r := range m.Regions {
		all.Union(r.Hole)
	}
	return all
}

// Glyphs finds the lettering of the given regions on the page, each by itself and as many at once as there are threads to
// run. What is lettering of kept, the other regions of the page, is none of theirs. It is a pure function of its arguments, and
// fails only with the error of ctx, which it looks at before each region.
func Glyphs(ctx context.Context, img *image.NRGBA, regions, kept []comic.Region) (*Mask, error) {
	m := &Mask{Bounds: img.Rect, Regions: make([]Region, len(regions))}
	t := newThreads()
	for i, r := range regions {
		t.group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("find lettering: %w", err)
			}
			// Furigana is lettering too, although it is no part of the text.
			r.Lines = slices.Concat(r.Lines, r.Ruby)
			m.Regions[i] = findInParts(t, img, r, slices.Concat(regions[:i], regions[i+1:], kept), mostCuts)
			return nil
		})
	}
	if err := t.group.Wait(); err != nil {
		return nil, err
	}
	return m, nil
}
