package realesr_test

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
	"plait/internal/video/realesr"
	"plait/internal/video/window"
)

var python = flag.String("python", "", "a Python with onnxruntime and numpy, which runs the same network frame by frame")

// speed is the throughput of a way to enlarge video.
type speed struct {
	Way    string  `json:"way"`
	Frames int     `json:"frames"`
	FPS    float64 `json:"frames_per_second"`
	// Predicted is the makespan that the profile predicts, Seconds the actual one.
	Predicted float64 `json:"predicted_seconds,omitempty"`
	Seconds   float64 `json:"seconds"`
	// CPU is the time of processors for a frame, which does not depend on what else the machine does.
	CPU         float64            `json:"cpu_seconds_per_frame"`
	Cut         int                `json:"cut,omitempty"`
	Utilization map[string]float64 `json:"utilization,omitempty"`
	// Memory is the largest resident size of the process so far, in MiB.
	Memory int64 `json:"memory_mib,omitempty"`
}

// BenchmarkSpeed enlarges 640x360 to 1280x720 in each schedule on two cores.
func BenchmarkSpeed(b *testing.B) {
	size, frames := window.Size{Width: 640, Height: 360}, 8
	m := open(b, realesr.Options{Scale: 2})
	devices := []string{"cpu:0", "cpu:1"}
	for b.Loop() {
		profile, err := window.Measure(b.Context(), m, config(b, size, window.Sequential, 0, strings.Join(devices, ",")))
		require.NoError(b, err)
		cut := profile.BestCut(len(devices))
		for _, schedule := range window.Schedules {
			model, err := window.Open(b.Context(), m, config(b, size, schedule, window.Cut(cut), strings.Join(devices, ",")))
			require.NoError(b, err)
			left := noise(frames, size)
			before := cpuSeconds(b)
			timeline, err := model.Run(b.Context(), window.Job{
				Read: func(context.Context, int) (onnx.Tensor, error) {
					if len(left) == 0 {
						return onnx.Tensor{}, io.EOF
					}
					t := onnx.Tensor{Shape: []int64{1, 3, int64(size.Height), int64(size.Width)}, Data: left[0]}
					left = left[1:]
					return t, nil
				},
				Write: func(context.Context, onnx.Tensor) error { return nil },
			})
			require.NoError(b, err)
			require.NoError(b, model.Close())
			s := speed{
				Way: string(schedule), Frames: frames, FPS: float64(frames) / timeline.Makespan.Seconds(), Seconds: timeline.Makespan.Seconds(),
				Predicted: profile.Predict(schedule, cut, frames, devices).Makespan.Seconds(), Cut: cut,
				CPU: (cpuSeconds(b) - before) / float64(frames), Utilization: map[string]float64{}, Memory: benchtest.ResidentPeak(b),
			}
			for _, device := range devices {
				s.Utilization[device] = timeline.Utilization(device)
			}
			benchtest.Write(b, []string{"noise of 640x360"}, s)
		}
		if *python != "" {
			benchtest.Write(b, []string{"noise of 640x360"}, inPython(b, m, size, frames))
		}
	}
}

// inPython runs the whole network as one file in onnxruntime's Python package, frame by frame on all cores.
func inPython(b *testing.B, m window.Manifest, size window.Size, frames int) speed {
	b.Helper()
	parts := [][]byte{m.Prepare.Content}
	for _, block := range m.Blocks {
		parts = append(parts, block.Content)
	}
	dir := b.TempDir()
	trunk, err := graph.Chain(parts[1:], "hidden", "result")
	require.NoError(b, err)
	for name, content := range map[string][]byte{"prepare": parts[0], "trunk": trunk, "decode": m.Decode.Content} {
		require.NoError(b, os.WriteFile(filepath.Join(dir, name+".onnx"), content, 0o600))
	}
	script := `
import json, sys, time, numpy as np, onnxruntime as ort
folder, width, height, frames, threads = sys.argv[1], *map(int, sys.argv[2:])
options = ort.SessionOptions()
options.intra_op_num_threads = threads
prepare, trunk, decode = (ort.InferenceSession(f"{folder}/{n}.onnx", options, providers=["CPUExecutionProvider"]) for n in ("prepare", "trunk", "decode"))
def run(x):
    h = prepare.run(None, {"frames": x})[0]
    h = trunk.run(None, {"hidden": h})[0]
    return decode.run(None, {"hidden": h, "frames": x})[0]
random = np.random.default_rng(3)
video = [random.random((1, 3, height, width), dtype=np.float32) for _ in range(frames)]
run(video[0])
begin, cpu = time.perf_counter(), time.process_time()
for x in video:
    run(x)
print(json.dumps([time.perf_counter() - begin, time.process_time() - cpu]))
`
	out, err := exec.CommandContext(b.Context(), *python, "-c", script, dir,
		strconv.Itoa(size.Width), strconv.Itoa(size.Height), strconv.Itoa(frames), strconv.Itoa(runtime.NumCPU())).Output()
	require.NoError(b, err)
	var seconds [2]float64
	require.NoError(b, json.Unmarshal(out, &seconds))
	return speed{
		Way: "frame by frame in Python", Frames: frames, FPS: float64(frames) / seconds[0], Seconds: seconds[0], CPU: seconds[1] / float64(frames),
	}
}

// cpuSeconds returns the time of processors that this process has used.
func cpuSeconds(b *testing.B) float64 {
	b.Helper()
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
