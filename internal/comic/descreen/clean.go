// Package descreen removes screentone from a page, so that lettering over it can be found and read.
//
// Print in black and white shows gray as a lattice of dots (screentone). A text detector takes the dots for strokes and misses the
// lettering among them. Dots are dark pieces of ink that are no larger than a dot of the coarsest tone and stand in dense groups of
// like size; lettering consists of larger pieces. Dots get the color of the paper around them. A tone whose dots are too fine to be
// separated is smoothed. Known limit: the voicing mark of a kana is as small as a dot and is lost where it touches a dense group.
package descreen

import (
	"context"
	"image"
	"slices"

	"plait/internal/raster"
)

// Lengths are in widths of the page; of a spread, in those of one of its pages.
const (
	// dotSide is the greatest side of a dot: tones have 27 lines an inch at least, on pages of 7 inches, and the dots of a
	// dark one nearly touch.
	dotSide = 0.0062
	// crowdSide is the side of the square in which dots are counted.
	crowdSide = 0.03
	// leastSide is that of a dot in pixels, however small the page.
	leastSide = 3
	// leastTone is the least area of tone of a page, in squares of a width: the grain of painted art is in a few crowds too, on
	// the measured pages in up to 0.025, and in 0.2 and more where there is tone. A strip has as much grain as many pages: each
	// stretch of it is told by itself.
	leastTone = 0.035
	// bandHeight is how many rows are cleaned at once, which bounds the memory for a strip.
	bandHeight = 1024
)

// Page is a page without its screentone.
type Page struct {
	// Image has the size of the page. Outside tone it is the page, byte for byte.
	Image *image.NRGBA
	// cells say where tone was: squares of cellSide pixels in rows of columns.
	cells   []bool
	columns int
	// toned is how many of them there are in each stretch.
	toned []int
}

// cellSide is the side in pixels of what [Page.In] tells apart.
const cellSide = 16

// Clean removes the screentone of img. It returns nil for a page without any, and fails only when ctx ends.
func Clean(ctx context.Context, img *image.NRGBA) (*Page, error) {
	s := scaleOf(img)
	everywhere := func(_, _ int) bool { return true }
	// Most pages have no tone, and are told by this alone.
	likely, err := overBands(ctx, img, s, everywhere, (*Page).markLikely)
	if err != nil {
		return nil, err
	}
	mayBe := func(top, bottom int) bool { return likely.tonedRows(top, bottom, s) }
	if !mayBe(0, img.Rect.Dy()) {
		return nil, nil
	}
	p, err := overBands(ctx, img, s, mayBe, (*Page).cleanBand)
	if err != nil || !p.tonedRows(0, img.Rect.Dy(), s) {
		return nil, err
	}
	p.restoreToneless(img, s)
	return p, nil
}

// overBands makes a page of img, of the bands whose rows are wanted.
func overBands(ctx context.Context, img *image.NRGBA, s scale, wanted func(top, bottom int) bool, do func(*Page, *band, []dot, scale)) (*Page, error) {
	columns, rows := (img.Rect.Dx()+cellSide-1)/cellSide, (img.Rect.Dy()+cellSide-1)/cellSide
	p := &Page{cells: make([]bool, columns*rows), columns: columns, toned: make([]int, img.Rect.Dy()/s.stretch+1)}
	for top := 0; top < img.Rect.Dy(); top += bandHeight {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !wanted(top, min(top+bandHeight, img.Rect.Dy())) {
			continue
		}
		b := newBand(img, top, s)
		do(p, b, b.dots(s.side), s)
	}
	return p, nil
}

// markLikely marks where tone may be, and no less than where [Page.cleanBand] finds it.
func (p *Page) markLikely(b *band, dots []dot, s scale) {
	g := b.gridOf(dots, s.crowd)
	for _, d := range dots {
		if g.mayCrowd(d) {
			p.mark(b, d, s)
		}
	}
}

// cleanBand cleans the rows of a band.
func (p *Page) cleanBand(b *band, dots []dot, s scale) {
	crowds := b.crowdsOf(dots, s.crowd)
	if crowds == nil {
		return
	}
	p.begin(b.img)
	for _, d := range dots {
		if !crowds.holds(d) {
			continue
		}
		if at := d.middle(); !crowds.isFine(at.X, at.Y) {
			b.erase(p.Image, d)
		}
		p.mark(b, d, s)
	}
	crowds.smooth(p.Image, b.img, b.owned)
}

// mark marks the place of a dot, in the band whose place it is.
func (p *Page) mark(b *band, d dot, s scale) {
	at := d.middle().Add(b.seen.Min)
	if !at.In(b.owned) {
		return
	}
	cell := &p.cells[at.Y/cellSide*p.columns+at.X/cellSide]
	if !*cell {
		*cell = true
		p.toned[at.Y/s.stretch]++
	}
}

// begin makes the picture of the page, once.
func (p *Page) begin(img *image.NRGBA) {
	if p.Image == nil {
		p.Image = &image.NRGBA{Pix: slices.Clone(img.Pix), Stride: img.Stride, Rect: img.Rect}
	}
}

// In reports whether there was tone within some bounds in pixels.
func (p *Page) In(x0, y0, x1, y1 float64) bool {
	rows := len(p.cells) / p.columns
	for y := max(0, int(y0)/cellSide); y <= min(rows-1, int(y1)/cellSide); y++ {
		for x := max(0, int(x0)/cellSide); x <= min(p.columns-1, int(x1)/cellSide); x++ {
			if p.cells[y*p.columns+x] {
				return true
			}
		}
	}
	return false
}

// leastUnder is the least share of a line's bounds that was tone where the line stands on it: what reaches in from beside a
// bubble is less.
const leastUnder = 0.15

// Under reports whether a line stands on what was tone.
func (p *Page) Under(line raster.Quad) bool {
	x0, y0, x1, y1 := line.Bounds()
	toned, all := 0, 0
	for y := y0; y <= y1; y += cellSide {
		for x := x0; x <= x1; x += cellSide {
			all++
			if p.In(x, y, x, y) {
				toned++
			}
		}
	}
	return float64(toned) >= leastUnder*float64(all)
}
