package content

import (
	"errors"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/core"
	"plait/internal/document"
)

// Stream is a content stream in use: that of the page, or that of a form XObject at one of its Do operators.
type Stream struct {
	Bytes []byte
	// Form is the form XObject; nil for the page. Name is its name in the resources of Parent, and Do the range of the operator there.
	Form       *types.StreamDict
	Ref        *types.IndirectRef
	Name       string
	Parent     *Stream
	Start, End int
	// Resources are those that the names of the stream refer to.
	Resources types.Dict
}

// Drawing is an operator that draws.
type Drawing struct {
	// Op is the position of the operator; only operators that show text or paint a path have one, and it is -1 for an image.
	Op       document.Op
	Stream   *Stream
	Operator Operator
	// State is that before the operator, with the text position of ' and " after their move to the next line.
	State State
	// Saved are the states that the stream has saved and not restored yet, the outermost first. The list is valid until visit returns.
	Saved []Saved
	// One of these is set.
	Show  *Show
	Path  *Path
	Image *document.Box
}

// Saved is a state that an operator q has saved.
type Saved struct {
	State
	// Start is the offset of the operator in the stream.
	Start int
}

// Show is a shown text.
type Show struct {
	// Glyphs are its glyphs, and Origins their origins: matrices from the em of the glyph to the user space of the page.
	Glyphs  []Glyph
	Origins []Matrix
	// After is the text matrix after the operator.
	After Matrix
}

// Path is a painted path.
type Path struct {
	Subpaths []Subpath
	// Start is the offset in the stream of the first operator that builds the path.
	Start        int
	Fill, Stroke bool
	// Clips is set for a path that also becomes the clipping path.
	Clips bool
	// Width is the width of strokes in the user space of the page.
	Width float64
}

// Subpath is a part of a path, in the user space of the page.
type Subpath struct {
	Points []document.Point
	// Curved is set if the part has a curve; Points then has the ends of the curves.
	Curved, Closed bool
}

// The limits of a page. A page that exceeds one is refused, because it could not be shown in bounded time either.
const (
	maxForms     = 20
	maxDrawings  = 1 << 20
	maxShown     = 1 << 20 // bytes of strings
	maxSaved     = 1 << 12
	maxMarks     = 1 << 8
	maxSubpaths  = 1 << 16
	maxFormCalls = 1 << 14
)

// Page is a page to walk through.
type Page struct {
	Objects *model.XRefTable
	// Content is the content of the page: its streams, joined with line breaks.
	Content   []byte
	Resources types.Dict
	// Crop is the visible part of the page.
	Crop document.Box
}

// Walk calls visit for every operator of a page that draws, in the order of execution. It fails with CodeInvalidDocument for a page that
// exceeds a limit, and with the error of visit.
func Walk(p Page, visit func(Drawing) error) error {
	w := &walker{loader: loader{objects: p.Objects, fonts: map[string]*Font{}}, visit: visit}
	stream := &Stream{Bytes: p.Content, Resources: p.Resources}
	w.run(stream, initialState(Identity, p.Crop), 0)
	if errors.Is(w.err, errStop) {
		return nil
	}
	return w.err
}

// errStop ends a walk without an error.
var errStop = errors.New("stop")

type walker struct {
	loader
	visit func(Drawing) error
	op    document.Op
	calls int
	shown int
	err   error
}

// frame is the execution of one stream.
type frame struct {
	*walker
	stream *Stream
	State
	saved []Saved
	path  Path
	// rectangles means that the path consists of upright rectangles, and clipping that it becomes the clipping path.
	rectangles bool
	clipping   bool
	depth      int
}

func (w *walker) run(stream *Stream, state State, depth int) {
	f := &frame{walker: w, stream: stream, State: state, depth: depth}
	f.resetPath()
	Scan(stream.Bytes, func(op Operator) bool {
		f.execute(op)
		return w.err == nil
	})
}

func (w *walker) fail(message string) {
	w.err = core.NewError(core.CodeInvalidDocument, message)
}

// emit reports a drawing and, for one with a position, counts it.
func (f *frame) emit(d Drawing, counted bool) {
	d.Stream, d.State, d.Saved, d.Op = f.stream, f.clone(), f.saved, -1
	if counted {
		d.Op = f.op
		if f.op++; f.op > maxDrawings {
			f.fail("a page draws too much")
			return
		}
	}
	if err := f.visit(d); err != nil && f.err == nil {
		f.err = err
	}
}

// execute runs one operator. Operators without an effect on text, paths and images do nothing.
func (f *frame) execute(op Operator) {
	switch op.Name {
	case "q":
		if len(f.saved) < maxSaved {
			f.saved = append(f.saved, Saved{f.clone(), op.Start})
		}
	case "Q":
		f.restore()
	case "cm":
		if m, ok := matrixOf(op.Operands); ok && m.Mul(f.CTM).finite() {
			f.CTM = m.Mul(f.CTM)
		}
	case "w":
		f.LineWidth = number(op, 0)
	case "gs":
		f.graphicsState(op)
	case "Do":
		f.object(op)
	case "BI":
		box := boxOf(0, 0, 1, 1, f.CTM)
		f.emit(Drawing{Operator: op, Image: &box}, false)
	case "BMC", "BDC":
		f.mark(op)
	case "EMC":
		if n := len(f.Marks); n > 0 {
			f.Marks = f.Marks[:n-1]
		}
	default:
		if !f.executeColor(op) && !f.executePath(op) {
			f.executeText(op)
		}
	}
}

