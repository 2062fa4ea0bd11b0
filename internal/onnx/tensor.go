package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"

	"github.com/x448/float16"
	ort "github.com/yalue/onnxruntime_go"
)

// Tensor is a dense array in row-major order: of float32 in Data, of int64 in Ints, or of uint8 in Bytes. Only one of them is used, and
// its length is the product of Shape.
type Tensor struct {
	Shape []int64
	Data  []float32
	Ints  []int64
	Bytes []uint8
}

// NewTensor returns a float32 tensor of zeros.
func NewTensor(shape ...int64) Tensor {
	return Tensor{Shape: shape, Data: make([]float32, size(shape))}
}

// size returns the number of elements.
func size(shape []int64) int {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return int(n)
}

// binding has the library's values for the tensors of one run.
type binding struct {
	pinner runtime.Pinner // the library keeps the addresses while it runs
	made   []ort.Value
}

// values returns the library's value for each tensor, or nil for an output without a shape. It converts inputs that are float16 in the
// file.
func (b *binding) values(tensors []Tensor, ports []Port, half []bool, input bool) ([]ort.Value, error) {
	values := make([]ort.Value, len(tensors))
	for i, t := range tensors {
		if t.Shape == nil && !input {
			if half[i] { // the Go binding truncates such values
				return nil, fmt.Errorf("%q is float16 in the file and its size is not known in advance: a float32 output is needed", ports[i].Name)
			}
			continue
		}
		v, err := b.value(t, ports[i].Type, half[i], input)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", ports[i].Name, err)
		}
		b.made = append(b.made, v)
		values[i] = v
	}
	return values, nil
}

func (b *binding) value(t Tensor, kind ElementType, half, input bool) (ort.Value, error) {
	switch {
	case kind == Int64:
		return pinned(b, t.Shape, t.Ints)
	case kind == Uint8:
		return pinned(b, t.Shape, t.Bytes)
	case half:
		raw := make([]byte, 2*len(t.Data))
		if input {
			toHalf(raw, t.Data)
		}
		if len(raw) == 0 {
			return nil, errors.New("an empty tensor")
		}
		b.pinner.Pin(&raw[0])
		return ort.NewCustomDataTensor(ort.Shape(t.Shape), raw, ort.TensorElementDataTypeFloat16)
	default:
		return pinned(b, t.Shape, t.Data)
	}
}

func pinned[T float32 | int64 | uint8](b *binding, shape []int64, data []T) (ort.Value, error) {
	if len(data) > 0 {
		b.pinner.Pin(&data[0])
	}
	return ort.NewTensor(ort.Shape(shape), data)
}

// release frees the values. It ignores the error of Destroy, which only says that the value was freed before.
func (b *binding) release() {
	for _, v := range b.made {
		_ = v.Destroy()
	}
	b.pinner.Unpin()
}

// take copies a value into the caller's tensor, unless the two share their memory.
func take(v ort.Value, t *Tensor, want ElementType) error {
	made := t.Shape == nil
	if made {
		t.Shape = v.GetShape()
	}
	switch v := v.(type) {
	case *ort.Tensor[float32]:
		if made && want == Float32 {
			t.Data = append(t.Data[:0], v.GetData()...)
			return nil
		}
	case *ort.Tensor[int64]:
		if made && want == Int64 {
			t.Ints = append(t.Ints[:0], v.GetData()...)
			return nil
		}
	case *ort.Tensor[uint8]:
		if made && want == Uint8 {
			t.Bytes = append(t.Bytes[:0], v.GetData()...)
			return nil
		}
	case *ort.CustomDataTensor:
		if !made {
			fromHalf(t.Data, v.GetData())
			return nil
		}
	}
	if made {
		return fmt.Errorf("the model returned another type than %s", want)
	}
	return nil
}

func toHalf(to []byte, from []float32) {
	for i, f := range from {
		binary.NativeEndian.PutUint16(to[2*i:], float16.Fromfloat32(f).Bits())
	}
}

func fromHalf(to []float32, from []byte) {
	for i := range to {
		to[i] = float16.Frombits(binary.NativeEndian.Uint16(from[2*i:])).Float32()
	}
}
