package upscale_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/realesr"
	"plait/internal/video/upscale"
	"plait/internal/video/window"
	"plait/internal/video/window/windowtest"
)

// source makes a clip of 150 frames at uneven times, turned, with sound and tags of colors.
func source(tb testing.TB) string {
	tb.Helper()
	return ffmpegtest.Make(tb,
		"-f", "lavfi", "-i", "testsrc2=size=32x24:rate=25:duration=6", "-f", "lavfi", "-i", "sine=frequency=440:duration=6",
		"-vf", "settb=1/1000,setpts='40*N+11*mod(N*N,3)',setparams=range=tv:colorspace=smpte170m:color_primaries=smpte170m:color_trc=smpte170m", "-fps_mode", "passthrough", "-enc_time_base", "1/1000", "-c:v", "libx264", "-pix_fmt", "yuv420p",
		"-c:a", "aac", "source.mp4")
}

// job returns a job with a folder and a store of the test.
func job(tb testing.TB, source, manifest, dir string) upscale.Job {
	tb.Helper()
	m, err := window.ReadManifest(manifest)
	require.NoError(tb, err)
	store, err := blob.Open(tb.Context(), filepath.Join(dir, "blobs"))
	require.NoError(tb, err)
	folder := filepath.Join(dir, "work")
	require.NoError(tb, os.MkdirAll(folder, 0o700))
	return upscale.Job{
		Program: ffmpegtest.Program(tb), Model: m, Config: config(tb, window.Basic, 2, "cpu:0,cpu:1"), Store: store, Folder: folder,
		Source: source, Target: filepath.Join(dir, "result.mp4"), Saved: func(context.Context, upscale.Progress) error { return nil },
	}
}

func config(tb testing.TB, schedule window.Schedule, cut window.Cut, devices string) window.Config {
	tb.Helper()
	library, err := assetstest.Open(tb).Path(assets.OnnxRuntime)
	require.NoError(tb, err)
	parsed, err := window.ParseDevices(devices)
	require.NoError(tb, err)
	return window.Config{Library: library, Devices: parsed, Schedule: schedule, Cut: cut}
}

func TestRunKeepsWhatIsNotThePicture(t *testing.T) {
	t.Parallel()
	video := source(t)
	j := job(t, video, windowtest.Write(t, 1), t.TempDir())
	var last int
	j.Wrote = func(frames, total int) {
		require.Greater(t, frames, last)
		require.Equal(t, 150, total)
		last = frames
	}
	result, err := upscale.Run(t.Context(), j)
	require.NoError(t, err)
	require.Equal(t, 150, last)
	require.Equal(t, window.Size{Width: 64, Height: 48}, result.Size)
	require.Equal(t, 18, result.Timeline.Windows)

	before, err := j.Program.Probe(t.Context(), video)
	require.NoError(t, err)
	after, err := j.Program.Probe(t.Context(), j.Target)
	require.NoError(t, err)
	require.False(t, before.Constant())
	require.Equal(t, seconds(before), seconds(after))
	require.Equal(t, before.Color, after.Color)
	require.Equal(t, before.Audio, after.Audio)
	require.Equal(t, sound(t, video), sound(t, j.Target))
	require.Empty(t, after.Damage)
	left, err := os.ReadDir(j.Folder)
	require.NoError(t, err)
	require.Empty(t, left)
}

// seconds returns the time of each frame in microseconds.
func seconds(i ffmpeg.Info) (times []int64) {
	for _, at := range i.Times {
		times = append(times, at*i.TimeBase.Num*1_000_000/i.TimeBase.Den)
	}
	return times
}

// sound returns a hash of the packets of sound, with their times.
func sound(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), ffmpegtest.Path(t), "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "framecrc", "-").Output()
	require.NoError(t, err)
	return string(out)
}

// envJob makes this test binary a process that runs a job, and prints the progress that it saves.
const envJob = "PLAIT_TEST_UPSCALE"

