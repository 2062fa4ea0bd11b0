package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
	"plait/internal/onnx/onnxtest"
)

// adder returns a model y = x + state, state' = y * factor, whose inner values have the same names in each model.
func adder(factor float32) []byte {
	any2 := []int64{-1, -1}
	return graph.Model{
		Inputs:       []graph.Value{{Name: "x", Shape: any2}, {Name: "state", Shape: any2}},
		Outputs:      []graph.Value{{Name: "y", Shape: any2}, {Name: "state'", Shape: any2}},
		Initializers: []graph.Tensor{{Name: "factor", Shape: []int64{1}, Floats: []float32{factor}}},
		Nodes: []graph.Node{
			{Op: "Add", In: []string{"x", "state"}, Out: []string{"sum"}},
			{Op: "Identity", In: []string{"sum"}, Out: []string{"y"}},
			{Op: "Mul", In: []string{"sum", "factor"}, Out: []string{"state'"}},
		},
	}.Bytes()
}

func TestChain(t *testing.T) {
	t.Parallel()
	joined, err := graph.Chain([][]byte{adder(2), adder(3), adder(5)}, "x", "y")
	require.NoError(t, err)
	path, digest := onnxtest.Write(t, "joined.onnx", joined)
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU})
	require.NoError(t, err)
	defer rt.Close()
	port := func(names ...string) (ports []onnx.Port) {
		for _, name := range names {
			ports = append(ports, onnx.Port{Name: name, Shape: []int64{onnx.Any, onnx.Any}})
		}
		return ports
	}
	pool, err := rt.Load(onnx.Model{
		Name: "joined", Path: path, SHA256: digest,
		Inputs: port("x", "0/state", "1/state", "2/state"), Outputs: port("y", "0/state'", "1/state'", "2/state'"),
	}, 1)
	require.NoError(t, err)
	defer pool.Close()

	one := func(v float32) onnx.Tensor { return onnx.Tensor{Shape: []int64{1, 1}, Data: []float32{v}} }
	out := []onnx.Tensor{one(0), one(0), one(0), one(0)}
	require.NoError(t, pool.Run(t.Context(), []onnx.Tensor{one(1), one(10), one(100), one(1000)}, out))
	require.Equal(t, []onnx.Tensor{one(1111), one(22), one(333), one(5555)}, out)
}

func TestChainRefuses(t *testing.T) {
	t.Parallel()
	_, err := graph.Chain(nil, "x", "y")
	require.ErrorContains(t, err, "no models")
	_, err = graph.Chain([][]byte{adder(1), []byte("no model")}, "x", "y")
	require.ErrorContains(t, err, "model 1: it is not an ONNX model")
	_, err = graph.Chain([][]byte{adder(1)}, "x", "z")
	require.ErrorContains(t, err, `model 0 has no input "x" or no output "z"`)
}

func FuzzChain(f *testing.F) {
	f.Add(adder(1))
	f.Add([]byte{0x3a, 0x02, 0x0a, 0x00})
	f.Fuzz(func(t *testing.T, file []byte) {
		joined, err := graph.Chain([][]byte{file, file}, "x", "y")
		if err == nil {
			require.LessOrEqual(t, len(joined), 32*len(file)+256) // two files, and a prefix for each name
		}
	})
}
