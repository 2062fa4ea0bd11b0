// Package embed embeds faces into a PDF file: each as one composite font with a subset of the glyphs that the pages of the file use, and with
// a map to Unicode.
//
// A code of such a font stands for a glyph together with its text, so that a glyph which stands for different texts has several codes, and
// every cluster is extracted as what it stands for. A glyph with marks becomes one glyph of the subset: as glyphs of their own, marks would be
// extracted too.
package embed

import (
	"fmt"
	"math"

	"plait/internal/core"
	"plait/internal/document"
)

// glyph is a glyph of a face with the text that it stands for.
type glyph struct {
	id   uint16
	text string
	// marks is the key of its marks.
	marks string
}

// Face collects what the pages of a file use of a face.
type Face struct {
	name   string
	metric metrics
	codes  map[glyph]uint16
	glyphs []glyph // by code; code 0 is that of a missing glyph
	marks  map[string][]document.Mark
}

// NewFace reads the metrics of a TrueType or OpenType file with the name that fonts of the file get. It does not keep the data.
func NewFace(name string, data []byte) (*Face, error) {
	m, err := readMetrics(data)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("the font %q cannot be read", name))
	}
	return &Face{name: name, metric: m, codes: map[glyph]uint16{}, glyphs: []glyph{{}}, marks: map[string][]document.Mark{}}, nil
}

// Code returns the code of a glyph with its text and its marks, and makes one if there is none yet. Two bytes write a code, the high one
// first.
func (f *Face) Code(id uint32, text string, marks ...document.Mark) (uint16, error) {
	for _, m := range append([]document.Mark{{ID: id}}, marks...) {
		if m.ID >= uint32(f.metric.glyphs) {
			return 0, core.Errorf(core.CodeInternal, "the font %q has no glyph %d", f.name, m.ID)
		}
	}
	g := glyph{id: uint16(id), text: text}
	if len(marks) > 0 {
		if f.metric.cff {
			return 0, core.Errorf(core.CodeInternal, "the font %q cannot join glyphs", f.name)
		}
		g.marks = f.parts(marks)
	}
	if code, ok := f.codes[g]; ok {
		return code, nil
	}
	if len(f.glyphs) > math.MaxUint16/2 {
		return 0, core.Errorf(core.CodeTooLarge, "the document uses too many glyphs of the font %q", f.name)
	}
	code := uint16(len(f.glyphs))
	f.codes[g] = code
	f.glyphs = append(f.glyphs, g)
	return code, nil
}

// Width returns the width of a code in 1/1000 of the size, as the font of the file has it.
func (f *Face) Width(code uint16) float64 { return f.metric.width(f.glyphs[code].id) }

// Ascent and Descent return the distances of the top and the bottom of a line from its baseline, in parts of the size; both are positive.
func (f *Face) Ascent() float64 { return f.metric.ascent / 1000 }

// Descent is as [Face.Ascent].
func (f *Face) Descent() float64 { return -f.metric.descent / 1000 }
