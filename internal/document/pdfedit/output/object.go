package output

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// pack is an object stream that is being filled.
type pack struct {
	stream  int
	numbers []int
	offsets []int
	data    []byte
}

func (p *pack) add(number int, object types.Object) (err error) {
	p.numbers = append(p.numbers, number)
	p.offsets = append(p.offsets, len(p.data))
	if p.data, err = Append(p.data, object); err != nil {
		return fmt.Errorf("object %d: %w", number, err)
	}
	p.data = append(p.data, '\n')
	return nil
}

// encode returns the object stream: pairs of numbers and offsets, and the objects.
func (p *pack) encode() (types.Dict, []byte) {
	var head []byte
	for i, number := range p.numbers {
		head = fmt.Appendf(head, "%d %d ", number, p.offsets[i])
	}
	dict := types.Dict{"Type": types.Name("ObjStm"), "N": types.Integer(len(p.numbers)), "First": types.Integer(len(head))}
	return dict, append(head, p.data...)
}

// Deflate compresses data for the filter FlateDecode.
func Deflate(data []byte) ([]byte, error) {
	var small bytes.Buffer
	w := zlib.NewWriter(&small)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return small.Bytes(), nil
}

// Append appends an object as a PDF file writes it. Keys of dictionaries are sorted.
func Append(to []byte, object types.Object) ([]byte, error) {
	switch o := object.(type) {
	case nil:
		return append(to, "null"...), nil
	case types.Dict:
		return appendDict(to, o)
	case types.Array:
		return appendArray(to, o)
	case types.IndirectRef:
		// Every object that is written has generation 0.
		return fmt.Appendf(to, "%d 0 R", o.ObjectNumber.Value()), nil
	case types.Float:
		return AppendNumber(to, o.Value()), nil
	case types.Name:
		return append(append(to, '/'), types.EncodeName(string(o))...), nil
	case types.Integer, types.Boolean, types.StringLiteral, types.HexLiteral:
		return append(to, o.PDFString()...), nil
	default:
		return to, fmt.Errorf("a %T cannot be part of another object", object)
	}
}

func appendDict(to []byte, dict types.Dict) (_ []byte, err error) {
	to = append(to, "<<"...)
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		to = append(append(append(to, '/'), types.EncodeName(key)...), ' ')
		if to, err = Append(to, dict[key]); err != nil {
			return to, fmt.Errorf("%s: %w", key, err)
		}
	}
	return append(to, ">>"...), nil
}

func appendArray(to []byte, array types.Array) (_ []byte, err error) {
	to = append(to, '[')
	for i, element := range array {
		if i > 0 {
			to = append(to, ' ')
		}
		if to, err = Append(to, element); err != nil {
			return to, err
		}
	}
	return append(to, ']'), nil
}

// AppendNumber appends a number in the shortest form that reads as the same number, without an exponent. Digits after the sixth place, which
// no viewer can show, are dropped from numbers that are larger than that.
func AppendNumber(to []byte, x float64) []byte {
	if x > -1e-4 && x < 1e-4 {
		return strconv.AppendFloat(to, x, 'f', -1, 64)
	}
	start := len(to)
	to = strconv.AppendFloat(to, x, 'f', 6, 64)
	if slices.Contains(to[start:], '.') {
		to = bytes.TrimRight(to, "0")
		to = bytes.TrimSuffix(to, []byte("."))
	}
	return to
}
