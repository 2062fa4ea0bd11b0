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

	"plait/internal/pipeline"
)

// Model is the manifest entry of one model: which file it is, and the contract that its user relies on.
type Model struct {
	// Name is how messages call the model.
	Name string
	// Path is its file.
	Path string
	// SHA256 is the digest of the file, 64 lower-case hexadecimal digits.
	SHA256 string
	// Inputs and Outputs are all inputs that the model demands and the outputs that its user takes.
	Inputs, Outputs []Port
}

// Port is one input or output of a model: a tensor of float32.
type Port struct {
	Name string
	// Shape has one entry a dimension; [Any] for a dimension that differs from run to run.
	Shape []int64
}

// Any is a dimension of any size. An input must leave it open in the file; an output may fix it.
const Any int64 = -1

// read returns the bytes of the file once their digest is that of the manifest. The session is made from these bytes,
// so that what was checked is what runs.
func (m Model) read() ([]byte, error) {
	b, err := os.ReadFile(m.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, pipeline.Wrap(pipeline.CodeModelMissing, err, fmt.Sprintf("the file of model %q is absent", m.Name))
	case err != nil:
		return nil, pipeline.Wrap(pipeline.CodeModelMissing, err, fmt.Sprintf("the file of model %q cannot be read", m.Name))
	}
	sum := sha256.Sum256(b)
	if digest := hex.EncodeToString(sum[:]); digest != m.SHA256 {
		return nil, pipeline.Errorf(pipeline.CodeModelMissing,
			"the file of model %q is not the one of the manifest: its SHA-256 is %s, expected %s", m.Name, digest, m.SHA256)
	}
	return b, nil
}

// checkContract compares the ports of the file with those of the manifest, and returns the outputs as the file has them.
func (m Model) checkContract(model []byte) ([]Port, error) {
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(model)
	if err != nil {
		return nil, pipeline.Wrap(pipeline.CodeModelMissing, err, fmt.Sprintf("model %q cannot be loaded", m.Name))
	}
	for _, in := range inputs {
		if !slices.ContainsFunc(m.Inputs, func(p Port) bool { return p.Name == in.Name }) {
			return nil, pipeline.Errorf(pipeline.CodeModelMissing, "model %q demands an input %q that its contract does not give", m.Name, in.Name)
		}
	}
	for _, p := range m.Inputs {
		have, err := m.find("input", p, inputs)
		if err != nil {
			return nil, err
		}
		for i, d := range have {
			if p.Shape[i] == Any && d >= 0 {
				return nil, m.mismatch("input", p, have)
			}
		}
	}
	found := make([]Port, len(m.Outputs))
	for i, p := range m.Outputs {
		have, err := m.find("output", p, outputs)
		if err != nil {
			return nil, err
		}
		found[i] = Port{Name: p.Name, Shape: have}
	}
	return found, nil
}

// find returns the shape that the file gives to port p, where a negative dimension is left open.
func (m Model) find(role string, p Port, have []ort.InputOutputInfo) ([]int64, error) {
	i := slices.IndexFunc(have, func(h ort.InputOutputInfo) bool { return h.Name == p.Name })
	if i < 0 {
		return nil, pipeline.Errorf(pipeline.CodeModelMissing, "model %q has no %s %q", m.Name, role, p.Name)
	}
	dims := have[i].Dimensions
	if have[i].DataType != ort.TensorElementDataTypeFloat || len(dims) != len(p.Shape) {
		return nil, m.mismatch(role, p, dims)
	}
	for k, d := range dims {
		if p.Shape[k] != Any && d >= 0 && d != p.Shape[k] {
			return nil, m.mismatch(role, p, dims)
		}
	}
	return dims, nil
}

func (m Model) mismatch(role string, want Port, have []int64) error {
	return pipeline.Errorf(pipeline.CodeModelMissing, "%s %q of model %q has the shape %v or another type, expected float32 %v",
		role, want.Name, m.Name, have, want.Shape)
}
