package window_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/video/window"
	"plait/internal/video/window/windowtest"
)

// size is not a multiple of what the model needs.
var size = window.Size{Width: 14, Height: 9}

// frames are random frames of a size.
type frames struct {
	size window.Size
	data [][]float32
}

func randomFrames(n int, size window.Size) frames {
	random := rand.New(rand.NewPCG(7, 7))
	f := frames{size: size}
	for range n {
		frame := make([]float32, 3*size.Width*size.Height)
		for i := range frame {
			frame[i] = random.Float32()
		}
		f.data = append(f.data, frame)
	}
	return f
}

// reader returns a reader of the frames from begin, which returns fewer than it could.
func (f frames) reader(begin int) window.Reader {
	left := f.data[begin:]
	return func(_ context.Context, n int) (onnx.Tensor, error) {
		if n = min(n, 5, len(left)); n == 0 {
			return onnx.Tensor{}, io.EOF
		}
		t := onnx.Tensor{Shape: []int64{int64(n), 3, int64(f.size.Height), int64(f.size.Width)}}
		for _, frame := range left[:n] {
			t.Data = append(t.Data, frame...)
		}
		left = left[n:]
		return t, nil
	}
}

func config(tb testing.TB, schedule window.Schedule, cut window.Cut, devices string) window.Config {
	tb.Helper()
	library, err := assetstest.Open(tb).Path(assets.OnnxRuntime)
	require.NoError(tb, err)
	parsed, err := window.ParseDevices(devices)
	require.NoError(tb, err)
	return window.Config{Library: library, Devices: parsed, Schedule: schedule, Cut: cut, Size: size}
}

// run runs a job whose result is returned.
func run(tb testing.TB, m window.Manifest, c window.Config, j window.Job) []float32 {
	tb.Helper()
	model, err := window.Open(tb.Context(), m, c)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, model.Close()) }()
	var result []float32
	j.Write = func(_ context.Context, t onnx.Tensor) error {
		require.Equal(tb, []int64{3, int64(c.Size.Height) * windowtest.Scale, int64(c.Size.Width) * windowtest.Scale}, t.Shape[1:])
		result = append(result, t.Data...)
		return nil
	}
	_, err = model.Run(tb.Context(), j)
	require.NoError(tb, err)
	return result
}

// Every schedule, cut and device returns the same bytes.
func TestEveryScheduleReturnsTheSame(t *testing.T) {
	t.Parallel()
	m := windowtest.Read(t, 1)
	const n = 70
	video := randomFrames(n, size)
	want := run(t, m, config(t, window.Sequential, 0, "cpu"), window.Job{Read: video.reader(0)})
	require.Len(t, want, n*len(video.data[0])*windowtest.Scale*windowtest.Scale)
	for name, c := range map[string]window.Config{
		"sequential, two devices": config(t, window.Sequential, 2, "cpu:0,cpu:1"),
		"basic, all first":        config(t, window.Basic, windowtest.Blocks, "cpu:0,cpu:1"),
		"basic, none first":       config(t, window.Basic, 0, "cpu:0,cpu:1"),
		"basic, half":             config(t, window.Basic, window.CutHalf, "cpu:0,cpu:1"),
		"aggressive, auto":        config(t, window.Aggressive, window.CutAuto, "cpu:0,cpu:1"),
		"aggressive, half":        config(t, window.Aggressive, window.CutHalf, "cpu:0,cpu:1,cpu:2"),
		"aggressive, one device":  config(t, window.Aggressive, window.CutHalf, "cpu"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, run(t, m, c, window.Job{Read: video.reader(0)}))
		})
	}
}

// What the schedules must not do would be seen: each of these changes the result.
func TestStateMatters(t *testing.T) {
	t.Parallel()
	m := windowtest.Read(t, 1)
	c := config(t, window.Basic, window.CutHalf, "cpu:0,cpu:1")
	video := randomFrames(61, size) // windows of 25, 8, 8, 8, 8 and 4 frames
	want := run(t, m, c, window.Job{Read: video.reader(0)})
	frame := len(want) / 61

	t.Run("two windows swapped", func(t *testing.T) {
		t.Parallel()
		swapped := frames{size: size, data: slices.Concat(video.data[:33], video.data[41:49], video.data[33:41], video.data[49:])}
		got := run(t, m, c, window.Job{Read: swapped.reader(0)})
		require.Equal(t, want[:29*frame], got[:29*frame])
		// The windows that come after the two saw the same frames, but the caches did not.
		require.NotEqual(t, want[53*frame:], got[53*frame:])
	})
	t.Run("one cache reset", func(t *testing.T) {
		t.Parallel()
		whole, reset := checkpointOf(t, m, c, video), checkpointOf(t, m, c, video)
		require.Equal(t, want[whole.Frame*frame:], run(t, m, c, window.Job{Read: video.reader(whole.Frame), From: &whole}))
		window.Clear(reset, "block 3.k")
		require.NotEqual(t, want[whole.Frame*frame:], run(t, m, c, window.Job{Read: video.reader(whole.Frame), From: &reset}))
	})
	t.Run("the cap of a cache lifted", func(t *testing.T) {
		t.Parallel()
		lifted := windowtest.Read(t, 1)
		lifted.Blocks[2].State[0].Keep, lifted.Blocks[2].State[1].Keep = 100, 100
		got := run(t, lifted, c, window.Job{Read: video.reader(0)})
		require.Equal(t, want[:37*frame], got[:37*frame]) // three chunks, and that of the window itself
		require.NotEqual(t, want[45*frame:], got[45*frame:])
	})
}

