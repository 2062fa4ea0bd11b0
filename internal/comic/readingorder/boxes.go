package readingorder

import (
	"image"
	"slices"
)

// Panels returns the bounding boxes of the panels in reading order, in pixels. A page without gutters is one panel. An inset belongs to the
// panel around it.
func (l *Layout) Panels(rightToLeft bool) []image.Rectangle {
	return l.panelsOf(l.root, rightToLeft)
}

func (l *Layout) panelsOf(p *panel, rightToLeft bool) []image.Rectangle {
	if len(p.parts) == 0 {
		c := p.area.columns()
		return []image.Rectangle{image.Rect(c.from*l.side, p.area.top*l.side, c.to*l.side, (p.area.top+len(p.area.rows))*l.side)}
	}
	parts := slices.Clone(p.parts)
	if strips := p.strips(); strips != nil && rightToLeft {
		parts = strips
		slices.Reverse(parts)
	} else if !p.cut.across && rightToLeft {
		slices.Reverse(parts)
	}
	var boxes []image.Rectangle
	for _, part := range parts {
		boxes = append(boxes, l.panelsOf(part, rightToLeft)...)
	}
	return boxes
}
