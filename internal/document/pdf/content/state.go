package content

import (
	"slices"

	"plait/internal/document"
)

// State is the graphics state before an operator.
type State struct {
	// CTM transforms the user space of the operator's stream to that of the page.
	CTM Matrix
	// Text is the state of texts.
	Text TextState
	// Matrix and Line are the text matrix and the text line matrix; identity outside of a text object.
	Matrix, Line Matrix
	// InText is set between BT and ET.
	InText bool
	// Fill and Stroke are the colors, and FillOps the operators that set the fill color, as the stream has them; empty for the initial
	// black.
	Fill, Stroke document.Color
	FillOps      []byte
	// LineWidth is in the user space of the stream.
	LineWidth float64
	// Clip is the box of what is visible, in the user space of the page. ClipExact means that nothing within it is hidden: every clipping
	// path was an upright rectangle.
	Clip      document.Box
	ClipExact bool
	// Marks are the marked-content sequences that enclose the operator, the outermost first.
	Marks []Mark
	// spaces are the color spaces of cs and CS.
	fillSpace, strokeSpace int
}

// TextState is the state of texts (ISO 32000-1, section 9.3).
type TextState struct {
	// FontName is the name of the font in the resources of the stream; empty before the first Tf.
	FontName string
	Font     *Font
	Size     float64
	// Scale is the horizontal scaling: 1 is normal.
	CharSpace, WordSpace, Scale, Leading, Rise float64
	Render                                     int
}

// Invisible is the rendering mode that draws nothing.
const Invisible = 3

// Mark is a marked-content sequence.
type Mark struct {
	Tag string
	// Stream is that of the operator that begins the sequence, and Start and End its range of bytes.
	Stream     *Stream
	Start, End int
	// Replaces is set if the sequence has an /ActualText or an /Alt, directly or in its property list.
	Replaces bool
	// Text is the /ActualText; empty without one.
	Text string
}

func initialState(ctm Matrix, clip document.Box) State {
	return State{
		CTM: ctm, Matrix: Identity, Line: Identity, LineWidth: 1, Clip: clip, ClipExact: true,
		Text: TextState{Font: noFont, Scale: 1}, fillSpace: 1, strokeSpace: 1,
	}
}

// clone returns a copy that shares nothing that changes.
func (s State) clone() State {
	s.Marks = slices.Clone(s.Marks)
	return s
}

// Origin returns the matrix that maps the text space of the next glyph, in em, to the user space of the page.
func (s State) Origin() Matrix {
	t := s.Text
	return Matrix{A: t.Size * t.Scale, D: t.Size, F: t.Rise}.Mul(s.Matrix).Mul(s.CTM)
}

// advance moves the text matrix by tx, in unscaled text space.
func (s *State) advance(tx float64) { s.Matrix = Translation(tx, 0).Mul(s.Matrix) }

// nextLine moves to the start of a line, offset from the start of the current one.
func (s *State) nextLine(x, y float64) {
	s.Line = Translation(x, y).Mul(s.Line)
	s.Matrix = s.Line
}

// boxOf is the bounding box of a rectangle under a matrix.
func boxOf(x, y, w, h float64, m Matrix) document.Box {
	x0, y0 := m.Apply(x, y)
	b := document.Box{X0: x0, Y0: y0, X1: x0, Y1: y0}
	for _, p := range [][2]float64{{x + w, y}, {x, y + h}, {x + w, y + h}} {
		px, py := m.Apply(p[0], p[1])
		b = document.Box{X0: min(b.X0, px), Y0: min(b.Y0, py), X1: max(b.X1, px), Y1: max(b.Y1, py)}
	}
	return b
}

func intersect(a, b document.Box) document.Box {
	c := document.Box{X0: max(a.X0, b.X0), Y0: max(a.Y0, b.Y0), X1: min(a.X1, b.X1), Y1: min(a.Y1, b.Y1)}
	c.X1, c.Y1 = max(c.X0, c.X1), max(c.Y0, c.Y1)
	return c
}
