package typeset

import (
	"math"

	"plait/internal/document"
)

// decorated is a run with a style on a line, from x0 to x1 on the baseline y, in the frame.
type decorated struct {
	style     document.Style
	x0, x1, y float64
}

// repaints let the underlines and the highlights of the source follow the text: each of them, under the runs that have it.
func (l *layout) repaints() (list []document.Repaint) {
	page, frame := l.page, l.block.Direction
	for _, n := range l.block.Rules {
		if n < len(page.Rules) {
			boxes := l.boxes(frame.BoxIn(page.Rules[n].Box), func(s document.Style) bool { return s.Rule == n+1 })
			list = append(list, document.Repaint{Op: page.Rules[n].Op, Boxes: boxes})
		}
	}
	for _, n := range l.block.Fills {
		if n < len(page.Fills) {
			boxes := l.boxes(frame.BoxIn(page.Fills[n].Box), func(s document.Style) bool { return s.Fill == n+1 })
			list = append(list, document.Repaint{Op: page.Fills[n].Op, Boxes: boxes})
		}
	}
	return list
}

// boxes are the areas that a decoration of the source has in the text: one for each line and stretch of runs that have it.
func (l *layout) boxes(source document.Box, has func(document.Style) bool) (list []document.Box) {
	low, high, ok := l.beside(source)
	if !ok {
		return nil
	}
	before := decorated{y: math.Inf(1)}
	for _, d := range l.decorated {
		if !has(d.style) || d.x1 <= d.x0 {
			continue
		}
		box := l.block.Direction.BoxOut(document.Box{X0: d.x0, X1: d.x1, Y0: d.y + low, Y1: d.y + high})
		if d.y == before.y && d.x0 <= before.x1+sameStretch {
			list[len(list)-1] = list[len(list)-1].Union(box)
		} else {
			list = append(list, box)
		}
		before = d
	}
	return list
}

const (
	// sameStretch is the largest gap between two runs with one underline, and thinLine the least thickness of one, in points.
	sameStretch = 0.1
	thinLine    = 0.25
)

// beside is where a decoration of the source is relative to the baseline, at the size of the text.
func (l *layout) beside(source document.Box) (low, high float64, ok bool) {
	frame, middle := l.block.Direction, (source.Y0+source.Y1)/2
	nearest := math.Inf(1)
	for _, i := range l.block.Glyphs {
		g := l.page.Glyphs[i]
		x, baseline := frame.In(g.Origin.X, g.Origin.Y)
		if distance := math.Abs(baseline - middle); x >= source.X0-1 && x <= source.X1 && distance < nearest {
			nearest = distance
			low, high, ok = source.Y0-baseline, source.Y1-baseline, true
		}
	}
	scale := l.size / l.block.Size
	low, high = low*scale, high*scale
	if high-low < thinLine {
		high = low + thinLine
	}
	return low, high, ok
}
