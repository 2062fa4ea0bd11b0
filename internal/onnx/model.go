package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/core"
)

// Model describes the file of a model, and the contract on which its user relies.
type Model struct {
	// Name is the name of the model in messages.
	Name string
	// Path is the path of the file.
	Path string
	// SHA256 is the digest of the file: 64 lower-case hexadecimal digits.
	SHA256 string
	// Content takes the place of the file if it is set, without a digest: it was made from files that were checked. [Runtime.Load] may
	// change it.
	Content []byte
	// Inputs are all inputs that the model requires. Outputs are those outputs that its user needs.
	Inputs, Outputs []Port
}

// Port is one input or output of a model.
type Port struct {
	Name string
	// Shape has the size of each dimension: [Any] if it differs from run to run, [OfFile] if the file decides.
	Shape []int64
	// Type is the element type. For [Float32] the file may have float16: see [Pool.Run].
	Type ElementType
}

// ElementType is the type of a tensor's elements.
type ElementType int

// The element types.
const (
	Float32 ElementType = iota
	Int64
	Uint8
)

func (t ElementType) String() string {
	switch t {
	case Int64:
		return "int64"
	case Uint8:
		return "uint8"
	default:
		return "float32"
	}
}

// accepts reports whether a file may have this element type for t.
func (t ElementType) accepts(have ort.TensorElementDataType) bool {
	switch t {
	case Int64:
		return have == ort.TensorElementDataTypeInt64
	case Uint8:
		return have == ort.TensorElementDataTypeUint8
	default:
		return have == ort.TensorElementDataTypeFloat || have == ort.TensorElementDataTypeFloat16
	}
}

// Any is a dimension of any size. The file must not fix it for an input; it may for an output.
const Any int64 = -1

// OfFile is a dimension that the file may fix, even for an input. It is for an input that takes the output of another model.
const OfFile int64 = -2

// Read returns the bytes of the file after a check of their digest. The session is created from these bytes, so that the checked bytes
// are those that run.
//
// Errors: CodeModelMissing when the file is missing or has another SHA-256.
func (m Model) Read() ([]byte, error) {
	if m.Content != nil {
		return m.Content, nil
	}
	b, err := os.ReadFile(m.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("the file of model %q is missing", m.Name))
	case err != nil:
		return nil, core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("the file of model %q cannot be read", m.Name))
	}
	sum := sha256.Sum256(b)
	if digest := hex.EncodeToString(sum[:]); digest != m.SHA256 {
		return nil, core.Errorf(core.CodeModelMissing,
			"the file of model %q is not the one of the manifest: its SHA-256 is %s, expected %s", m.Name, digest, m.SHA256)
	}
	return b, nil
}

// contract is how the file of a model implements the ports of its [Model].
type contract struct {
	// inputs and outputs have the shapes of the file.
	inputs, outputs []Port
	// halfInputs and halfOutputs say which ports are float16 in the file.
	halfInputs, halfOutputs []bool
}

// checkContract compares the ports of the file with those of m.
func (m Model) checkContract(model []byte) (contract, error) {
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(model)
	if err != nil {
		return contract{}, core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("model %q cannot be loaded", m.Name))
	}
	for _, in := range inputs {
		if !slices.ContainsFunc(m.Inputs, func(p Port) bool { return p.Name == in.Name }) {
			return contract{}, core.Errorf(core.CodeModelMissing, "model %q requires an input %q that its contract does not have", m.Name, in.Name)
		}
	}
	var c contract
	for _, p := range m.Inputs {
		have, err := m.find("input", p, inputs)
		if err != nil {
			return contract{}, err
		}
		for i, d := range have.Dimensions {
			if p.Shape[i] == Any && d >= 0 {
				return contract{}, m.mismatch("input", p, have)
			}
		}
		c.inputs = append(c.inputs, Port{Name: p.Name, Shape: have.Dimensions, Type: p.Type})
		c.halfInputs = append(c.halfInputs, have.DataType == ort.TensorElementDataTypeFloat16)
	}
	for _, p := range m.Outputs {
		have, err := m.find("output", p, outputs)
		if err != nil {
			return contract{}, err
		}
		c.outputs = append(c.outputs, Port{Name: p.Name, Shape: have.Dimensions, Type: p.Type})
		c.halfOutputs = append(c.halfOutputs, have.DataType == ort.TensorElementDataTypeFloat16)
	}
	return c, nil
}

// find returns the port of the file for port p. A negative dimension in the file is open.
func (m Model) find(role string, p Port, all []ort.InputOutputInfo) (ort.InputOutputInfo, error) {
	i := slices.IndexFunc(all, func(h ort.InputOutputInfo) bool { return h.Name == p.Name })
	if i < 0 {
		return ort.InputOutputInfo{}, core.Errorf(core.CodeModelMissing, "model %q has no %s %q", m.Name, role, p.Name)
	}
	have := all[i]
	if !p.Type.accepts(have.DataType) || len(have.Dimensions) != len(p.Shape) {
		return ort.InputOutputInfo{}, m.mismatch(role, p, have)
	}
	for k, d := range have.Dimensions {
		if p.Shape[k] >= 0 && d >= 0 && d != p.Shape[k] {
			return ort.InputOutputInfo{}, m.mismatch(role, p, have)
		}
	}
	return have, nil
}

func (m Model) mismatch(role string, want Port, have ort.InputOutputInfo) error {
	return core.Errorf(core.CodeModelMissing, "%s %q of model %q is %s %v, expected %s %v",
		role, want.Name, m.Name, have.DataType, have.Dimensions, want.Type, want.Shape)
}
