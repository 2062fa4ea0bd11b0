package pdfedit

import (
	"plait/internal/document"
)

// offset is a distance in the user space of a page.
type offset struct{ dx, dy float64 }

// showEdit is what changes at an operator that shows text, by the index of the glyph.
type showEdit struct {
	removed map[int]bool
	moved   map[int]offset
}

// ruleEdit is how an operator that paints a path moves. Rules is how many of its rules and fills that concerns.
type ruleEdit struct {
	rules  int
	offset offset
}

// plan is an edit by operators.
type plan struct {
	shows map[document.Op]*showEdit
	rules map[document.Op]*ruleEdit
	texts map[document.Op][]document.Text
	// repaints are the rectangles that operators paint in place of their paths.
	repaints map[document.Op][]document.Box
}

func newPlan(page *document.Page, edit *document.Edit) *plan {
	p := &plan{
		shows: map[document.Op]*showEdit{}, rules: map[document.Op]*ruleEdit{}, texts: map[document.Op][]document.Text{},
		repaints: map[document.Op][]document.Box{},
	}
	for _, move := range edit.Moves {
		by := offset{move.DX, move.DY}
		if by == (offset{}) {
			continue
		}
		for _, i := range move.Glyphs {
			if glyph, ok := at(page.Glyphs, i); ok {
				p.show(glyph.Op).moved[glyph.Index] = by
			}
		}
		for _, i := range move.Rules {
			if rule, ok := at(page.Rules, i); ok {
				p.rule(rule.Op, by)
			}
		}
		for _, i := range move.Fills {
			if fill, ok := at(page.Fills, i); ok {
				p.rule(fill.Op, by)
			}
		}
	}
	for _, i := range edit.Remove {
		if glyph, ok := at(page.Glyphs, i); ok {
			p.show(glyph.Op).removed[glyph.Index] = true
		}
	}
	for _, repaint := range edit.Repaints {
		p.repaints[repaint.Op] = append(p.repaints[repaint.Op], repaint.Boxes...)
	}
	for _, text := range edit.Texts {
		p.texts[text.Op] = append(p.texts[text.Op], text)
	}
	return p
}

// at returns an element of a list. Positions come from another step, and a wrong one changes nothing.
func at[T any](list []T, i int) (element T, ok bool) {
	if i < 0 || i >= len(list) {
		return element, false
	}
	return list[i], true
}

func (p *plan) show(op document.Op) *showEdit {
	if p.shows[op] == nil {
		p.shows[op] = &showEdit{removed: map[int]bool{}, moved: map[int]offset{}}
	}
	return p.shows[op]
}

// rule adds a rule or a fill of an operator. Those of one operator that move in different ways cannot be told apart, and stay.
func (p *plan) rule(op document.Op, by offset) {
	known := p.rules[op]
	if known == nil {
		known = &ruleEdit{offset: by}
		p.rules[op] = known
	} else if known.offset != by {
		known.offset = offset{}
	}
	known.rules++
}
