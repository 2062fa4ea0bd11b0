package readingorder

import (
	"bytes"
	"context"
	"image"
	"math"
	"slices"
)

const (
	// leastPanel is the least side of a panel, as a share of the page's width.
	leastPanel = 0.08
	// leastGutter is the least width of a gutter, as a share of the page's width.
	leastGutter = 0.004
	// gutterInk is the greatest share of a gutter that is inked: bubbles and art reach into gutters.
	gutterInk = 0.02
	// greatestSlope and slopeStep give the slopes of gutters that are tried: up to 20 degrees, in steps fine enough for a narrow gutter
	// between high panels.
	greatestSlope, slopeStep = 0.36, 0.02
	// widestSlanted is the greatest width of a slanted gutter, as a share of the page's width. A wider gap is blank art.
	widestSlanted = 0.05
	// slantedLength is the least share of an area's side that a slanted gutter runs through. A shorter one cuts off a corner.
	slantedLength = 0.9
	// stripRatio is the ratio of height to width above which a page is a strip, which has no slanted gutters.
	stripRatio = 3
)

// Layout is the arrangement of panels on a page, as found in its picture.
type Layout struct {
	page image.Rectangle
	// side is the side of a cell in pixels.
	side int
	root *panel
	// paperKnown says that the area outside all panels is paper.
	paperKnown bool
}

// panel is a part of a page: a single panel, without parts, or an area divided by a cut into parts. The parts are ordered by their
// offsets, which are in parallel.
type panel struct {
	area    area
	cut     cut
	parts   []*panel
	offsets []span
	// insets are the panels inside this single panel, in cells.
	insets []image.Rectangle
}

// Look finds the panels of a page. It fails only when ctx ends.
func Look(ctx context.Context, img *image.NRGBA) (*Layout, error) {
	l := &Layout{page: image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()), side: cellSide(img)}
	width, height := l.page.Dx()/l.side, l.page.Dy()/l.side
	l.root = &panel{area: wholeArea(width, height)}
	if width < leastCells || height < leastCells {
		return l, ctx.Err()
	}
	for _, p := range papers(img, l.side) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.look(img)
		root := p.divide(ctx, wholeArea(width, height))
		divided := root.isDivided()
		if divided || p.sure {
			l.root, l.paperKnown = root, true
		}
		if divided {
			break
		}
	}
	return l, ctx.Err()
}

// isDivided reports whether a part of a page holds more than one panel.
func (p *panel) isDivided() bool {
	return len(p.parts) > 1 || len(p.insets) > 0 || len(p.parts) == 1 && p.parts[0].isDivided()
}

// OnPaper reports whether a box, in pixels, lies in a gutter or a margin, and is not a bubble that extends from a panel.
func (l *Layout) OnPaper(x0, y0, x1, y1 float64) bool {
	b := [4]int{int(x0) / l.side, int(y0) / l.side, int(x1)/l.side + 1, int(y1)/l.side + 1}
	return l.paperKnown && !l.root.has(b[0], b[1], b[2], b[3])
}

// has reports whether a box, in cells, belongs to a panel.
func (p *panel) has(x0, y0, x1, y1 int) bool {
	if len(p.parts) == 0 {
		return float64(p.area.cells(x0, y0, x1, y1)) >= leastHeld*float64((x1-x0)*(y1-y0))
	}
	return p.hasHanging(x0, y0, x1, y1) || slices.ContainsFunc(p.parts, func(part *panel) bool { return part.has(x0, y0, x1, y1) })
}

// divide cuts an area along its gutters: across first, because rows are read one after the other. A horizontal or vertical cut may leave a
// single part, without the margins beside it.
func (p *paper) divide(ctx context.Context, a area) *panel {
	if p.isBlank(a) {
		return &panel{area: a}
	}
	for _, c := range p.cuts(a) {
		if ctx.Err() != nil {
			break
		}
		offsets := p.pieces(a, c)
		if len(offsets) == 1 && c.slope != 0 {
			continue
		}
		var parts []area
		offsets = slices.DeleteFunc(offsets, func(o span) bool {
			part := c.part(a, o.from, o.to)
			if part.size() < p.leastPanel()*p.leastPanel() {
				return true // beyond the area, for a slanted cut
			}
			parts = append(parts, part)
			return false
		})
		if len(parts) == 0 || len(parts) == 1 && (c.slope != 0 || parts[0].size() == a.size()) {
			continue
		}
		whole := &panel{area: a, cut: c, offsets: offsets}
		for _, part := range parts {
			whole.parts = append(whole.parts, p.divide(ctx, part))
		}
		return whole
	}
	return &panel{area: a, insets: p.insets(a)}
}

func (p *paper) isBlank(a area) bool {
	for i, r := range a.rows {
		y := a.top + i
		if r.length() > 0 && bytes.IndexByte(p.inked.Pix[y*p.width+r.from:y*p.width+r.to], 1) >= 0 {
			return false
		}
	}
	return true
}

// cuts are the ways to divide an area, in the order in which they are tried.
func (p *paper) cuts(a area) []cut {
	all := []cut{a.newCut(true, 0), a.newCut(false, 0)}
	if float64(p.height) >= stripRatio*float64(p.width) {
		return all
	}
	for s := slopeStep; s < greatestSlope+slopeStep/2; s += slopeStep {
		for _, across := range [2]bool{true, false} {
			all = append(all, a.newCut(across, s), a.newCut(across, -s))
		}
	}
	return all
}

// pieces are the offsets between the gutters of a cut, without gutters at its ends. A piece too small for a panel is lettering in a gutter
// or a margin.
func (p *paper) pieces(a area, c cut) []span {
	least := p.leastPanel()
	gutter := max(2, int(leastGutter*float64(p.width)))
	all := a.offsets(c)
	lines := p.linesOf(a, c)
	const none = math.MinInt
	var found []span
	start, corner, blank := none, none, 0
	end := func(at int) {
		if start != none && at-start >= least {
			found = append(found, span{start, at})
		}
		start = none
	}
	for at := all.from; at < all.to; at++ {
		switch lines.look(at) {
		case lineClear:
			corner = none
			if blank++; blank == gutter {
				end(at - blank + 1)
			}
		case lineShort:
			if start == none && corner == none {
				corner = at
			}
			blank = 0
		case lineInked:
			if start == none {
				start = at
			}
			if corner != none {
				start, corner = min(start, corner), none
			}
			blank = 0
		}
	}
	end(all.to - blank)
	if len(found) == 0 || c.slope != 0 && widestBetween(found) > int(widestSlanted*float64(p.width)) {
		return []span{all}
	}
	return found
}

// widestBetween is the widest gap between successive spans.
func widestBetween(spans []span) int {
	most := 0
	for i := 1; i < len(spans); i++ {
		most = max(most, spans[i].from-spans[i-1].to)
	}
	return most
}

// leastPanel is the least side of a panel in cells.
func (p *paper) leastPanel() int { return max(4, int(leastPanel*float64(p.width))) }

// offsets is the span of offsets of the lines of a cut that meet a.
func (a area) offsets(c cut) span {
	columns := a.columns()
	all := span{a.top, a.top + len(a.rows)}
	reach := int(math.Ceil(math.Abs(c.slope) * float64(columns.length()) / 2))
	if !c.across {
		all, reach = columns, int(math.Ceil(math.Abs(c.slope)*float64(len(a.rows))/2))
	}
	return span{all.from - reach, all.to + reach}
}
