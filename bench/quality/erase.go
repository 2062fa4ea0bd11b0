package main

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// The constants of scoring erased pages. Lengths are in pixels, levels are of [raster.Difference], and shares are 0..1.
const (
	// A region is erased if it overlaps a block by at least matchedShare of the smaller of the two boxes.
	matchedShare = 0.3
	// The zone of a block is what is within zoneReach of its glyphs.
	zoneReach = 6
	// mostDB is the PSNR of a zone without an error.
	mostDB = 60
	// A block whose zone is below badDB is bad.
	badDB = 15
	// A block is clean if at least cleanShare of its glyph pixels are within cleanLevels of the truth.
	cleanShare, cleanLevels = 0.995, 24
	// A pixel farther than farReach from every glyph must not change by more than farLevels.
	farReach, farLevels = 20, 2
)

// erasedBlock is the score of erasing a block.
type erasedBlock struct {
	block      block
	page, text string
	class      class
	// squares is the sum of squared errors of the zone, the mean of the channels, and pixels is the number of its pixels.
	squares float64
	pixels  int
	// clean is described at [cleanShare], and destroyed at [leastDamage]. missed says that most of the glyphs are as they were.
	clean, missed, destroyed bool
	// kept says that the engine left the block as drawn, to set its translation beside it. Its zone is not scored.
	kept bool
}

// psnr returns the peak signal-to-noise ratio of some pixels in dB.
func psnr(squares float64, pixels int) float64 {
	if squares <= 0 {
		return mostDB
	}
	return min(mostDB, 10*math.Log10(255*255*float64(pixels)/squares))
}

func (b erasedBlock) db() float64 { return psnr(b.squares, b.pixels) }

// eraseTally is the result of erasing some pages.
type eraseTally struct {
	pages, far int // far is the number of pixels that changed far from every glyph
	blocks     []erasedBlock
}

func (t *eraseTally) add(o eraseTally) {
	t.pages, t.far, t.blocks = t.pages+o.pages, t.far+o.far, append(t.blocks, o.blocks...)
}

// matched returns the regions that overlap a block.
func matched(regions []comic.Region, blocks []block) []comic.Region {
	var list []comic.Region
	for _, r := range regions {
		for _, b := range blocks {
			if overlap(b, r) >= matchedShare {
				list = append(list, r)
				break
			}
		}
	}
	return list
}

// erasePage erases what a complete translation of a page would replace: the regions with a block. It returns the erased page, the same page
// without text, and the score.
func erasePage(ctx context.Context, e *engine.Engine, c *engine.Context, p truePage) (erased, bare *image.NRGBA, t eraseTally, err error) {
	if bare, err = decoded(ctx, p.bare); err != nil {
		return nil, nil, t, err
	}
	if bare.Rect != c.Picture().Image.Rect {
		return nil, nil, t, fmt.Errorf("the page is %v and the page without text %v", c.Picture().Image.Rect, bare.Rect)
	}
	regions := matched(c.Regions(), p.Blocks)
	out, err := e.Erase(ctx, c, regions)
	if err != nil {
		return nil, nil, t, err
	}
	t = scoreErased(out.Image, c.Picture().Image, bare, p.Blocks)
	if p.Last {
		t.far = 0
	}
	for i := range t.blocks {
		b := &t.blocks[i]
		b.page = p.Book + " " + p.Lang + " " + p.Name
		b.destroyed = b.destroyed && !p.Last
		b.kept = b.missed && slices.ContainsFunc(regions, func(r comic.Region) bool {
			return slices.Contains(out.Kept, r.Index) && overlap(b.block, r) >= matchedShare
		})
	}
	return out.Image, bare, t, nil
}

// scoreErased compares an erased page with the same page without text. Where zones of blocks overlap, the first one has the pixels.
func scoreErased(erased, page, bare *image.NRGBA, blocks []block) eraseTally {
	g := findGlyphs(page, bare, blocks)
	t := eraseTally{pages: 1, far: changedFar(erased, page, g.all)}
	damaged, taken := damage(erased, page, bare, g.all), bitmap.New(page.Rect)
	for k, set := range g.of {
		if set == nil {
			continue
		}
		b := erasedBlock{block: blocks[k], text: strings.Join(blocks[k].Lines, " "), class: classOf(set, bare), clean: isClean(erased, bare, set)}
		b.destroyed, b.missed = isDestroyed(damaged, set), isUntouched(erased, page, set)
		zone := around(set, zoneReach, page.Rect)
		for i, in := range zone.Pix {
			at := zone.Point(i)
			if in == 0 || taken.Has(at.X, at.Y) {
				continue
			}
			taken.Add(at.X, at.Y)
			b.pixels++
			b.squares += squaredError(raster.At(erased, at.X, at.Y), raster.At(bare, at.X, at.Y))
		}
		if b.pixels > 0 {
			t.blocks = append(t.blocks, b)
		}
	}
	return t
}

// squaredError returns the squared difference of two colors, the mean of the channels.
func squaredError(a, b raster.RGB) float64 {
	d := raster.Distance(a, b)
	return d * d / 3
}

func isClean(erased, bare *image.NRGBA, set *bitmap.Bitmap) bool {
	good, all := 0, 0
	for i, in := range set.Pix {
		if in == 0 {
			continue
		}
		all++
		if at := set.Point(i); raster.Difference(raster.At(erased, at.X, at.Y), raster.At(bare, at.X, at.Y)) <= cleanLevels {
			good++
		}
	}
	return float64(good) >= cleanShare*float64(all)
}

// isUntouched reports whether erasing left most glyph pixels of a block as they were.
func isUntouched(erased, page *image.NRGBA, set *bitmap.Bitmap) bool {
	same := 0
	for i, in := range set.Pix {
		if at := set.Point(i); in != 0 && raster.At(erased, at.X, at.Y) == raster.At(page, at.X, at.Y) {
			same++
		}
	}
	return 2*same > set.Count()
}

// changedFar returns the number of pixels that erasing changed far from every glyph.
func changedFar(erased, page *image.NRGBA, all *bitmap.Bitmap) int {
	near, n := all.Dilate(farReach), 0
	for i, in := range near.Pix {
		if at := near.Point(i); in == 0 && raster.Difference(raster.At(erased, at.X, at.Y), raster.At(page, at.X, at.Y)) > farLevels {
			n++
		}
	}
	return n
}
