package pdfedit

import (
	"fmt"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/pdf/content"
)

// lifted are the moved glyphs of an operator that would be clipped at their new places.
type lifted struct {
	codes [][]byte
	// places are matrices from the space of texts to the user space of the page.
	places []content.Matrix
	box    document.Box
}

// takes adds a glyph at a position on the line that moves; false for one that is seen at its new place.
func (l *lifted) takes(p place, d content.Drawing, g content.Glyph, code []byte, position float64, by offset) bool {
	to := content.Translation(position, 0).Mul(p.state.Line).Mul(p.state.CTM).Mul(content.Translation(by.dx, by.dy))
	box := glyphBox(p.state.Text, g, to)
	if holds(d.State, box) {
		return false
	}
	if len(l.codes) > 0 {
		box = box.Union(l.box)
	}
	l.codes, l.places, l.box = append(l.codes, code), append(l.places, to), box
	return true
}

// lift draws glyphs where they are seen whole: behind the state that clips them, as new texts are, or else at the end of the page.
func (r *rewriter) lift(p place, d content.Drawing, glyphs lifted) {
	if len(glyphs.codes) == 0 {
		return
	}
	stream, name := r.edited(d.Stream), p.state.Text.FontName
	if at, inverse, ok := r.unclipped(stream, d.Saved, glyphs.box); ok {
		stream.replace(at, at, glyphs.program(p, stream, name, inverse))
		return
	}
	if stream != r.page {
		font := r.file.Dict(d.Stream.Resources["Font"])[name]
		r.page.resources, name = withResource(r.file, r.page.resources, "Font", "Kept", font)
	}
	r.last = append(r.last, glyphs.program(p, r.page, name, content.Identity)...)
}

// program returns the operators that draw the glyphs with the state of their source. To is the matrix from the user space of the page to that
// of the stream.
func (l *lifted) program(p place, stream *streamEdit, font string, to content.Matrix) []byte {
	t := p.state.Text
	program := fmt.Appendf(nil, "q BT %s /%s %s Tf 0 Tc 0 Tw %s Tz %s Ts %s Tr ", p.fill(stream.stream), types.EncodeName(font), numerals(t.Size),
		numerals(100*t.Scale), numerals(t.Rise), numerals(float64(t.Render)))
	for i, code := range l.codes {
		m := l.places[i].Mul(to)
		program = fmt.Appendf(program, "%s Tm <%x> Tj ", numerals(m.A, m.B, m.C, m.D, m.E, m.F), code)
	}
	return append(program, "ET Q "...)
}

// capital is the height of the glyphs that decides whether one is clipped, in em.
const capital = 0.7

// glyphBox is the box of a glyph above its baseline. M is the matrix from the space of texts to the user space of the page.
func glyphBox(t content.TextState, g content.Glyph, m content.Matrix) (b document.Box) {
	for i, corner := range [][2]float64{{0, 0}, {g.Width * t.Size * t.Scale, 0}, {0, capital * t.Size}, {g.Width * t.Size * t.Scale, capital * t.Size}} {
		x, y := m.Apply(corner[0], t.Rise+corner[1])
		point := document.Box{X0: x, Y0: y, X1: x, Y1: y}
		if i == 0 {
			b = point
		}
		b = b.Union(point)
	}
	return b
}
