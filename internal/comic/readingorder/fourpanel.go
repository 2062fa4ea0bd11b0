package readingorder

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