var errEnough = errors.New("enough")

// checkpointOf returns the checkpoint after three windows, as it is stored.
func checkpointOf(t *testing.T, m window.Manifest, c window.Config, video frames) window.Checkpoint {
	t.Helper()
	model, err := window.Open(t.Context(), m, c)
	require.NoError(t, err)
	defer model.Close()
	var stored bytes.Buffer
	_, err = model.Run(t.Context(), window.Job{
		Read: video.reader(0), Write: func(context.Context, onnx.Tensor) error { return nil }, Every: 3,
		Reached: func(_ context.Context, at window.Checkpoint) error {
			require.NoError(t, at.Encode(&stored))
			return errEnough
		},
	})
	require.ErrorIs(t, err, errEnough)
	at, err := window.DecodeCheckpoint(&stored, int64(stored.Len()))
	require.NoError(t, err)
	require.Equal(t, 3, at.Window)
	require.Equal(t, 37, at.Frame)
	return at
}

// A run goes on from any checkpoint, with any schedule and cut.
func TestCheckpoint(t *testing.T) {
	t.Parallel()
	m := windowtest.Read(t, 2)
	for _, n := range []int{1, 21, 22, 37, 38, 45, 50} {
		video := randomFrames(n, size)
		var checkpoints [][]byte
		want := run(t, m, config(t, window.Aggressive, 2, "cpu:0,cpu:1"), window.Job{
			Read: video.reader(0), Every: 1,
			Reached: func(_ context.Context, c window.Checkpoint) error {
				var b bytes.Buffer
				checkpoints = append(checkpoints, nil)
				err := c.Encode(&b)
				checkpoints[len(checkpoints)-1] = b.Bytes()
				return err
			},
		})
		frame := len(want) / n
		require.Len(t, checkpoints, window.Geometry{First: 25, FirstOut: 21, Next: 8}.Windows(n))
		for i, b := range checkpoints {
			c, err := window.DecodeCheckpoint(bytes.NewReader(b), int64(len(b)))
			require.NoError(t, err)
			got := run(t, m, config(t, window.Basic, window.Cut(i%4), "cpu:0,cpu:1"), window.Job{Read: video.reader(c.Frame), From: &c})
			require.Equal(t, want[c.Frame*frame:], append([]float32{}, got...), "%d frames, checkpoint %d", n, i)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	c := config(t, window.Basic, 1, "cpu:0,cpu:1")
	good := windowtest.Read(t, 1)
	ignore := func(context.Context, onnx.Tensor) error { return nil }
	for name, test := range map[string]struct {
		spoil   func(m *window.Manifest, c *window.Config, j *window.Job)
		code    core.Code
		message string
	}{
		"no frames": {func(_ *window.Manifest, _ *window.Config, j *window.Job) { j.Read = frames{}.reader(0) },
			core.CodeInvalidInput, "the video has no frames"},
		"another size": {func(_ *window.Manifest, _ *window.Config, j *window.Job) {
			j.Read = randomFrames(3, window.Size{Width: 4, Height: 4}).reader(0)
		}, core.CodeInvalidInput, "frames of 14x9 are expected"},
		"no size": {func(_ *window.Manifest, c *window.Config, _ *window.Job) { c.Size.Width = 0 }, core.CodeInvalidInput, "frames of 0x9"},
		"too large": {func(m *window.Manifest, c *window.Config, _ *window.Job) { m.Memory, c.Memory = 1<<20, 100<<20 },
			core.CodeTooLarge, "frames of 14x9 need about 126 MB of memory, and there are 100"},
		"no such cut": {func(_ *window.Manifest, c *window.Config, _ *window.Job) { c.Cut = 6 }, core.CodeInvalidInput, "a model of 5 blocks"},
		"unknown state": {func(m *window.Manifest, _ *window.Config, _ *window.Job) { m.Decode.State[0].Name = "other" },
			core.CodeModelMissing, `requires an input "state.memory"`},
		"state of another rank": {func(m *window.Manifest, _ *window.Config, _ *window.Job) {
			m.Blocks[1].State[0].Shape = m.Blocks[1].State[0].Shape[1:]
		}, core.CodeModelMissing, `state.k" of model "blocks from 1"`},
		"a state that grows": {func(m *window.Manifest, _ *window.Config, _ *window.Job) { m.Blocks[1].State[0].Keep = 0 },
			core.CodeModelMissing, `returned state "k" in the shape`},
		"another file": {func(m *window.Manifest, _ *window.Config, _ *window.Job) { m.Prepare.SHA256 = m.Decode.SHA256 },
			core.CodeModelMissing, "is not the one of the manifest"},
		"too few frames": {func(m *window.Manifest, _ *window.Config, _ *window.Job) { m.Geometry.FirstOut = 23 },
			core.CodeDevice, "decode"},
		"a checkpoint of nothing": {func(_ *window.Manifest, _ *window.Config, j *window.Job) {
			j.From = &window.Checkpoint{Window: 1, Frame: 21}
		},
			core.CodeModelMissing, "the checkpoint has no state"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, c, j := windowtest.Read(t, 1), c, window.Job{Read: randomFrames(30, size).reader(0), Write: ignore}
			require.Equal(t, good.Name, m.Name)
			test.spoil(&m, &c, &j)
			model, err := window.Open(t.Context(), m, c)
			if err == nil {
				defer model.Close()
				_, err = model.Run(t.Context(), j)
			}
			require.ErrorContains(t, err, test.message)
			require.Equal(t, test.code, core.CodeOf(err))
		})
	}
}
