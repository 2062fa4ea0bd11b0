package content

import (
	"bytes"
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
)

// executeColor runs the operators that set colors; it returns false for any other operator.
func (f *frame) executeColor(op Operator) bool {
	switch op.Name {
	case "g", "rg", "k":
		f.Fill = colorOf(op.Operands, 0)
		f.FillOps, f.fillSpace = f.bytes(op), 0
	case "G", "RG", "K":
		f.Stroke, f.strokeSpace = colorOf(op.Operands, 0), 0
	case "cs":
		f.fillSpace = f.components(name(op))
		f.Fill, f.FillOps = document.Color{}, f.bytes(op)
	case "CS":
		f.strokeSpace, f.Stroke = f.components(name(op)), document.Color{}
	case "sc", "scn":
		f.Fill = colorOf(op.Operands, f.fillSpace)
		f.FillOps = f.setsColor(op)
	case "SC", "SCN":
		f.Stroke = colorOf(op.Operands, f.strokeSpace)
	default:
		return false
	}
	return true
}

func (f *frame) bytes(op Operator) []byte { return bytes.Clone(f.stream.Bytes[op.Start:op.End]) }

// setsColor returns the operator with the one that set its color space.
func (f *frame) setsColor(op Operator) []byte {
	space := f.FillOps
	if i := bytes.IndexByte(space, '\n'); i >= 0 {
		space = space[:i]
	}
	if !bytes.HasSuffix(space, []byte("cs")) {
		return f.bytes(op)
	}
	return append(append(bytes.Clone(space), '\n'), f.bytes(op)...)
}

// tint marks the color spaces in which 0 is the lightest value.
const tint = -1

// components is the number of components of a color space, or tint for a separation.
func (f *frame) components(space string) int {
	switch space {
	case "DeviceGray", "CalGray", "G":
		return 1
	case "DeviceRGB", "CalRGB", "RGB":
		return 3
	case "DeviceCMYK", "CMYK":
		return 4
	}
	o, found := f.dict(f.stream.Resources, "ColorSpace").Find(space)
	if !found {
		return 0
	}
	o, err := f.objects.Dereference(o)
	if err != nil {
		return 0
	}
	list, ok := o.(types.Array)
	if !ok || len(list) == 0 {
		return 0
	}
	if kind, ok := list[0].(types.Name); ok && (kind == "Separation" || kind == "DeviceN") {
		return tint
	}
	return 0
}

// colorOf is the sRGB color of components, by their number: gray, RGB or CMYK (ISO 32000-1, section 10.3).
func colorOf(operands []Operand, space int) document.Color {
	var v []float64
	for _, o := range operands {
		if o.Kind == Number {
			v = append(v, min(max(o.Number, 0), 1))
		}
	}
	switch {
	case len(v) == 1 && space == tint:
		return rgb(1-v[0], 1-v[0], 1-v[0])
	case len(v) == 1:
		return rgb(v[0], v[0], v[0])
	case len(v) == 3:
		return rgb(v[0], v[1], v[2])
	case len(v) == 4:
		return rgb((1-v[0])*(1-v[3]), (1-v[1])*(1-v[3]), (1-v[2])*(1-v[3]))
	}
	return document.Color{}
}

func rgb(r, g, b float64) document.Color {
	return document.Color{R: uint8(math.Round(255 * r)), G: uint8(math.Round(255 * g)), B: uint8(math.Round(255 * b))}
}
