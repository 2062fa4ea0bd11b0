package pdfedit

import (
	"fmt"
	"slices"

	"plait/internal/document"
	"plait/internal/document/pdf/content"
)

// path edits an operator that paints a path.
func (r *rewriter) path(d content.Drawing) {
	if boxes, ok := r.plan.repaints[d.Op]; ok {
		r.repaint(d, boxes)
		return
	}
	if edit := r.plan.rules[d.Op]; edit != nil {
		r.move(d, edit)
	}
}

// repaint removes a path, and paints rectangles in its place. What becomes the clipping path still does. A rectangle that would be clipped is
// painted where text would be (see [rewriter.unclipped]); without such a place it is left out.
func (r *rewriter) repaint(d content.Drawing, boxes []document.Box) {
	s := r.edited(d.Stream)
	s.replace(d.Operator.Start, d.Operator.End, []byte("n"))
	for _, box := range boxes {
		if inverse, ok := d.State.CTM.Inverse(); ok && holds(d.State, box) {
			s.replace(d.Path.Start, d.Path.Start, rectangle(d, box, inverse))
		} else if at, inverse, ok := r.unclipped(s, d.Saved, box); ok {
			s.replace(at, at, rectangle(d, box, inverse))
		}
	}
}

// rectangle returns the operators that paint a rectangle in the color of a path. To is the matrix from the user space of the page to that of
// the stream.
func rectangle(d content.Drawing, b document.Box, to content.Matrix) []byte {
	c := d.State.Fill
	if !d.Path.Fill {
		c = d.State.Stroke
	}
	return fmt.Appendf(nil, "q %s cm %s rg %s re f Q", numerals(to.A, to.B, to.C, to.D, to.E, to.F),
		numerals(channel(c.R), channel(c.G), channel(c.B)), numerals(b.X0, b.Y0, b.X1-b.X0, b.Y1-b.Y0))
}

// unclipped returns the place in a stream where an area is seen whole, and the matrix from the user space of the page to that of the stream
// there: behind the operator that restores the innermost saved state in which it is.
func (r *rewriter) unclipped(stream *streamEdit, saved []content.Saved, box document.Box) (at int, to content.Matrix, ok bool) {
	for _, s := range slices.Backward(saved) {
		inverse, invertible := s.CTM.Inverse()
		end, restored := r.restores(stream.stream)[s.Start]
		if !s.InText && invertible && restored && holds(s.State, box) {
			return end, inverse, true
		}
	}
	return 0, to, false
}

// move moves a path, if all of it is asked for. One that would be clipped at its new place is painted where text would be, if there is such a
// place.
func (r *rewriter) move(d content.Drawing, edit *ruleEdit) {
	inverse, ok := d.State.CTM.Inverse()
	if !ok || d.Path.Clips || edit.rules < len(d.Path.Subpaths) || edit.offset == (offset{}) {
		return
	}
	s := r.edited(d.Stream)
	box := d.Path.Box().Moved(edit.offset.dx, edit.offset.dy)
	if at, to, free := r.unclipped(s, d.Saved, box); free && !holds(d.State, box) {
		m := d.State.CTM.Mul(content.Translation(edit.offset.dx, edit.offset.dy)).Mul(to)
		s.replace(at, at, pathAlone(d, m))
		s.replace(d.Operator.Start, d.Operator.End, []byte("n"))
		return
	}
	dx, dy := linear(inverse, edit.offset)
	s.replace(d.Path.Start, d.Path.Start, fmt.Appendf(nil, "q %s cm", numerals(1, 0, 0, 1, dx, dy)))
	s.replace(d.Operator.End, d.Operator.End, []byte("Q"))
}

// pathAlone returns the operators that paint a path with the colors and the width of its state. To is the matrix from the space of the path to
// that of the place.
func pathAlone(d content.Drawing, to content.Matrix) []byte {
	fill, stroke := d.State.Fill, d.State.Stroke
	program := fmt.Appendf(nil, "q %s cm %s rg %s RG %s w ", numerals(to.A, to.B, to.C, to.D, to.E, to.F),
		numerals(channel(fill.R), channel(fill.G), channel(fill.B)), numerals(channel(stroke.R), channel(stroke.G), channel(stroke.B)),
		numerals(d.State.LineWidth))
	return append(append(program, d.Stream.Bytes[d.Path.Start:d.Operator.End]...), " Q "...)
}

// linear transforms a distance.
func linear(m content.Matrix, o offset) (dx, dy float64) {
	return o.dx*m.A + o.dy*m.C, o.dx*m.B + o.dy*m.D
}
