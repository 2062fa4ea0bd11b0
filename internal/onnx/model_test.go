package onnx_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"plait/internal/onnx"
	"plait/internal/pipeline"
)

// message is a protobuf message under construction.
type message []byte

func (m message) number(field protowire.Number, v uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), v)
}

func (m message) bytes(field protowire.Number, b []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), b)
}

func (m message) text(field protowire.Number, s string) message { return m.bytes(field, []byte(s)) }

// port is a ValueInfoProto: a float tensor [any, n].
func port(name string, n int) message {
	shape := message{}.bytes(1, message{}.text(2, "batch")).bytes(1, message{}.number(1, uint64(n)))
	return message{}.text(1, name).bytes(2, message{}.bytes(1, message{}.number(1, 1).bytes(2, shape)))
}

// multiplier is a model y = x * weights with x, y [any, len(weights)], and one entry of metadata.
func multiplier(weights []float32) []byte {
	var raw []byte
	for _, w := range weights {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(w))
	}
	n := len(weights)
	initializer := message{}.number(1, uint64(n)).number(2, 1).text(8, "w").bytes(9, raw)
	node := message{}.text(1, "x").text(1, "w").text(2, "y").text(4, "Mul")
	graph := message{}.bytes(1, node).text(2, "multiplier").bytes(5, initializer).bytes(11, port("x", n)).bytes(12, port("y", n))
	metadata := message{}.text(1, "maker").text(2, "the test")
	return message{}.number(1, 8).bytes(7, graph).bytes(8, message{}.number(2, 13)).bytes(14, metadata)
}

// entry writes the file of a model and gives its manifest entry.
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
		"absent":        {func(m *onnx.Model) { m.Path += ".gone" }, `the file of model "multiplier" is absent`},
		"another file":  {func(m *onnx.Model) { m.SHA256 = hex.EncodeToString(make([]byte, 32)) }, `the file of model "multiplier" is not the one of the manifest`},
		"input name":    {func(m *onnx.Model) { m.Inputs[0].Name = "images" }, `demands an input "x" that its contract does not give`},
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
			require.Equal(t, pipeline.CodeModelMissing, pipeline.CodeOf(err))
			require.ErrorContains(t, err, c.message)
		})
	}
	t.Run("no model", func(t *testing.T) {
		t.Parallel()
		_, err := rt.Load(entry(t, []byte("no model"), 2), 1)
		require.Equal(t, pipeline.CodeModelMissing, pipeline.CodeOf(err))
		require.ErrorContains(t, err, `model "multiplier" cannot be loaded`)
	})
}