// A process is killed after each progress. The next goes on from it, with another schedule and cut, and the file at the end is that of a
// run that nobody disturbed.
func TestKilledRunsGoOn(t *testing.T) {
	if where := os.Getenv(envJob); where != "" {
		runToEnd(t, where)
		return
	}
	t.Parallel()
	video, manifest := source(t), windowtest.Write(t, 1)
	calm := job(t, video, manifest, t.TempDir())
	_, err := upscale.Run(t.Context(), calm)
	require.NoError(t, err)
	want, err := os.ReadFile(calm.Target)
	require.NoError(t, err)

	dir := t.TempDir()
	var progress *upscale.Progress
	for attempt := 0; ; attempt++ {
		at := progress
		if progress = runUntilSaved(t, video, manifest, dir, at, attempt); progress == nil {
			require.GreaterOrEqual(t, attempt, 2, "no process was killed in its work")
			break
		}
		require.Less(t, attempt, 5)
		if at != nil {
			require.Greater(t, progress.Frames, at.Frames)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "result.mp4"))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// runUntilSaved runs a job in a process that is killed when it has saved its first progress, which it returns, or nil if the job ended.
func runUntilSaved(t *testing.T, video, manifest, dir string, from *upscale.Progress, attempt int) *upscale.Progress {
	t.Helper()
	text, err := json.Marshal(from)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestKilledRunsGoOn$")
	cmd.Env = append(os.Environ(), envJob+"="+strings.Join([]string{video, manifest, dir, string(text), strconv.Itoa(attempt)}, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	decoder := json.NewDecoder(out)
	var progress upscale.Progress
	if err := decoder.Decode(&progress); err != nil {
		require.NoError(t, cmd.Wait())
		return nil
	}
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	return &progress
}

func runToEnd(t *testing.T, where string) {
	t.Helper()
	parts := strings.Split(where, "\n")
	j := job(t, parts[0], parts[1], parts[2])
	require.NoError(t, json.Unmarshal([]byte(parts[3]), &j.From))
	attempt, err := strconv.Atoi(parts[4])
	require.NoError(t, err)
	j.Config = config(t, window.Schedules[attempt%len(window.Schedules)], window.Cut(attempt), "cpu:0,cpu:1")
	saves := 0
	j.Saved = func(ctx context.Context, p upscale.Progress) error {
		if saves++; saves > 1 {
			<-ctx.Done() // the kill is on its way
		}
		return json.NewEncoder(os.Stdout).Encode(p)
	}
	_, err = upscale.Run(t.Context(), j)
	require.NoError(t, err)
}

// What fails leaves no file behind.
func TestRunRefuses(t *testing.T) {
	t.Parallel()
	manifest := windowtest.Write(t, 1)
	clip := func(args ...string) string {
		return ffmpegtest.Make(t, append([]string{"-f", "lavfi", "-i"}, args...)...)
	}
	good := clip("testsrc=size=32x24:duration=1", "good.mp4")
	content, err := os.ReadFile(good)
	require.NoError(t, err)
	cut := filepath.Join(t.TempDir(), "cut.mp4")
	require.NoError(t, os.WriteFile(cut, content[:len(content)/3], 0o600))
	for name, c := range map[string]struct {
		video   string
		spoil   func(j *upscale.Job)
		code    core.Code
		message string
	}{
		"no video": {clip("sine=duration=1", "a.mp4"), nil, core.CodeInvalidVideo, ""},
		"cut off":  {cut, nil, core.CodeInvalidVideo, ""},
		"interlaced": {clip("testsrc=size=32x32:duration=1", "-vf", "setfield=tff", "-flags", "+ilme+ildct", "-c:v", "mpeg2video", "i.mkv"), nil,
			core.CodeInvalidVideo, "interlaced"},
		"HDR": {clip("testsrc=size=32x32:duration=1", "-c:v", "libx264", "-pix_fmt", "yuv420p10le", "-vf", "setparams=color_trc=smpte2084", "h.mp4"), nil,
			core.CodeInvalidVideo, "HDR"},
		"too large":     {clip("color=size=4100x16:duration=0.04", "w.mp4"), nil, core.CodeTooLarge, "would become 8200x32"},
		"another model": {good, func(j *upscale.Job) { j.Model.Decode.SHA256 = j.Model.Prepare.SHA256 }, core.CodeModelMissing, "of the manifest"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := job(t, c.video, manifest, t.TempDir())
			if c.spoil != nil {
				c.spoil(&j)
			}
			_, err := upscale.Run(t.Context(), j)
			require.ErrorContains(t, err, c.message)
			require.Equal(t, c.code, core.CodeOf(err))
			require.NoFileExists(t, j.Target)
			left, err := os.ReadDir(j.Folder)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// One frame, odd sizes, ten bits and turned frames are enlarged; colors stay, whatever the tags say.
func TestRunTakes(t *testing.T) {
	t.Parallel()
	m, err := realesr.Open(assetstest.Location(), realesr.Options{Scale: 2})
	require.NoError(t, err)
	flat := []string{"-f", "lavfi", "-i", "color=c=0xC08040:size=30x17:rate=10:duration=0.3,format=gbrp"}
	for name, c := range map[string]struct {
		args          []string
		width, height int
	}{
		"no tags": {[]string{"-c:v", "libx264", "-pix_fmt", "yuv444p", "-qp", "1", "a.mp4"}, 60, 34},
		"BT.709": {[]string{"-vf", "scale=out_color_matrix=bt709", "-c:v", "libx264", "-pix_fmt", "yuv444p", "-qp", "1", "-colorspace", "bt709", "a.mp4"},
			60, 34},
		"one frame": {[]string{"-frames:v", "1", "-c:v", "ffv1", "-pix_fmt", "yuv444p", "a.mkv"}, 60, 34},
		"ten bits":  {[]string{"-c:v", "libx264", "-pix_fmt", "yuv444p10le", "-qp", "1", "a.mp4"}, 60, 34},
		"full range": {[]string{"-vf", "scale=out_range=pc", "-c:v", "libx264", "-pix_fmt", "yuv444p", "-color_range", "pc", "-qp", "1", "a.mp4"},
			60, 34},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := job(t, ffmpegtest.Make(t, append(flat, c.args...)...), windowtest.Write(t, 1), t.TempDir())
			j.Model = m
			result, err := upscale.Run(t.Context(), j)
			require.NoError(t, err)
			require.Equal(t, window.Size{Width: c.width, Height: c.height}, result.Size)
			before, after := colors(t, j.Program, j.Source, 30, 17), colors(t, j.Program, j.Target, c.width, c.height)
			for i := range before {
				require.InDelta(t, before[i], after[i], 2.5)
			}
		})
	}
}

func TestRunTurnsFrames(t *testing.T) {
	t.Parallel()
	lying := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc=size=40x24:rate=10:duration=0.5", "-c:v", "libx264", "a.mp4")
	j := job(t, ffmpegtest.Make(t, "-display_rotation", "90", "-i", lying, "-c", "copy", "turned.mp4"), windowtest.Write(t, 1), t.TempDir())
	result, err := upscale.Run(t.Context(), j)
	require.NoError(t, err)
	require.Equal(t, window.Size{Width: 48, Height: 80}, result.Size)
	after, err := j.Program.Probe(t.Context(), j.Target)
	require.NoError(t, err)
	require.Zero(t, after.Rotation)
	require.Equal(t, 5, after.Frames())
}

// colors returns the mean of each color of the first frame.
func colors(t *testing.T, program *ffmpeg.Program, path string, width, height int) (means [3]float64) {
	t.Helper()
	frames, err := program.Decode(t.Context(), path, ffmpeg.Decoding{Width: width, Height: height})
	require.NoError(t, err)
	defer frames.Close()
	samples := make([]byte, frames.Size())
	require.NoError(t, frames.Next(samples))
	for i, v := range samples {
		means[i%3] += float64(v) * 3 / float64(len(samples))
	}
	return means
}
