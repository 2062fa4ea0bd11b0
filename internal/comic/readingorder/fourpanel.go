package readingorder

import "image"

const (
	// stripPanels is the number of panels of a four-panel strip, and pageStrips the number of such strips on a page.
	stripPanels, pageStrips = 4, 2
	// stripUneven is the greatest difference in size of the panels of strips, as a share of the larger: all are drawn to one size.
	stripUneven = 0.1
)

// inStrips returns the two strips of a page of four-panel comics (yonkoma), each of which is read downwards before the next one, although
// gutters run from side to side. Any other part of a page it returns as it is.
func (p *panel) inStrips() *panel {
	if !p.across || len(p.parts) != stripPanels {
		return p
	}
	strips := &panel{box: p.box, parts: []*panel{{across: true}, {across: true}}}
	var first image.Point
	for i, row := range p.parts {
		for len(row.parts) == 1 {
			row = row.parts[0]
		}
		if row.across || len(row.parts) != pageStrips {
			return p
		}
		for k, part := range row.parts {
			size := part.box.Size()
			if i+k == 0 {
				first = size
			}
			if !even(size.X, first.X) || !even(size.Y, first.Y) {
				return p
			}
			strip := strips.parts[k]
			strip.box, strip.parts = strip.box.Union(part.box), append(strip.parts, part)
		}
	}
	return strips
}

func even(a, b int) bool { return float64(max(a, b)-min(a, b)) <= stripUneven*float64(max(a, b)) }
