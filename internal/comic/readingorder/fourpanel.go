package readingorder

const (
	// stripPanels is the number of panels of a four-panel strip, and pageStrips the number of such strips on a page.
	stripPanels, pageStrips = 4, 2
	// stripUneven is the greatest difference in size of the panels of strips, as a share of the larger: all are drawn to one size.
	stripUneven = 0.1
)

// strips returns the two strips of a page of four-panel comics (yonkoma), the left one first, each with the cut of the rows. Each strip is
// read downwards before the next one, although gutters run from side to side. The result is nil for any other page.
func (p *panel) strips() []*panel {
	if !p.cut.across || len(p.parts) != stripPanels {
		return nil
	}
	strips := make([]*panel, pageStrips)
	for k := range strips {
		strips[k] = &panel{area: p.area, cut: p.cut, offsets: p.offsets}
	}
	for _, row := range p.parts {
		for len(row.parts) == 1 {
			row = row.parts[0]
		}
		if len(row.parts) != pageStrips || row.cut.across {
			return nil
		}
		for k, part := range row.parts {
			if !strips[0].isAsLarge(part) {
				return nil
			}
			strips[k].parts = append(strips[k].parts, part)
		}
	}
	return strips
}

// isAsLarge reports whether a panel is as large as o, the first panel of a strip, if there is one.
func (p *panel) isAsLarge(o *panel) bool {
	if len(p.parts) == 0 {
		return true
	}
	a, b := p.parts[0].area, o.area
	return even(len(a.rows), len(b.rows)) && even(a.columns().length(), b.columns().length())
}

func even(a, b int) bool { return float64(max(a, b)-min(a, b)) <= stripUneven*float64(max(a, b)) }

// inStrips sorts the items of two strips that are read from right to left. An item over both is read with the first.
func (s sorter) inStrips(strips []*panel, items []item) []item {
	left, right := strips[0], strips[1]
	boundary := float64(s.side) * float64(left.parts[0].area.columns().to+right.parts[0].area.columns().from) / 2
	var first, second []item
	for _, it := range items {
		if it.on.x1 > boundary+float64(s.side) {
			first = append(first, it)
		} else {
			second = append(second, it)
		}
	}
	return append(s.inPanels(right, first), s.inPanels(left, second)...)
}
