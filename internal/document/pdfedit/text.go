package pdfedit

import (
	"bytes"
	"fmt"
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/pdf/content"
	"plait/internal/document/pdfedit/embed"
)

// text returns the operators that draw a text within a text object. To is the matrix from the user space of the page to that of the
// stream. It changes the font, the fill color and the rest of the state of texts.
func (r *rewriter) text(stream *streamEdit, text document.Text, to content.Matrix) ([]byte, error) {
	program := []byte("0 Tc 0 Tw 100 Tz 0 Ts 0 Tr ")
	var color document.Color
	font := ""
	for i, run := range text.Runs {
		if len(run.Glyphs) == 0 || run.Size <= 0 {
			continue
		}
		face, err := r.faces.get(run.Face)
		if err != nil {
			return nil, err
		}
		if next := fmt.Sprintf("/%s %s Tf ", types.EncodeName(stream.font(r.file, r.faces, run.Face)), numerals(run.Size)); next != font {
			font = next
			program = append(program, font...)
		}
		if i == 0 || run.Color != color {
			color = run.Color
			program = fmt.Appendf(program, "%s rg ", numerals(channel(color.R), channel(color.G), channel(color.B)))
		}
		if program, err = appendRun(program, run, face, to, r.sideways(run)); err != nil {
			return nil, err
		}
	}
	return program, nil
}

func channel(c uint8) float64 { return math.Round(float64(c)/255*1e4) / 1e4 }

// sideways reports whether a reader of the page sees a run from top to bottom or from bottom to top.
func (r *rewriter) sideways(run document.Run) bool {
	return (int(run.Direction)+r.rotate)%180 != 0
}

// appendRun appends a run as one TJ operator for each row of glyphs: a mark that stands above its base has a row of its own. Each word has one if
// they are divided: viewers that sort the operators of a line by their place take the beginnings of sideways lines, which are level, for a line.
func appendRun(program []byte, run document.Run, face *embed.Face, to content.Matrix, divided bool) ([]byte, error) {
	sin, cos := math.Sincos(float64(run.Direction) * math.Pi / 180)
	upright := content.Matrix{A: cos, B: sin, C: -sin, D: cos}
	slanted := content.Matrix{A: 1, C: run.Skew, D: 1}.Mul(upright)
	w := runWriter{program: program, size: run.Size}
	for _, glyph := range run.Glyphs {
		code, err := face.Code(glyph.ID, glyph.Text, glyph.Marks...)
		if err != nil {
			return nil, err
		}
		dx, dy := glyph.Origin.X-w.start.X, glyph.Origin.Y-w.start.Y
		along, across := dx*cos+dy*sin, dy*cos-dx*sin
		if !w.open || math.Abs(across) > row {
			w.close()
			m := slanted.Mul(content.Translation(glyph.Origin.X, glyph.Origin.Y)).Mul(to)
			w.program = fmt.Appendf(w.program, "%s Tm [", numerals(m.A, m.B, m.C, m.D, m.E, m.F))
			w.open, w.start, w.pen, along = true, glyph.Origin, 0, 0
		}
		w.glyph(code, along, face.Width(code))
		if divided && glyph.Text == " " {
			w.close()
		}
	}
	w.close()
	return w.program, nil
}

// row is the largest distance of glyphs in one row from its baseline, in points: less than a viewer can show.
const row = .01

// runWriter writes the glyphs of a row.
type runWriter struct {
	program  []byte
	size     float64
	start    document.Point
	pen      float64 // the distance from start
	open     bool
	inString bool
}

func (w *runWriter) glyph(code uint16, along, width float64) {
	// Adjustments are in 1/1000 of the size. Rounded ones do not add up, because the pen is where they lead.
	if n := math.Round((w.pen-along)/w.size*1e4) / 10; n != 0 {
		w.closeString()
		w.program = append(w.program, numerals(n)...)
		w.pen -= n / 1000 * w.size
	}
	if !w.inString {
		w.program = append(w.program, '<')
		w.inString = true
	}
	w.program = fmt.Appendf(w.program, "%04x", code)
	w.pen += width / 1000 * w.size
}

func (w *runWriter) closeString() {
	if w.inString {
		w.program = append(w.program, '>')
		w.inString = false
	}
}

func (w *runWriter) close() {
	w.closeString()
	if w.open {
		w.program = append(w.program, "] TJ "...)
		w.open = false
	}
}

// restore returns the operators that bring the state of texts back. The matrices of the line are not among them.
func (p place) restore(stream *content.Stream) []byte {
	t := p.state.Text
	program := fmt.Appendf(nil, "/%s %s Tf ", types.EncodeName(t.FontName), numerals(t.Size))
	for _, entry := range []struct {
		value, drawn float64
		operator     string
	}{
		{t.CharSpace, 0, "Tc"}, {t.WordSpace, 0, "Tw"}, {t.Scale * 100, 100, "Tz"}, {t.Rise, 0, "Ts"}, {float64(t.Render), 0, "Tr"},
	} {
		if entry.value != entry.drawn {
			program = fmt.Appendf(program, "%s %s ", numerals(entry.value), entry.operator)
		}
	}
	return append(append(program, p.fill(stream)...), ' ')
}

// fill returns the operators that set the fill color again.
func (p place) fill(stream *content.Stream) []byte {
	verbatim := p.state.FillOps
	if len(verbatim) == 0 {
		return []byte("0 g")
	}
	for line := range bytes.SplitSeq(verbatim, []byte("\n")) {
		// A color space is a name in the resources of the stream that set it. A form may have it from the page.
		if bytes.HasPrefix(line, []byte("/")) && !bytes.Contains(stream.Bytes, line) {
			c := p.state.Fill
			return fmt.Appendf(nil, "%s rg", numerals(channel(c.R), channel(c.G), channel(c.B)))
		}
	}
	return verbatim
}
