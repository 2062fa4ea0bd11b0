package onnx_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/core"
	"plait/internal/onnx"
)

func open(tb testing.TB, device onnx.Device, threads int) *onnx.Runtime {
	tb.Helper()
	library, err := assetstest.Open(tb).Path(assets.OnnxRuntime)
	require.NoError(tb, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: device, Threads: threads})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, rt.Close()) })
	return rt
}

func load(t *testing.T, weights []float32, places int) *onnx.Pool {
	t.Helper()
	pool, err := open(t, onnx.CPU, 1).Load(entry(t, multiplier(weights), int64(len(weights))), places)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	return pool
}

func TestRun(t *testing.T) {
	t.Parallel()
	pool := load(t, []float32{2, -3}, 1)
	require.Equal(t, "CPUExecutionProvider", pool.Provider())
	require.Equal(t, "float32", pool.Numbers())
	require.Equal(t, "multiplier", pool.Name())
	maker, found := pool.Metadata("maker")
	require.True(t, found)
	require.Equal(t, "the test", maker)
	require.Equal(t, []onnx.Port{{Name: "y", Shape: []int64{-1, 2}}}, pool.Outputs())

	in := onnx.Tensor{Shape: []int64{2, 2}, Data: []float32{1, 1, 10, 10}}
	out := onnx.NewTensor(2, 2)
	require.NoError(t, pool.Run(t.Context(), []onnx.Tensor{in}, []onnx.Tensor{out}))
	require.Equal(t, []float32{2, -3, 20, -30}, out.Data)
}

func TestTinyWeightsAreZero(t *testing.T) {
	t.Parallel()
	pool := load(t, []float32{1e-39, -1e-39, 9e-21, 2e-20, -1}, 1)
	in := onnx.Tensor{Shape: []int64{1, 5}, Data: []float32{1e20, 1e20, 1e20, 1e20, 1}}
	out := onnx.NewTensor(1, 5)
	require.NoError(t, pool.Run(t.Context(), []onnx.Tensor{in}, []onnx.Tensor{out}))
	require.Zero(t, out.Data[0])
	require.Zero(t, out.Data[1])
	require.Zero(t, out.Data[2])
	require.InDelta(t, 2, out.Data[3], 1e-6)
	require.InDelta(t, -1, out.Data[4], 0)
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	pool := load(t, []float32{2, -3}, 1)
	in, out := onnx.NewTensor(1, 3), onnx.NewTensor(1, 2)
	err := pool.Run(t.Context(), []onnx.Tensor{in}, []onnx.Tensor{out})
	require.Equal(t, core.CodeDevice, core.CodeOf(err))
	require.ErrorContains(t, err, `model "multiplier" failed on its device`)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, pool.Run(ctx, []onnx.Tensor{onnx.NewTensor(1, 2)}, []onnx.Tensor{out}), context.Canceled)
}

func TestRunsSideBySide(t *testing.T) {
	t.Parallel()
	pool := load(t, []float32{1, 2, 3}, 2)
	require.Equal(t, 2, pool.Places())
	var group sync.WaitGroup
	for i := range 32 {
		group.Go(func() {
			in := onnx.Tensor{Shape: []int64{1, 3}, Data: []float32{float32(i), float32(i), float32(i)}}
			out := onnx.NewTensor(1, 3)
			if err := pool.Run(t.Context(), []onnx.Tensor{in}, []onnx.Tensor{out}); err != nil || out.Data[2] != float32(3*i) {
				t.Errorf("run %d: %v, %v", i, err, out.Data)
			}
		})
	}
	group.Wait()
}

func TestOpen(t *testing.T) {
	t.Parallel()
	_, err := onnx.Open(onnx.Config{Device: "tpu"})
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))

	for device, precision := range map[onnx.Device]onnx.Precision{onnx.CPU: onnx.Reduced, onnx.DirectML: onnx.Reduced, onnx.CUDA: "double"} {
		_, err = onnx.Open(onnx.Config{Device: device, Precision: precision})
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
	}

	// The library in the assets has no CUDA provider: Load must fail, not fall back to another device.
	rt := open(t, onnx.CUDA, 1)
	_, err = rt.Load(entry(t, multiplier([]float32{1}), 1), 1)
	require.Equal(t, core.CodeDevice, core.CodeOf(err))
	require.NotContains(t, err.Error(), "ONNXRuntimeError")
	require.NotContains(t, err.Error(), ".cc:")

	// A process can use only one library.
	_, err = onnx.Open(onnx.Config{LibraryPath: "elsewhere.so", Device: onnx.CPU})
	require.Error(t, err)
}

func TestPoolOutlivesRuntime(t *testing.T) {
	t.Parallel()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU})
	require.NoError(t, err)
	pool, err := rt.Load(entry(t, multiplier([]float32{4}), 1), 0)
	require.NoError(t, err)
	require.NoError(t, rt.Close())
	require.NoError(t, rt.Close())
	out := onnx.NewTensor(1, 1)
	require.NoError(t, pool.Run(t.Context(), []onnx.Tensor{{Shape: []int64{1, 1}, Data: []float32{2}}}, []onnx.Tensor{out}))
	require.InDelta(t, 8, out.Data[0], 0)
	require.NoError(t, pool.Close())
	require.NoError(t, pool.Close())
}

// A model with a session for each of few shapes gives the results of each shape, also where there are more shapes than sessions and runs
// come side by side.
func TestSessionsOfShapes(t *testing.T) {
	t.Parallel()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	for _, shapes := range []int{1, 2, 8} {
		rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU, Shapes: shapes})
		require.NoError(t, err)
		pool, err := rt.Load(entry(t, multiplier([]float32{2, 3}), 2), 4)
		require.NoError(t, err)
		require.NoError(t, rt.Close(), "sessions are also made after the runtime is closed")
		require.NoError(t, pool.Each(t.Context(), 40, func(ctx context.Context, i int) error {
			rows := int64(1 + i%5)
			in, out := onnx.NewTensor(rows, 2), onnx.NewTensor(rows, 2)
			in.Data[2*rows-1] = float32(i)
			if err := pool.Run(ctx, []onnx.Tensor{in}, []onnx.Tensor{out}); err != nil {
				return err
			}
			if got := out.Data[2*rows-1]; got != float32(3*i) {
				return fmt.Errorf("run %d of %d shapes returned %v", i, shapes, got)
			}
			return nil
		}))
		require.Error(t, pool.Run(t.Context(), []onnx.Tensor{onnx.NewTensor(1, 3)}, []onnx.Tensor{onnx.NewTensor(1, 3)}))
		require.NoError(t, pool.Close())
	}
}