// restore takes back the last saved state. Marked content is no part of it.
func (f *frame) restore() {
	n := len(f.saved)
	if n == 0 {
		return
	}
	marks := f.Marks
	f.State, f.saved = f.saved[n-1].State, f.saved[:n-1]
	f.Marks = marks
}

func (f *frame) mark(op Operator) {
	if len(f.Marks) >= maxMarks {
		return
	}
	m := Mark{Stream: f.stream, Start: op.Start, End: op.End}
	if len(op.Operands) > 0 {
		m.Tag = string(op.Operands[0].Text)
	}
	if len(op.Operands) > 1 {
		m.Text, m.Replaces = f.replacement(op.Operands[1])
	}
	f.Marks = append(f.Marks, m)
}

// graphicsState applies the entries of a graphics state dictionary that matter here: font and line width.
func (f *frame) graphicsState(op Operator) {
	d := f.dict(f.dict(f.stream.Resources, "ExtGState"), name(op))
	if d == nil {
		return
	}
	if _, found := d.Find("LW"); found {
		f.LineWidth = f.number(d, "LW")
	}
	o, found := d.Find("Font")
	if !found {
		return
	}
	pair, err := f.objects.DereferenceArray(o)
	if err != nil || len(pair) < 2 {
		return
	}
	dict, err := f.objects.DereferenceDict(pair[0])
	size, errSize := f.objects.DereferenceNumber(pair[1])
	if err == nil && errSize == nil && dict != nil {
		f.Text.Font, f.Text.FontName, f.Text.Size = f.read(dict), "", size
	}
}

// object draws an image, or executes a form.
func (f *frame) object(op Operator) {
	of := name(op)
	o, found := f.dict(f.stream.Resources, "XObject").Find(of)
	if !found {
		return
	}
	d, _, err := f.objects.DereferenceStreamDict(o)
	if err != nil || d == nil {
		return
	}
	switch subtype := d.NameEntry("Subtype"); {
	case subtype != nil && *subtype == "Image":
		box := boxOf(0, 0, 1, 1, f.CTM)
		f.emit(Drawing{Operator: op, Image: &box}, false)
	case subtype != nil && *subtype == "Form":
		f.form(op, of, o, d)
	}
}

func (f *frame) form(op Operator, of string, o types.Object, d *types.StreamDict) {
	if f.depth >= maxForms { // a form that draws itself
		return
	}
	if f.calls++; f.calls > maxFormCalls {
		f.fail("a page draws too many forms")
		return
	}
	stream := &Stream{
		Bytes: f.loader.stream(o), Form: d, Name: of, Parent: f.stream, Start: op.Start, End: op.End, Resources: f.dict(d.Dict, "Resources"),
	}
	if ref, ok := o.(types.IndirectRef); ok {
		stream.Ref = &ref
	}
	if stream.Resources == nil {
		stream.Resources = f.stream.Resources
	}
	state := f.clone()
	state.InText, state.Matrix, state.Line = false, Identity, Identity
	if m, ok := f.matrixEntry(d.Dict); ok {
		state.CTM = m.Mul(state.CTM)
	}
	if box, ok := f.boxEntry(d.Dict); ok {
		state.clip(box, state.CTM)
	}
	f.run(stream, state, f.depth+1)
}

// clip narrows the clip to a rectangle of the space of m.
func (s *State) clip(b document.Box, m Matrix) {
	s.Clip = intersect(s.Clip, boxOf(b.X0, b.Y0, b.X1-b.X0, b.Y1-b.Y0, m))
	s.ClipExact = s.ClipExact && (m.B == 0 && m.C == 0 || m.A == 0 && m.D == 0)
}

func (l *loader) matrixEntry(d types.Dict) (Matrix, bool) {
	n, ok := l.numbers(d, "Matrix", 6)
	if !ok {
		return Identity, false
	}
	m := Matrix{n[0], n[1], n[2], n[3], n[4], n[5]}
	return m, m.finite()
}

func (l *loader) boxEntry(d types.Dict) (document.Box, bool) {
	n, ok := l.numbers(d, "BBox", 4)
	if !ok {
		return document.Box{}, false
	}
	return document.Box{X0: min(n[0], n[2]), Y0: min(n[1], n[3]), X1: max(n[0], n[2]), Y1: max(n[1], n[3])}, true
}

func (l *loader) numbers(d types.Dict, key string, n int) ([]float64, bool) {
	o, found := d.Find(key)
	if !found {
		return nil, false
	}
	a, err := l.objects.DereferenceArray(o)
	if err != nil || len(a) < n {
		return nil, false
	}
	list := make([]float64, n)
	for i := range list {
		if list[i], err = l.objects.DereferenceNumber(a[i]); err != nil {
			return nil, false
		}
	}
	return list, true
}

// number is an operand of an operator, or 0.
func number(op Operator, i int) float64 {
	if i < len(op.Operands) && op.Operands[i].Kind == Number {
		return op.Operands[i].Number
	}
	return 0
}

// name is the first operand of an operator, or empty.
func name(op Operator) string {
	if len(op.Operands) > 0 && op.Operands[0].Kind == Name {
		return string(op.Operands[0].Text)
	}
	return ""
}

func matrixOf(o []Operand) (Matrix, bool) {
	const n = 6
	if len(o) < n {
		return Identity, false
	}
	o = o[len(o)-n:]
	for _, v := range o {
		if v.Kind != Number {
			return Identity, false
		}
	}
	return Matrix{o[0].Number, o[1].Number, o[2].Number, o[3].Number, o[4].Number, o[5].Number}, true
}
