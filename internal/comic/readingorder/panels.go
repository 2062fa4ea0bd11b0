package readingorder

import (
	"image"
	"slices"

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
	page image.Rectangle
	// side is the side of a cell in pixels.
	side int
	root *panel
	// gutters are the cells of gutters and margins; nil without any.
	gutters *bitmap.Bitmap
}

// panel is a part of a page in cells: a single panel, or parts in the order of their positions: one below the other if they are cut across,
// and otherwise side by side.
type panel struct {
	box    image.Rectangle
	across bool
	parts  []*panel
}

// Look finds the panels of a page.
func Look(img *image.NRGBA) *Layout {
	l := &Layout{page: image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()), side: cellSide(img)}
	whole := image.Rect(0, 0, l.page.Dx()/l.side, l.page.Dy()/l.side)
	l.root = &panel{box: whole}
	for _, color := range papers(img, l.side) {
		p := newPaper(img, l.side, color)
		root := p.divide(whole)
		if root.isDivided() || len(l.root.parts) == 0 {
			l.root = root
		}
		if l.root == root && len(root.parts) > 0 {
			l.gutters = p.gutters
		}
		if root.isDivided() {
			break
		}
	}
	return l
}

// Bytes is the memory of the layout in bytes, without that of its few panels.
func (l *Layout) Bytes() int64 {
	if l.gutters == nil {
		return 0
	}
	return int64(len(l.gutters.Pix))
}

// InGutter reports whether a pixel is in a gutter or a margin.
func (l *Layout) InGutter(x, y int) bool {
	return l.gutters != nil && l.gutters.Has(x/l.side, y/l.side)
}

// isDivided reports whether a part of a page holds more than one panel.
func (p *panel) isDivided() bool {
	return len(p.parts) > 1 || len(p.parts) == 1 && p.parts[0].isDivided()
}

// divide cuts a part of the page along its gutters: across first, because rows are read one after the other. A cut may leave a single part,
// without the margins beside it.
func (p *paper) divide(box image.Rectangle) *panel {
	for _, across := range [2]bool{true, false} {
		parts := p.pieces(box, across)
		if len(parts) == 0 || len(parts) == 1 && parts[0] == box {
			continue
		}
		whole := &panel{box: box, across: across}
		for _, part := range parts {
			whole.parts = append(whole.parts, p.divide(part))
		}
		return whole
	}
	return &panel{box: box}
}

// pieces are the parts between the gutters that run through a part of the page, across or down. What is too small for a panel is lettering
// in a gutter or a margin.
func (p *paper) pieces(box image.Rectangle, across bool) (found []image.Rectangle) {
	turn := func(r image.Rectangle) image.Rectangle {
		if across {
			return r
		}
		return image.Rect(r.Min.Y, r.Min.X, r.Max.Y, r.Max.X)
	}
	turned := turn(box)
	least, gutter := p.leastPanel(), max(2, int(leastGutter*float64(p.gutters.Rect.Dx())))
	most := int(gutterInk * float64(turned.Dx()))
	start, blank := turned.Min.Y, 0
	end := func(at int) {
		if at-start >= least {
			found = append(found, turn(image.Rect(turned.Min.X, start, turned.Max.X, at)))
		}
	}
	for at := turned.Min.Y; at < turned.Max.Y; at++ {
		line := turn(image.Rect(turned.Min.X, at, turned.Max.X, at+1))
		switch isClear := p.ink(line, most) <= most; {
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
func (p *paper) ink(line image.Rectangle, most int) (n int) {
	for y := line.Min.Y; y < line.Max.Y; y++ {
		for x := line.Min.X; x < line.Max.X && n <= most; x++ {
			if !p.gutters.Has(x, y) {
				n++
			}
		}
	}
	return n
}

// leastPanel is the least side of a panel in cells.
func (p *paper) leastPanel() int { return max(4, int(leastPanel*float64(p.gutters.Rect.Dx()))) }

// Panels returns the panels in reading order, in pixels. A page without gutters is one panel.
func (l *Layout) Panels(rightToLeft bool) (boxes []image.Rectangle) {
	for _, box := range l.inDirection(rightToLeft).panels() {
		if rightToLeft {
			box = mirrored(box, l.width())
		}
		boxes = append(boxes, image.Rectangle{Min: box.Min.Mul(l.side), Max: box.Max.Mul(l.side)})
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

// width is that of the page in cells.
func (l *Layout) width() int { return l.page.Dx() / l.side }

// inDirection is the page such that reading begins at the left: mirrored when reading goes from right to left.
func (l *Layout) inDirection(rightToLeft bool) *panel {
	if !rightToLeft {
		return l.root
	}
	return l.root.mirrored(l.width())
}

func (p *panel) mirrored(width int) *panel {
	m := &panel{box: mirrored(p.box, width), across: p.across}
	for _, part := range p.parts {
		m.parts = append(m.parts, part.mirrored(width))
	}
	if !m.across {
		slices.Reverse(m.parts)
	}
	return m.inStrips()
}

func mirrored(r image.Rectangle, width int) image.Rectangle {
	return image.Rect(width-r.Max.X, r.Min.Y, width-r.Min.X, r.Max.Y)
}
