package flow

import (
	"slices"
	"strings"

	"plait/internal/document"
)

const (
	// curveGap is the largest distance of two parts of one curve, in points. maxParts bounds the parts of curves of a page that are looked at:
	// maps have tens of thousands. So do maxFrames and maxCurves for the largest frames of a page and the largest curves in a frame.
	curveGap  = 1.0
	maxParts  = 3000
	maxFrames = 1000
	maxCurves = 8
	// maxLevel is the largest length of a level part of a curve, in points: axes and the lines of a grid are longer.
	maxLevel = 24.0
	// curveShare is the least part of the width or the height of a drawing through which one of its curves runs: that of a logo or of a box to
	// tick is shorter.
	curveShare = 0.5
	// groundShare is the part of the page above which an area is the ground of the page.
	groundShare = 0.5
)

// findDrawings finds the charts of the page: areas with a frame or a ground in which a curve or a slanted line runs, and most texts stand beside
// it. What they name is read apart from what stands beside the drawing, and its lines are no rows of a table.
func (b *builder) findDrawings() {
	curves := b.curves()
	if len(curves) == 0 {
		return
	}
	frames := b.frames()
	slices.SortStableFunc(frames, func(x, y document.Box) int { return compare(area(y), area(x)) })
	slices.SortStableFunc(curves, func(x, y document.Box) int { return compare(area(y), area(x)) })
	for _, frame := range frames[:min(len(frames), maxFrames)] {
		outermost := !slices.ContainsFunc(b.drawings, func(d document.Box) bool { return within(frame, d) })
		if outermost && b.isDrawing(frame, curves) {
			b.drawings = append(b.drawings, frame)
		}
	}
	slices.SortStableFunc(b.drawings, func(x, y document.Box) int { return compare(y.Y1, x.Y1) })
}

// frames are the grounds of parts of the page, and the rectangles that are drawn around them.
func (b *builder) frames() (list []document.Box) {
	most := groundShare * area(b.page.Crop)
	add := func(box document.Box) {
		if area(box) < most {
			list = append(list, box)
		}
	}
	for _, f := range b.page.Fills {
		add(f.Box)
	}
	for first := 0; first < len(b.page.Rules); {
		end, box := first, b.page.Rules[first].Box
		for ; end < len(b.page.Rules) && b.page.Rules[end].Op == b.page.Rules[first].Op; end++ {
			box = box.Union(b.page.Rules[end].Box)
		}
		const sides = 4
		if end-first == sides {
			add(box)
		}
		first = end
	}
	return list
}

// curves are the boxes of the curves and of the slanted lines of the page, each of lines that touch.
func (b *builder) curves() (list []document.Box) {
	parts := slices.Clone(b.page.Fixed)
	for _, r := range b.page.Rules { // level parts of a slanted line
		if r.Shared && max(r.Box.X1-r.Box.X0, r.Box.Y1-r.Box.Y0) < maxLevel {
			parts = append(parts, r.Box)
		}
	}
	if len(parts) > maxParts {
		return nil
	}
	slices.SortStableFunc(parts, func(x, y document.Box) int { return compare(x.X0, y.X0) })
	var open []document.Box
	for _, part := range parts {
		reach := document.Box{X0: part.X0 - curveGap, Y0: part.Y0 - curveGap, X1: part.X1 + curveGap, Y1: part.Y1 + curveGap}
		var kept []document.Box
		for _, o := range open {
			switch {
			case o.X1 < reach.X0:
				list = append(list, o)
			case o.Y0 <= reach.Y1 && o.Y1 >= reach.Y0:
				part = part.Union(o)
			default:
				kept = append(kept, o)
			}
		}
		kept = append(kept, part)
		open = kept
	}
	return append(list, open...)
}

// isDrawing reports whether one of the curves, the largest first, runs through a frame, with most texts beside it.
func (b *builder) isDrawing(frame document.Box, curves []document.Box) bool {
	looked := 0
	for _, curve := range curves {
		long := curve.X1-curve.X0 >= curveShare*(frame.X1-frame.X0) || curve.Y1-curve.Y0 >= curveShare*(frame.Y1-frame.Y0)
		if !long || !within(curve, frame) {
			continue
		}
		if b.mostBeside(curve, frame) {
			return true
		}
		if looked++; looked == maxCurves {
			break
		}
	}
	return false
}

// mostBeside reports whether most of the text in a frame stands beside a curve.
func (b *builder) mostBeside(curve, frame document.Box) bool {
	texts, beside := 0, 0
	for _, g := range b.page.Glyphs {
		if x, y := (g.Box.X0+g.Box.X1)/2, (g.Box.Y0+g.Box.Y1)/2; !g.Hidden && holds(frame, x, y) && strings.TrimSpace(g.Text) != "" {
			texts++
			if !holds(curve, x, y) {
				beside++
			}
		}
	}
	return 2*beside > texts
}

func holds(b document.Box, x, y float64) bool {
	return x >= b.X0 && x <= b.X1 && y >= b.Y0 && y <= b.Y1
}

// inDrawings takes the words in drawings out, by drawing.
func (p *plane) inDrawings(words []word) (rest []word, labels [][]word) {
	labels = make([][]word, len(p.drawings))
	for _, w := range words {
		box := p.frame.BoxOut(w.box)
		at := slices.IndexFunc(p.drawings, func(d document.Box) bool { return holds(d, (box.X0+box.X1)/2, (box.Y0+box.Y1)/2) })
		if at < 0 {
			rest = append(rest, w)
		} else {
			labels[at] = append(labels[at], w)
		}
	}
	return rest, labels
}

// drawn adds the texts of drawings. Each may grow up to the next one on its right, or up to the frame.
func (p *plane) drawn(labels [][]word) {
	for i, words := range labels {
		p.drawing = i + 1
		columns := cut(words, boxOf(words), 0)
		for n, column := range columns {
			own := boxOf(column.words)
			end := p.frame.BoxIn(p.drawings[i]).X1 - clearance
			for m, other := range columns {
				if box := boxOf(other.words); m != n && box.X0 >= own.X1 && box.Y0 < own.Y1 && box.Y1 > own.Y0 {
					end = min(end, box.X0-clearance)
				}
			}
			column.area.X1 = max(column.area.X1, end)
			p.column(column)
		}
	}
	p.drawing = 0
}
