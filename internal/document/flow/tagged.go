package flow

import (
	"slices"
	"strings"

	"plait/internal/document"
)

// inContentOrder returns the parts of a page in the order of its content if the page has tags: programs that write tags write the content in
// the order in which it is read, and the geometry of charts and side boxes does not tell it as well. A part is where most of its glyphs are:
// browsers draw the numbers of items and drop capitals before all other text. Cells without a text follow the part before them.
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
			last = middle(o.block.Glyphs)
		case len(o.block.Formulas) > 0:
			last = middle(o.block.Formulas[0].Glyphs)
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

// middle is the place of most of some glyphs in the content.
func middle(glyphs []int) int {
	return slices.Sorted(slices.Values(glyphs))[len(glyphs)/2]
}

// interrupted reports whether another text stands between two lines in the content of a page with tags, so that they are not read one after the
// other: such pages have two columns of short lines, which they write line by line.
func (p *plane) interrupted(before, l line) bool {
	if !p.page.Tagged {
		return false
	}
	end, start := 0, len(p.page.Glyphs)
	for _, w := range before.words {
		end = max(end, slices.Max(w.glyphs))
	}
	for _, w := range l.words {
		start = min(start, slices.Min(w.glyphs))
	}
	return start > end && slices.ContainsFunc(p.page.Glyphs[end+1:start], func(g document.Glyph) bool {
		return !g.Hidden && strings.TrimSpace(g.Text) != ""
	})
}
