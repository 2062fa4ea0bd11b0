package readingorder

import (
	"image"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// leastPanel is the least side of a panel, as a share of the page's width.
	leastPanel = 0.08
	// leastGutter is the least width of a gutter, as a share of the page's width.
	leastGutter = 0.004
	// gutterInk is the greatest share of a gutter that is inked: bubbles and art reach into gutters.
	gutterInk = 0.02
)

// Layout is the arrangement of panels on a page, as found in its picture.
type Layout struct {
	// side is the side of a cell in pixels.
	side int
	// gutters are the cells of the color of the paper that are connected with the edge of the page. The blank interior of a framed panel is
	// not. On a page without gutters and margins there are none.
	gutters *bitmap.Bitmap
	root    *panel
}

// panel is a part of a page: a single panel, or parts in the order of their positions: one below the other if they are cut across, and
// otherwise side by side.
type panel struct {
	box    image.Rectangle
	across bool
	parts  []*panel
}

// Look finds the panels of a page.
func Look(img *image.NRGBA) *Layout {
	side := max(1, img.Rect.Dx()*cell/1240)
	cells := image.Rect(0, 0, img.Rect.Dx()/side, img.Rect.Dy()/side)
	best := &Layout{side, bitmap.New(image.Rectangle{}), &panel{box: pixels(cells, side)}}
	for _, color := range papers(img, cells, side) {
		l := &Layout{side: side, gutters: gutters(img, cells, side, color)}
		if l.root = l.divide(cells); l.root.isDivided() {
			return l
		}
		if len(best.root.parts) == 0 && len(l.root.parts) > 0 {
			best = l
		}
	}
	return best
}

// pixels is a box of cells in pixels.
func pixels(cells image.Rectangle, side int) image.Rectangle {
	return image.Rectangle{Min: cells.Min.Mul(side), Max: cells.Max.Mul(side)}
}

// Bytes is the memory of the layout in bytes, without that of its few panels.
func (l *Layout) Bytes() int64 { return int64(len(l.gutters.Pix)) }

// InGutter reports whether a pixel is in a gutter or a margin.
func (l *Layout) InGutter(x, y int) bool { return l.gutters.Has(x/l.side, y/l.side) }

// isDivided reports whether a part of a page holds more than one panel.
func (p *panel) isDivided() bool {
	return len(p.parts) > 1 || len(p.parts) == 1 && p.parts[0].isDivided()
}

// divide cuts a part of the page, in cells, along its gutters: across first, because rows are read one after the other. A cut may leave a
// single part, without the margins beside it.
func (l *Layout) divide(cells image.Rectangle) *panel {
	whole := &panel{box: pixels(cells, l.side)}
	for _, whole.across = range [2]bool{true, false} {
		parts := l.pieces(cells, whole.across)
		if len(parts) == 0 || len(parts) == 1 && parts[0] == cells {
			continue
		}
		for _, part := range parts {
			whole.parts = append(whole.parts, l.divide(part))
		}
		break
	}
	return whole
}

// pieces are the parts between the gutters that run through a part of the page, across or down. What is too small for a panel is lettering
// in a gutter or a margin.
func (l *Layout) pieces(box image.Rectangle, across bool) (found []image.Rectangle) {
	turn := func(r image.Rectangle) image.Rectangle {
		if across {
			return r
		}
		return image.Rect(r.Min.Y, r.Min.X, r.Max.Y, r.Max.X)
	}
	turned, width := turn(box), float64(l.gutters.Rect.Dx())
	least, gutter := max(4, int(leastPanel*width)), max(2, int(leastGutter*width))
	most := int(gutterInk * float64(turned.Dx()))
	start, blank := turned.Min.Y, 0
	end := func(at int) {
		if at-start >= least {
			found = append(found, turn(image.Rect(turned.Min.X, start, turned.Max.X, at)))
		}
	}
	for at := turned.Min.Y; at < turned.Max.Y; at++ {
		line := turn(image.Rect(turned.Min.X, at, turned.Max.X, at+1))
		switch isClear := l.ink(line, most) <= most; {
		case isClear && blank+1 == gutter:
			end(at - blank)
			fallthrough
		case isClear:
			blank++
		case blank >= gutter:
			start, blank = at, 0
		default:
			blank = 0
		}
	}
	if blank < gutter {
		end(turned.Max.Y - blank)
	}
	return found
}

// ink counts the cells of a line that belong to no gutter, up to one more than most.
func (l *Layout) ink(line image.Rectangle, most int) (n int) {
	for at := range raster.Pixels(line) {
		if !l.gutters.Has(at.X, at.Y) {
			if n++; n > most {
				break
			}
		}
	}
	return n
}

// Panels returns the panels in reading order, in pixels. A page without gutters is one panel.
func (l *Layout) Panels(rightToLeft bool) []image.Rectangle {
	boxes := l.inDirection(rightToLeft).panels()
	if rightToLeft {
		for i, box := range boxes {
			boxes[i] = mirrored(box)
		}
	}
	return boxes
}

// panels are the single panels of a part, in the order of its parts.
func (p *panel) panels() (all []image.Rectangle) {
	if len(p.parts) == 0 {
		return []image.Rectangle{p.box}
	}
	for _, part := range p.parts {
		all = append(all, part.panels()...)
	}
	return all
}

// inDirection is the page such that reading begins at the left: mirrored at its left edge when reading goes from right to left.
func (l *Layout) inDirection(rightToLeft bool) *panel {
	if !rightToLeft {
		return l.root
	}
	return l.root.mirrored()
}

func (p *panel) mirrored() *panel {
	m := &panel{box: mirrored(p.box), across: p.across}
	for _, part := range p.parts {
		m.parts = append(m.parts, part.mirrored())
	}
	if !m.across {
		slices.Reverse(m.parts)
	}
	return m.inStrips()
}

func mirrored(r image.Rectangle) image.Rectangle {
	return image.Rect(-r.Max.X, r.Min.Y, -r.Min.X, r.Max.Y)
}

// stripUneven is the greatest difference in size of the panels of strips, as a share of the larger: all are drawn to one size.
const stripUneven = 0.1

// inStrips returns the two strips of a page of four-panel comics (yonkoma), each of which is read downwards before the next one, although
// gutters run from side to side. Any other part of a page it returns as it is.
func (p *panel) inStrips() *panel {
	panels := p.panels()
	if !p.across || len(p.parts) != 4 || len(panels) != 8 {
		return p
	}
	strips := &panel{box: p.box, parts: []*panel{{across: true}, {across: true}}}
	for i, box := range panels {
		strip := strips.parts[i%2]
		strip.box, strip.parts = strip.box.Union(box), append(strip.parts, &panel{box: box})
		if !even(box.Dx(), panels[0].Dx()) || !even(box.Dy(), panels[0].Dy()) || !even(strip.box.Dx(), box.Dx()) {
			return p
		}
	}
	return strips
}

func even(a, b int) bool { return float64(max(a, b)-min(a, b)) <= stripUneven*float64(max(a, b)) }
