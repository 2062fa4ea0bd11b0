package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"plait/internal/config"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/window"
	"plait/internal/video/window/windowtest"
)

func TestUpscale(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	clip := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc=size=32x18:rate=5:duration=1", "-f", "lavfi", "-i", "sine=duration=1", "-shortest", "clip.mp4")
	f := in.plait("video", "upscale", clip, "--schedule", "aggressive")
	require.Zero(t, f.status, f.stderr)
	target := filepath.Join(filepath.Dir(clip), "clip.2x.mp4")
	require.Equal(t, "5 frames of 64x36 → "+target+"\n", f.stdout)
	require.NoDirExists(t, target+".part")
	made, err := ffmpegtest.Program(t).Probe(t.Context(), target)
	require.NoError(t, err)
	require.Equal(t, 64, made.Width)
	require.Len(t, made.Audio, 1)

	// Another schedule on one device gives the same file, and so does a manifest with its own scale for another model.
	again := filepath.Join(in.dir, "again.mp4")
	f = in.plait("video", "upscale", clip, "--schedule", "sequential", "--devices", "cpu", "--json", "-o", again)
	require.Zero(t, f.status, f.stderr)
	want, err := os.ReadFile(target)
	require.NoError(t, err)
	got, err := os.ReadFile(again)
	require.NoError(t, err)
	require.Equal(t, want, got)

	busy := filepath.Join(in.dir, "busy.mp4")
	require.NoError(t, os.Mkdir(busy+".part", 0o700))
	lock := flock.New(filepath.Join(busy+".part", "lock"))
	held, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, held)
	t.Cleanup(func() { require.NoError(t, lock.Close()) })
	for name, c := range map[string]struct {
		args    []string
		status  int
		message string
	}{
		"no video":     {[]string{example("small", "01.png")}, 1, "small/01.png: the video is damaged, or of a format that is not read: ffmpeg: "},
		"scale":        {[]string{clip, "--scale", "3"}, 1, "enlarges video 2 or 4 times, not 3 times"},
		"other scale":  {[]string{clip, "--scale", "4", "--model", windowtest.Write(t, 1)}, 1, "enlarges video 2 times, not 4 times"},
		"schedule":     {[]string{clip, "--schedule", "fast"}, 2, `--schedule: "fast" is none of sequential`},
		"ending":       {[]string{clip, "-o", "clip.avi"}, 1, "must end with .mp4"},
		"in use":       {[]string{clip, "-o", busy}, 1, "another command writes this result"},
		"itself":       {[]string{clip, "-o", clip}, 1, "would replace the video"},
		"quality":      {[]string{clip, "--quality", "0"}, 2, "--quality: 0 is not from 1 to 51"},
		"missing file": {[]string{filepath.Join(in.dir, "nowhere.mp4")}, 1, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := in.plait(append([]string{"video", "upscale"}, c.args...)...)
			require.Equal(t, c.status, f.status, f.stderr)
			require.Contains(t, f.stderr, c.message)
		})
	}
}

// A server whose worker has two ranks enlarges a video as this machine does with one process, byte for byte, although rank 1 is killed on the
// way, and then the worker.
func TestAServerUpscales(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t, "PLAIT_VIDEO_UPSCALE_RANKS=2")
	clip := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc2=size=32x24:rate=25:duration=14", "-f", "lavfi", "-i", "sine=duration=14", "-c:a", "aac", "clip.mp4")
	f := in.plait("video", "upscale", clip, "-o", "here.mp4")
	require.Zero(t, f.status, f.stderr)
	want, err := os.ReadFile(filepath.Join(in.dir, "here.mp4"))
	require.NoError(t, err)

	address := in.up()
	made := in.plait("keys", "create", "--tenant", "guests")
	require.Zero(t, made.status, made.stderr)
	in.env = append(in.env, config.EnvAPIKey+"="+strings.TrimSpace(made.stdout))
	cmd := in.command("video", "upscale", clip, "--server", address, "-o", "there.mp4")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(t, cmd.Start())
	db := in.database(in.located())
	storedAfter := func(frames int) (now int) {
		eventually(t, func() bool {
			require.NoError(t, db.QueryRow(t.Context(), `SELECT coalesce((SELECT (progress->>'frames')::int FROM video_upscale), 0)`).Scan(&now))
			return now > frames
		}, "a part is stored")
		return now
	}
	stored := storedAfter(0)
	worker := workerOf(t, in.owner)
	killed := rankOf(t, worker)
	require.NotZero(t, killed)
	require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
	storedAfter(stored)
	require.Equal(t, worker, workerOf(t, in.owner), "the worker goes on with a new rank")
	rank := rankOf(t, worker)
	require.NotZero(t, rank)
	require.NotEqual(t, killed, rank)
	require.NoError(t, syscall.Kill(worker, syscall.SIGKILL))
	require.NoError(t, cmd.Wait(), said.String())
	require.False(t, alive(rank), "the rank of a worker ends with it")
	got, err := os.ReadFile(filepath.Join(in.dir, "there.mp4"))
	require.NoError(t, err)
	require.Equal(t, want, got)
	var resumed, left int
	var fallback bool
	require.NoError(t, db.QueryRow(t.Context(), `SELECT resumed_frames, fallback, (SELECT count(*) FROM task_file) FROM video_upscale`).Scan(&resumed, &fallback, &left))
	require.Positive(t, resumed)
	require.False(t, fallback)
	require.Zero(t, left)

	f = in.plait("video", "upscale", clip, "--server", address, "--cut", "half")
	require.Equal(t, 2, f.status)
	require.Contains(t, f.stderr, "--cut is not for --server")
	f = in.plait("video", "upscale", example("small", "01.png"), "--server", address, "-o", "none.mp4")
	require.Equal(t, 1, f.status)
	require.Contains(t, f.stderr, "input.video: the file is none of")
}

func TestVideoProfile(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	svg, trace, times := filepath.Join(in.dir, "a.svg"), filepath.Join(in.dir, "a.json"), filepath.Join(in.dir, "times.json")
	f := in.plait("video", "profile", "--size", "32x18", "--windows", "4", "--json", "--svg", svg, "--trace", trace)
	require.Zero(t, f.status, f.stderr)
	require.NoError(t, os.WriteFile(times, []byte(f.stdout), 0o600))
	var p window.Report
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &p))
	require.Len(t, p.Profile.Blocks, 16)
	require.Positive(t, p.Actual)
	require.Len(t, p.Predicted, 3)
	require.FileExists(t, svg)
	require.FileExists(t, trace)

	f = in.plait("video", "profile", "--times", times, "--devices", "cuda:0,cuda:1,cpu", "--windows", "3")
	require.Equal(t, 2, f.status)
	require.Contains(t, f.stderr, "the devices of a video are of one kind")
	f = in.plait("video", "profile", "--times", times, "--devices", "cuda:0,cuda:1", "--cut", "half", "--windows", "3")
	require.Zero(t, f.status, f.stderr)
	require.Contains(t, f.stdout, "The first 8 blocks run on cuda:0, the others on cuda:1.")
	require.Contains(t, f.stdout, "cuda:1 works")

	f = in.plait("video", "profile", "--size", "large")
	require.Equal(t, 2, f.status)
	require.Contains(t, f.stderr, `--size: "large" is not WIDTHxHEIGHT`)
}
