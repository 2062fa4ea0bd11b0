package pdfedit

import (
	"fmt"
	"math"
	"slices"

	"plait/internal/document"
	"plait/internal/document/pdf/content"
	"plait/internal/document/pdfedit/output"
)

// show edits an operator that shows text, and draws the new texts that take its place.
func (r *rewriter) show(d content.Drawing) error {
	texts := r.plan.texts[d.Op]
	delete(r.plan.texts, d.Op)
	edit := r.plan.shows[d.Op]
	if edit == nil && len(texts) == 0 {
		return nil
	}
	if edit != nil && len(edit.removed) > 0 {
		r.removeReplacements(d.State.Marks)
	}
	place, ok := placeOf(d)
	if !ok {
		r.late = append(r.late, texts...)
		if edit != nil && len(edit.removed) == len(d.Show.Glyphs) {
			r.edited(d.Stream).replace(d.Operator.Start, d.Operator.End, nil) // text of no size moves nothing
		}
		return nil
	}
	stream := r.edited(d.Stream)
	program := lineStart(d)
	for _, text := range texts {
		if !holds(d.State, text.Box) {
			if err := r.outside(stream, d.Saved, text); err != nil {
				return err
			}
			continue
		}
		drawn, err := r.text(stream, text, place.inverse)
		if err != nil {
			return err
		}
		program = append(program, drawn...)
		place.dirty = true
	}
	if place.dirty {
		program = append(program, place.restore(stream.stream)...)
		program = append(program, place.back(place.shift)...)
	}
	if edit == nil {
		edit = &showEdit{}
	}
	program = append(program, r.strings(place, d, edit)...)
	stream.replace(d.Operator.Start, d.Operator.End, program)
	return nil
}

// lineStart returns what the operators ' and " do before they show their string.
func lineStart(d content.Drawing) []byte {
	switch d.Operator.Name {
	case "'":
		return []byte("T* ")
	case "\"":
		return fmt.Appendf(nil, "%s Tw %s Tc T* ", numerals(d.State.Text.WordSpace), numerals(d.State.Text.CharSpace))
	default:
		return nil
	}
}

// place is the position of an operator in its text object.
type place struct {
	state   content.State
	inverse content.Matrix // from the user space of the page to that of the stream
	// unit is the width of 1/1000 of a glyph, as numbers of TJ count it, in unscaled text space. Shift is the position of the first glyph on
	// its line.
	unit, shift float64
	// dirty is set when new text has changed the state.
	dirty bool
}

// placeOf returns the place of an operator; false if text has no extent there, or runs from top to bottom.
func placeOf(d content.Drawing) (place, bool) {
	p := place{state: d.State, unit: d.State.Text.Size * d.State.Text.Scale / 1000}
	inverse, ok := d.State.CTM.Inverse()
	line, fine := d.State.Line.Inverse()
	if !ok || !fine || p.unit == 0 || d.State.Text.Font.Vertical || d.State.Text.FontName == "" {
		return p, false
	}
	p.inverse = inverse
	p.shift, _ = linear(line, offset{d.State.Matrix.E - d.State.Line.E, d.State.Matrix.F - d.State.Line.F})
	return p, true
}

// tolerance is how far a text may reach over its clipping path, in points, before it counts as clipped.
const tolerance = .5

// holds reports whether a text would be seen whole.
func holds(state content.State, b document.Box) bool {
	clip := state.Clip
	return state.ClipExact && b.X0 >= clip.X0-tolerance && b.X1 <= clip.X1+tolerance &&
		b.Y0 >= clip.Y0-tolerance && b.Y1 <= clip.Y1+tolerance
}

// outside draws a text that would be clipped in its place at another one, and without one at the end of the page.
func (r *rewriter) outside(stream *streamEdit, saved []content.Saved, text document.Text) error {
	at, inverse, ok := r.unclipped(stream, saved, text.Box)
	if !ok {
		r.late = append(r.late, text)
		return nil
	}
	drawn, err := r.text(stream, text, inverse)
	stream.replace(at, at, slices.Concat([]byte("q BT "), drawn, []byte("ET Q")))
	return err
}

// restores returns, for each operator of a stream that saves a state, the end of the one that restores it.
func (r *rewriter) restores(stream *content.Stream) map[int]int {
	if ends, ok := r.ends[stream]; ok {
		return ends
	}
	ends := map[int]int{}
	var open []int
	content.Scan(stream.Bytes, func(op content.Operator) bool {
		switch n := len(open); {
		case op.Name == "q":
			open = append(open, op.Start)
		case op.Name == "Q" && n > 0:
			ends[open[n-1]] = op.End
			open = open[:n-1]
		}
		return true
	})
	r.ends[stream] = ends
	return ends
}

// back returns to the line, at a position on it.
func (p place) back(position float64) []byte {
	l := p.state.Line
	program := fmt.Appendf(nil, "%s Tm ", numerals(l.A, l.B, l.C, l.D, l.E, l.F))
	return append(program, p.skip(position)...)
}

// skip moves by a distance on the line.
func (p place) skip(distance float64) []byte {
	n := -distance / p.unit
	if math.Abs(n) < 1e-3 {
		return nil
	}
	return fmt.Appendf(nil, "[%s] TJ ", numerals(n))
}

// strings shows what is left of a string: kept glyphs where they were, and moved ones elsewhere.
func (r *rewriter) strings(p place, d content.Drawing, edit *showEdit) []byte {
	w := &stringWriter{place: p, position: p.shift, pen: p.shift}
	var clipped lifted
	index := 0
	for _, operand := range operandsOf(d.Operator) {
		if operand.Kind == content.Number {
			w.position -= operand.Number * p.unit
			continue
		}
		text := operand.Text
		for _, glyph := range p.state.Text.Font.Glyphs(text) {
			code := text[:glyph.Bytes]
			text = text[glyph.Bytes:]
			removed, by := edit.removed[index], edit.moved[index]
			if !removed && by != (offset{}) && clipped.takes(p, d, glyph, code, w.position, by) {
				removed = true
			}
			w.glyph(code, p.advance(glyph), removed, by)
			index++
		}
	}
	r.lift(p, d, clipped)
	return w.finish()
}

// operandsOf returns the strings and adjustments of an operator that shows text.
func operandsOf(op content.Operator) []content.Operand {
	if len(op.Operands) == 0 {
		return nil
	}
	last := op.Operands[len(op.Operands)-1]
	list := []content.Operand{last}
	if last.Kind == content.Array {
		list = last.List
	}
	var kept []content.Operand
	for _, operand := range list {
		if operand.Kind == content.Number && last.Kind == content.Array || operand.Kind == content.String {
			kept = append(kept, operand)
		}
	}
	return kept
}

// advance returns the distance from a glyph to the next, in unscaled text space.
func (p place) advance(glyph content.Glyph) float64 {
	t := p.state.Text
	space := t.CharSpace
	if glyph.Space {
		space += t.WordSpace
	}
	return (glyph.Width*t.Size + space) * t.Scale
}

// numerals writes numbers with spaces between them, to a hundred-thousandth.
func numerals(values ...float64) []byte {
	var text []byte
	for i, x := range values {
		if i > 0 {
			text = append(text, ' ')
		}
		text = output.AppendNumber(text, math.Round(x*1e5)/1e5+0) // no negative zero
	}
	return text
}
