package pdfedit

import (
	"fmt"

	"plait/internal/document/pdf/content"
)

// stringWriter writes the glyphs of an operator as TJ operators.
type stringWriter struct {
	place
	// position is where the next glyph of the source stands on the line, and pen where the next glyph would be drawn; offset is how far the
	// pen's line is from that of the source.
	position, pen float64
	offset        offset
	program       []byte
	array         []byte
	inString      bool
}

// glyph writes a glyph, leaves it out, or writes it elsewhere.
func (w *stringWriter) glyph(code []byte, advance float64, removed bool, moved offset) {
	if !removed {
		if moved != w.offset {
			w.moveLine(moved)
		}
		w.catchUp()
		if !w.inString {
			w.array = append(w.array, '<')
			w.inString = true
		}
		w.array = fmt.Appendf(w.array, "%x", code)
		w.pen += advance
	}
	w.position += advance
}

// catchUp moves the pen to the position, within the array of TJ. Differences that no viewer can show are left.
func (w *stringWriter) catchUp() {
	n := -(w.position - w.pen) / w.unit
	if n > -1e-3 && n < 1e-3 {
		return
	}
	w.closeString()
	w.array = append(w.array, numerals(n)...)
	w.pen = w.position
}

func (w *stringWriter) closeString() {
	if w.inString {
		w.array = append(w.array, '>')
		w.inString = false
	}
}

// flush ends the operator.
func (w *stringWriter) flush() {
	w.closeString()
	if len(w.array) > 0 {
		w.program = append(append(append(w.program, '['), w.array...), "] TJ "...)
		w.array = nil
	}
}

// moveLine begins another operator, on a line that is moved by an offset of the page.
func (w *stringWriter) moveLine(by offset) {
	w.flush()
	dx, dy := linear(w.inverse, by)
	m := content.Translation(w.position, 0).Mul(w.state.Line).Mul(content.Translation(dx, dy))
	if by == (offset{}) {
		w.program = append(w.program, w.back(w.position)...)
	} else {
		w.program = fmt.Appendf(w.program, "%s Tm ", numerals(m.A, m.B, m.C, m.D, m.E, m.F))
	}
	w.pen, w.offset = w.position, by
}

// finish leaves the pen where the operator of the source left it.
func (w *stringWriter) finish() []byte {
	if w.offset != (offset{}) {
		w.moveLine(offset{})
	}
	w.catchUp()
	w.flush()
	return w.program
}
