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
