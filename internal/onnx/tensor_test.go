package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
	"plait/internal/onnx/onnxtest"
)

// loadGraph loads a graph with a contract of these inputs and outputs.
func loadGraph(tb testing.TB, rt *onnx.Runtime, g graph.Model, places int, inputs, outputs []onnx.Port) *onnx.Pool {
	tb.Helper()
	path, digest := onnxtest.Write(tb, "graph.onnx", g.Bytes())
	pool, err := rt.Load(onnx.Model{Name: "graph", Path: path, SHA256: digest, Inputs: inputs, Outputs: outputs}, places)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, pool.Close()) })
	return pool
}

func TestIntegersAndOutputsOfUnknownShape(t *testing.T) {
	t.Parallel()
	pool := loadGraph(t, open(t, onnx.CPU, 1), graph.Model{
		Inputs: []graph.Value{{Name: "ids", Type: graph.Int64, Shape: []int64{-1}}},
		Outputs: []graph.Value{
			{Name: "rows", Shape: []int64{-1, 2}}, {Name: "same", Type: graph.Int64, Shape: []int64{-1}},
		},
		Initializers: []graph.Tensor{{Name: "table", Shape: []int64{3, 2}, Floats: []float32{0, 1, 10, 11, 20, 21}}},
		Nodes: []graph.Node{
			{Op: "Gather", In: []string{"table", "ids"}, Out: []string{"rows"}},
			{Op: "Identity", In: []string{"ids"}, Out: []string{"same"}},
		},
	}, 1,
		[]onnx.Port{{Name: "ids", Shape: []int64{onnx.Any}, Type: onnx.Int64}},
		[]onnx.Port{{Name: "rows", Shape: []int64{onnx.Any, 2}}, {Name: "same", Shape: []int64{onnx.Any}, Type: onnx.Int64}})

	in := []onnx.Tensor{{Shape: []int64{2}, Ints: []int64{2, 0}}}
	out := make([]onnx.Tensor, 2)
	require.NoError(t, pool.Run(t.Context(), in, out))
	require.Equal(t, onnx.Tensor{Shape: []int64{2, 2}, Data: []float32{20, 21, 0, 1}}, out[0])
	require.Equal(t, onnx.Tensor{Shape: []int64{2}, Ints: []int64{2, 0}}, out[1])

	given := []onnx.Tensor{onnx.NewTensor(2, 2), {Shape: []int64{2}, Ints: make([]int64, 2)}}
	require.NoError(t, pool.Run(t.Context(), in, given))
	require.Equal(t, out, given)

	require.Equal(t, core.CodeDevice, core.CodeOf(pool.Run(t.Context(), in, given[:1])))
}

func TestElementTypesAreOfTheContract(t *testing.T) {
	t.Parallel()
	rt := open(t, onnx.CPU, 1)
	path, digest := onnxtest.Write(t, "floats.onnx", multiplier([]float32{1}))
	_, err := rt.Load(onnx.Model{
		Name: "floats", Path: path, SHA256: digest,
		Inputs:  []onnx.Port{{Name: "x", Shape: []int64{onnx.Any, 1}, Type: onnx.Int64}},
		Outputs: []onnx.Port{{Name: "y", Shape: []int64{onnx.Any, 1}}},
	}, 1)
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.ErrorContains(t, err, `expected int64`)
}

func TestAHalfPrecisionFileTakesAndGivesFloats(t *testing.T) {
	t.Parallel()
	pool := loadGraph(t, open(t, onnx.CPU, 1), graph.Model{
		Inputs:  []graph.Value{{Name: "x", Type: graph.Half, Shape: []int64{-1}}},
		Outputs: []graph.Value{{Name: "y", Type: graph.Half, Shape: []int64{-1}}},
		Nodes:   []graph.Node{{Op: "Add", In: []string{"x", "x"}, Out: []string{"y"}}},
	}, 1, []onnx.Port{{Name: "x", Shape: []int64{onnx.Any}}}, []onnx.Port{{Name: "y", Shape: []int64{onnx.Any}}})
	require.Equal(t, "float16", pool.Numbers())
	in := []onnx.Tensor{{Shape: []int64{3}, Data: []float32{0.5, -3, 1.0 / 3}}}
	out := []onnx.Tensor{onnx.NewTensor(3)}
	require.NoError(t, pool.Run(t.Context(), in, out))
	require.InDeltaSlice(t, []float32{1, -6, 2.0 / 3}, out[0].Data, 1e-3)
	require.ErrorContains(t, pool.Run(t.Context(), in, []onnx.Tensor{{}}), `"y" is float16 in the file`)
}

func TestBorrowedTensorsAreZero(t *testing.T) {
	t.Parallel()
	pool := load(t, []float32{1}, 1)
	for _, n := range []int64{1, 1024, 1025, 5000, 1 << 20, 1<<20 + 1} {
		first := pool.Borrow(n, 3)
		require.Len(t, first.Data, int(3*n))
		first.Data[0], first.Data[3*n-1] = 7, 7
		pool.Return(first, onnx.NewTensor(5), onnx.Tensor{})
		again := pool.Borrow(3, n)
		require.Equal(t, make([]float32, 3*n), again.Data)
	}
}

// BenchmarkTensors measures the allocations for a tile of 1600 x 1600 pixels, with new and with borrowed tensors.
func BenchmarkTensors(b *testing.B) {
	pool := loadGraph(b, open(b, onnx.CPU, 1), graph.Model{
		Inputs:  []graph.Value{{Name: "x", Shape: []int64{-1}}},
		Outputs: []graph.Value{{Name: "y", Shape: []int64{-1}}},
		Nodes:   []graph.Node{{Op: "Identity", In: []string{"x"}, Out: []string{"y"}}},
	}, 1, []onnx.Port{{Name: "x", Shape: []int64{onnx.Any}}}, []onnx.Port{{Name: "y", Shape: []int64{onnx.Any}}})
	b.Run("fresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = onnx.NewTensor(1, 3, 1600, 1600)
		}
	})
	b.Run("borrowed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pool.Return(pool.Borrow(1, 3, 1600, 1600))
		}
	})
}

func TestBytes(t *testing.T) {
	t.Parallel()
	pool := loadGraph(t, open(t, onnx.CPU, 1), graph.Model{
		Inputs:  []graph.Value{{Name: "x", Type: graph.Uint8, Shape: []int64{-1, 2}}},
		Outputs: []graph.Value{{Name: "y", Type: graph.Uint8, Shape: []int64{-1, 2}}},
		Nodes:   []graph.Node{{Op: "Identity", In: []string{"x"}, Out: []string{"y"}}},
	}, 1,
		[]onnx.Port{{Name: "x", Shape: []int64{onnx.Any, onnx.OfFile}, Type: onnx.Uint8}},
		[]onnx.Port{{Name: "y", Shape: []int64{onnx.Any, 2}, Type: onnx.Uint8}})
	require.Equal(t, []int64{-1, 2}, pool.Inputs()[0].Shape)

	in, out := []onnx.Tensor{{Shape: []int64{1, 2}, Bytes: []uint8{0, 255}}}, make([]onnx.Tensor, 1)
	require.NoError(t, pool.Run(t.Context(), in, out))
	require.Equal(t, in, out)
	given := []onnx.Tensor{{Shape: []int64{1, 2}, Bytes: make([]uint8, 2)}}
	require.NoError(t, pool.Run(t.Context(), in, given))
	require.Equal(t, in, given)
}
