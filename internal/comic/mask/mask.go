// Package mask finds the pixels of lettering on a page, so that they can be erased without changing their surroundings. [Glyphs] returns a
// [Mask], which package inpaint fills. The package does not find text: the lines of each region come from the detector.
//
// Text on a ground, such as that of a bubble or caption: the color of the ground, which may change evenly, is measured around the region,
// and ink is whatever differs from it and is surrounded by the interior, the connected ground that the lines are in. What extends far beyond
// the lines is an outline or art; a glyph that touches it is told by its color, or by the interior on both of its sides. The paper between
// the dots and strokes of a texture does not count as ground.
//
// Text on art, and all sound effects: glyphs are found by their style. Each frequent color inside the lines is tried as the fill of
// glyphs: its components have to be as wide as strokes, sharply bounded, and outlined by one color where most of them are. The style
// that explains most of the contour with most contrast is chosen. Its outline is measured in eight directions, because a drop shadow
// makes it wider on one side. Another color is added when it is the outline of this one, or outlined by it.
//
// Lines of a region that differ in size from the others are examined apart, and so are those in which the style of the others shows nothing.
//
// Glyphs are then grown. On a ground the growth covers the ringing that JPEG leaves around a glyph, up to a block (8 pixels) and a little
// more where the ground has one color, and stops at outlines and art. On art it covers the anti-aliased edge only, because every grown pixel
// has to be painted.
package mask

import (
	"context"
	"fmt"
	"image"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// nearlyAll is a share that counts as all: in bubbles, 97 % of the surroundings of lettering have the color of the ground.
const nearlyAll = 0.95

// Class is the kind of background behind the lettering of a region.
type Class int

// The classes.
const (
	// Art is anything but one color.
	Art Class = iota
	// Flat is one color around every glyph.
	Flat
	// Smooth is a color that changes slowly from place to place.
	Smooth
	// Texture is the dots or strokes of a screentone, hatching or speed lines.
	Texture
)

// Region is the lettering of one region.
type Region struct {
	// Index is the index of the region on its page.
	Index int
	Class Class
	// Ground is the color around the glyphs. It is exact for Flat, and the most frequent color for the other classes.
	Ground raster.RGB
	// Apart are the outlines and art beside lettering on a ground, which do not continue behind the lettering. It is nil for Art and
	// Texture.
	Apart *bitmap.Bitmap
	// Ink holds the glyphs with their outlines. Hole is the ink grown to what has to be filled. Both are empty, never nil, if no lettering
	// was found.
	Ink, Hole *bitmap.Bitmap
	// Rest says that something of lettering over art is left around the hole: a part of an outline, a shadow or a glow.
	Rest bool
}

// Mask is the lettering of the regions of a page that were passed to Glyphs.
type Mask struct {
	// Bounds is the rectangle of the page, in pixels.
	Bounds  image.Rectangle
	Regions []Region
}

// Merged returns the union of the holes of all regions, as a bitmap of the page.
func (m *Mask) Merged() *bitmap.Bitmap {
	all := bitmap.New(m.Bounds)
	for _, r := range m.Regions {
		all.Union(r.Hole)
	}
	return all
}

// Glyphs finds the lettering of the given regions on the page. It treats regions separately, on up to GOMAXPROCS goroutines. kept are the
// other regions of the page; their lettering does not become part of the mask. The result depends on the arguments only. Glyphs fails only
// with the error of ctx, which it checks before each region.
func Glyphs(ctx context.Context, img *image.NRGBA, regions, kept []comic.Region) (*Mask, error) {
	m := &Mask{Bounds: img.Rect, Regions: make([]Region, len(regions))}
	pool := new(errgroup.Group)
	pool.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range regions {
		pool.Go(func() error {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("find lettering: %w", err)
			}
			m.Regions[i] = findLettering(pool, img, r, slices.Concat(regions[:i], regions[i+1:], kept))
			return nil
		})
	}
	if err := pool.Wait(); err != nil {
		return nil, err
	}
	return m, nil
}

// each calls f for every number below n, in no particular order, on the calling goroutine and on those of the pool that are idle. It
// returns when all calls have returned.
func each(pool *errgroup.Group, n int, f func(i int)) {
	var calls sync.WaitGroup
	defer calls.Wait()
	for i := range n {
		calls.Add(1)
		call := func() error {
			defer calls.Done()
			f(i)
			return nil
		}
		if i == n-1 || !pool.TryGo(call) {
			_ = call()
		}
	}
}
