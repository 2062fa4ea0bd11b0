package order

import (
	"image"
	"slices"
)

const (
	// leastPanel is the least side of a panel, in parts of the page's width.
	leastPanel = 0.08
	// leastGutter is the least width of a gutter, in parts of the page's width.
	leastGutter = 0.004
	// gutterInk is the share of a gutter that may be inked: bubbles and art reach into gutters.
	gutterInk = 0.02
)

// Panels are the panels of a page in reading order, in pixels. A page without gutters is one panel.
func Panels(img *image.NRGBA, rightToLeft bool) []image.Rectangle {
	page := image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy())
	p := newPaper(img)
	if p == nil {
		return []image.Rectangle{page}
	}
	var panels []image.Rectangle
	for _, r := range p.divide(image.Rect(0, 0, p.width, p.height), rightToLeft) {
		panels = append(panels, image.Rect(r.Min.X*p.side, r.Min.Y*p.side, r.Max.X*p.side, r.Max.Y*p.side))
	}
	if len(panels) == 0 {
		return []image.Rectangle{page}
	}
	return panels
}

// divide cuts r, in cells, along its gutters: across first, because rows are read one after the other.
func (p *paper) divide(r image.Rectangle, rightToLeft bool) []image.Rectangle {
	rows := p.pieces(r, true)
	if len(rows) == 1 {
		columns := p.pieces(rows[0], false)
		if len(columns) == 1 {
			return columns
		}
		if rightToLeft {
			slices.Reverse(columns)
		}
		return p.divideAll(columns, rightToLeft)
	}
	return p.divideAll(rows, rightToLeft)
}

func (p *paper) divideAll(parts []image.Rectangle, rightToLeft bool) []image.Rectangle {
	var panels []image.Rectangle
	for _, part := range parts {
		panels = append(panels, p.divide(part, rightToLeft)...)
	}
	return panels
}

// pieces are the parts of r between its gutters across (or downwards), without gutters at its edges. A piece too small
// for a panel goes to the one before it, so that lettering in a gutter is no panel.
func (p *paper) pieces(r image.Rectangle, across bool) []image.Rectangle {
	from, to := r.Min.X, r.Max.X
	if across {
		from, to = r.Min.Y, r.Max.Y
	}
	part := func(a, b int) image.Rectangle {
		if across {
			return image.Rect(r.Min.X, a, r.Max.X, b)
		}
		return image.Rect(a, r.Min.Y, b, r.Max.Y)
	}
	least := max(4, int(leastPanel*float64(p.width)))
	gutter := max(2, int(leastGutter*float64(p.width)))
	var found []image.Rectangle
	start, blank := -1, 0
	end := func(at int) {
		if start < 0 {
			return
		}
		if at-start >= least || len(found) == 0 {
			found = append(found, part(start, at))
		} else {
			found[len(found)-1] = found[len(found)-1].Union(part(start, at))
		}
		start = -1
	}
	for at := from; at < to; at++ {
		line := part(at, at+1)
		if float64(p.ink(line)) > gutterInk*float64(line.Dx()*line.Dy()) {
			if start < 0 {
				start = at
			}
			blank = 0
			continue
		}
		if blank++; blank == gutter {
			end(at - blank + 1)
		}
	}
	end(to - blank)
	if len(found) == 0 {
		return []image.Rectangle{r}
	}
	return found
}
