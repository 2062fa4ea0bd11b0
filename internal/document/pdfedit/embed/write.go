package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/core"
	"plait/internal/document/pdfedit/output"
)

// Flags of font descriptors.
const (
	flagFixed    = 1 << 0
	flagSymbolic = 1 << 2 // the codes are no standard encoding
	flagItalic   = 1 << 6
)

// Write writes the font as the object of this number, with everything that belongs to it. Data is that of [NewFace].
func (f *Face) Write(file *output.File, number int, data []byte) error {
	ids := make([]uint16, len(f.glyphs))
	for code, g := range f.glyphs {
		ids[code] = g.id
	}
	marks, joined := f.marked()
	program, err := subset(data, slices.Concat(ids, marks), joined)
	if err != nil {
		return core.Wrap(core.CodeInternal, err, fmt.Sprintf("no subset can be made of the font %q", f.name))
	}
	stream, descriptor, descendant, unicode := file.Reserve(), file.Reserve(), file.Reserve(), file.Reserve()
	name := types.Name(tag(ids) + "+" + f.name)
	entries, key := types.Dict{"Length1": types.Integer(len(program))}, "FontFile2"
	if f.metric.cff {
		entries, key = types.Dict{"Subtype": types.Name("CIDFontType0C")}, "FontFile3"
	}
	if err := file.Flate(stream, entries, program); err != nil {
		return err
	}
	if err := file.Flate(unicode, nil, f.toUnicode()); err != nil {
		return err
	}
	for _, object := range []struct {
		number int
		dict   types.Dict
	}{
		{descriptor, f.descriptor(name, key, stream)},
		{descendant, f.descendant(name, descriptor)},
		{number, types.Dict{
			"Type": types.Name("Font"), "Subtype": types.Name("Type0"), "BaseFont": name, "Encoding": types.Name("Identity-H"),
			"DescendantFonts": types.Array{ref(descendant)}, "ToUnicode": ref(unicode),
		}},
	} {
		if err := file.Object(object.number, object.dict); err != nil {
			return err
		}
	}
	return nil
}

func (f *Face) descriptor(name types.Name, key string, stream int) types.Dict {
	flags := flagSymbolic
	if f.metric.fixed {
		flags |= flagFixed
	}
	if f.metric.italic != 0 {
		flags |= flagItalic
	}
	box := types.Array{}
	for _, x := range f.metric.box {
		box = append(box, types.Float(thousandth(x)))
	}
	return types.Dict{
		"Type": types.Name("FontDescriptor"), "FontName": name, "Flags": types.Integer(flags), "FontBBox": box,
		"ItalicAngle": types.Float(f.metric.italic), "Ascent": types.Float(f.metric.ascent), "Descent": types.Float(f.metric.descent),
		"CapHeight": types.Float(f.metric.cap), "StemV": types.Float(f.metric.stem), key: ref(stream),
	}
}

func (f *Face) descendant(name types.Name, descriptor int) types.Dict {
	widths := make(types.Array, len(f.glyphs))
	for code := range f.glyphs {
		widths[code] = types.Float(f.Width(uint16(code)))
	}
	dict := types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("CIDFontType2"), "BaseFont": name, "FontDescriptor": ref(descriptor),
		"CIDSystemInfo": types.Dict{
			"Registry": types.StringLiteral("Adobe"), "Ordering": types.StringLiteral("Identity"), "Supplement": types.Integer(0),
		},
		"W": types.Array{types.Integer(0), widths}, "CIDToGIDMap": types.Name("Identity"),
	}
	if f.metric.cff {
		dict["Subtype"] = types.Name("CIDFontType0")
		delete(dict, "CIDToGIDMap")
	}
	return dict
}

// tag returns the six letters that name a subset, from its glyphs.
func tag(ids []uint16) string {
	list := make([]byte, 0, 2*len(ids))
	for _, id := range ids {
		list = binary.BigEndian.AppendUint16(list, id)
	}
	sum := sha256.Sum256(list)
	letters := sum[:6]
	for i := range letters {
		letters[i] = 'A' + letters[i]%26
	}
	return string(letters)
}

func ref(number int) types.IndirectRef { return *types.NewIndirectRef(number, 0) }
