// Package remotetest has videos to be made by engines of servers in tests, with their records in memory.
package remotetest

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/video"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/remote"
)

// slots are those of all processes.
type slots struct {
	mu   sync.Mutex
	held map[string]int
}

func (s *slots) try(_ context.Context, name string, n int) (context.Context, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[name] >= n {
		return nil, nil, nil
	}
	s.held[name]++
	return context.Background(), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held[name]--
	}, nil
}

// New makes an engine of servers with one slot each, whose model M is called remote/M there.
func New(tb testing.TB, open func(base string) remote.Server, servers ...string) *remote.Engine {
	tb.Helper()
	return remote.New(remote.Config{
		Name: "gpus", Servers: servers, Slots: 1, Open: open, PollEvery: 10 * time.Millisecond,
		Remote:  func(model string) string { return "remote/" + model },
		TrySlot: (&slots{held: map[string]int{}}).try,
		Program: func(context.Context) (*ffmpeg.Program, error) { return ffmpegtest.Program(tb), nil },
	})
}

// Work is a video with its records.
type Work struct {
	video.Job
	// Recorded is the job of the server as it was last recorded.
	Recorded video.ServerJob
	Percents []int
	Begun    int
	// Dies makes a record fail, as the death of a process does.
	Dies func(video.ServerJob) bool
}

// ErrDied is the error of a process that dies.
var ErrDied = errors.New("the process died")

// NewWork returns a video of 128x96 pixels and two seconds, to be made from a prompt.
func NewWork(tb testing.TB) *Work {
	tb.Helper()
	w := &Work{Job: video.Job{
		TaskID: "task", Prompt: "a whale", Path: filepath.Join(tb.TempDir(), "video.mp4"),
		Options: video.Options{Model: "wan", Width: 128, Height: 96, Duration: 2, Seed: 7, Type: video.TextToVideo},
	}}
	w.Begin = func(context.Context) error { w.Begun++; return nil }
	w.Progress = func(_ context.Context, percent int) error { w.Percents = append(w.Percents, percent); return nil }
	w.Free = func() {}
	w.At = func() video.ServerJob { return w.Recorded }
	w.Record = func(_ context.Context, at video.ServerJob) error {
		if w.Dies != nil && w.Dies(at) {
			return ErrDied
		}
		w.Recorded = at
		return nil
	}
	w.Taken = func(context.Context, string, []string) ([]string, error) { return nil, nil }
	return w
}

// Check checks the file.
func (w *Work) Check(tb testing.TB) {
	tb.Helper()
	info, err := ffmpegtest.Program(tb).Probe(tb.Context(), w.Path)
	require.NoError(tb, err)
	require.Equal(tb, []any{"h264", "yuv420p", 128, 96, 2 * time.Second}, []any{info.Codec, info.PixelFormat, info.Width, info.Height, info.Duration()})
}
