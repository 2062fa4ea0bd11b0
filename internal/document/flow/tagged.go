package flow

import (
	"slices"
)

// inContentOrder returns the parts of a page in the order of its content if the page has tags: programs that write tags write the content in
// the order in which it is read, and the geometry of charts and side boxes does not tell it as well. Cells without a text follow the part
// before them.
func (b *builder) inContentOrder(list []ordered) []ordered {
	if !b.page.Tagged {
		return list
	}
	type part struct{ glyph, at int }
	parts := make([]part, len(list))
	last := -1
	for i, o := range list {
		switch {
		case len(o.block.Glyphs) > 0:
			last = o.block.Glyphs[0]
		case len(o.block.Formulas) > 0:
			last = o.block.Formulas[0].Glyphs[0]
		}
		parts[i] = part{last, i}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.glyph - b.glyph })
	sorted := make([]ordered, len(list))
	for i, p := range parts {
		sorted[i] = list[p.at]
	}
	return sorted
}
