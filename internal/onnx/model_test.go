package onnx_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
)

// multiplier returns a model y = x * weights with one metadata value. x and y have the shape [any, len(weights)].
func multiplier(weights []float32) []byte {
	n := int64(len(weights))
	return graph.Model{
		Inputs:       []graph.Value{{Name: "x", Shape: []int64{-1, n}}},
		Outputs:      []graph.Value{{Name: "y", Shape: []int64{-1, n}}},
		Initializers: []graph.Tensor{{Name: "w", Shape: []int64{n}, Floats: weights}},
		Nodes:        []graph.Node{{Op: "Mul", In: []string{"x", "w"}, Out: []string{"y"}}},
		Metadata:     map[string]string{"maker": "the test"},
	}.Bytes()
}

// entry writes a model to a file and returns its Model.
func entry(t *testing.T, content []byte, n int64) onnx.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "multiplier.onnx")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	sum := sha256.Sum256(content)
	return onnx.Model{
		Name: "multiplier", Path: path, SHA256: hex.EncodeToString(sum[:]),
		Inputs:  []onnx.Port{{Name: "x", Shape: []int64{onnx.Any, n}}},
		Outputs: []onnx.Port{{Name: "y", Shape: []int64{onnx.Any, n}}},
	}
}

func TestLoadRefusesByName(t *testing.T) {
	t.Parallel()
	rt := open(t, onnx.CPU, 1)
	good := multiplier([]float32{1, 2})
	for name, c := range map[string]struct {
		spoil   func(m *onnx.Model)
		message string
	}{
		"absent":        {func(m *onnx.Model) { m.Path += ".gone" }, `the file of model "multiplier" is missing`},
		"another file":  {func(m *onnx.Model) { m.SHA256 = hex.EncodeToString(make([]byte, 32)) }, `the file of model "multiplier" is not the one of the manifest`},
		"input name":    {func(m *onnx.Model) { m.Inputs[0].Name = "images" }, `requires an input "x" that its contract does not have`},
		"input shape":   {func(m *onnx.Model) { m.Inputs[0].Shape[1] = 3 }, `input "x" of model "multiplier"`},
		"input open":    {func(m *onnx.Model) { m.Inputs[0].Shape[1] = onnx.Any }, `input "x" of model "multiplier"`},
		"output name":   {func(m *onnx.Model) { m.Outputs[0].Name = "logits" }, `model "multiplier" has no output "logits"`},
		"output rank":   {func(m *onnx.Model) { m.Outputs[0].Shape = []int64{2} }, `output "y" of model "multiplier"`},
		"output closed": {func(m *onnx.Model) { m.Outputs[0].Shape[1] = 5 }, `output "y" of model "multiplier"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := entry(t, good, 2)
			c.spoil(&m)
			_, err := rt.Load(m, 1)
			require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
			require.ErrorContains(t, err, c.message)
		})
	}
	t.Run("no model", func(t *testing.T) {
		t.Parallel()
		_, err := rt.Load(entry(t, []byte("no model"), 2), 1)
		require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
		require.ErrorContains(t, err, `model "multiplier" cannot be loaded`)
	})
}
