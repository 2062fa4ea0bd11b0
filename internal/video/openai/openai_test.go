package openai_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/openai"
	"plait/internal/video/openai/videotest"
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

func newEngine(t *testing.T, servers ...*videotest.Server) *remote.Engine {
	t.Helper()
	c := remote.Config{
		Name: "gpus", Slots: 1, Remote: func(model string) string { return "remote/" + model }, PollEvery: 10 * time.Millisecond,
		Open:    func(base string) remote.Server { return openai.Open(base, "") },
		TrySlot: (&slots{held: map[string]int{}}).try,
		Program: func(context.Context) (*ffmpeg.Program, error) { return ffmpegtest.Program(t), nil },
	}
	for _, s := range servers {
		c.Servers = append(c.Servers, s.URL)
	}
	return remote.New(c)
}

// work is a video with its records.
type work struct {
	video.Job
	at       video.ServerJob
	percents []int
	begun    int
	// dies makes the next record fail, as the death of a process does.
	dies func(video.ServerJob) bool
}

var errDied = errors.New("the process died")

func newWork(t *testing.T) *work {
	t.Helper()
	w := &work{Job: video.Job{
		TaskID: "task", Prompt: "a whale", Path: filepath.Join(t.TempDir(), "video.mp4"),
		Options: video.Options{Model: "wan", Width: 128, Height: 96, Duration: 2, Seed: 7, Type: video.TextToVideo},
	}}
	w.Begin = func(context.Context) error { w.begun++; return nil }
	w.Progress = func(_ context.Context, percent int) error { w.percents = append(w.percents, percent); return nil }
	w.At = func() video.ServerJob { return w.at }
	w.Record = func(_ context.Context, at video.ServerJob) error {
		if w.dies != nil && w.dies(at) {
			return errDied
		}
		w.at = at
		return nil
	}
	w.Taken = func(context.Context, string, []string) ([]string, error) { return nil, nil }
	return w
}

func (w *work) check(t *testing.T) {
	t.Helper()
	info, err := ffmpegtest.Program(t).Probe(t.Context(), w.Path)
	require.NoError(t, err)
	require.Equal(t, []any{"h264", "yuv420p", 128, 96, 2 * time.Second}, []any{info.Codec, info.PixelFormat, info.Width, info.Height, info.Duration()})
}

func TestAServerMakesAVideo(t *testing.T) {
	t.Parallel()
	server := videotest.New(t)
	e, w := newEngine(t, server), newWork(t)
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.check(t)
	require.Equal(t, []int{40}, w.percents)
	require.Equal(t, 1, w.begun)
	require.Equal(t, "video_1", w.at.ID)
	require.NoError(t, e.Forget(t.Context(), w.Job))
	created, _, left := server.Counts()
	require.Equal(t, []int{1, 0}, []int{created, left})
	require.Zero(t, w.at)
}

// Each lie costs at most one more attempt, and no lie makes the same video twice while the first exists.
func TestServersThatLie(t *testing.T) {
	t.Parallel()
	for lie, want := range map[videotest.Lie]struct {
		code    core.Code
		created int
	}{
		videotest.Busy: {core.CodeEngineUnavailable, 1}, videotest.Broken: {core.CodeEngineUnavailable, 1},
		videotest.Mute: {core.CodeEngineUnavailable, 1}, videotest.Lost: {core.CodeEngineUnavailable, 2},
		videotest.Failed: {core.CodeDevice, 2}, videotest.Cut: {core.CodeEngineUnavailable, 1},
		videotest.Refused: {core.CodeEngineRefused, 1},
	} {
		t.Run(string(lie), func(t *testing.T) {
			t.Parallel()
			server := videotest.New(t, lie)
			e, w := newEngine(t, server), newWork(t)
			err := e.Generate(t.Context(), w.Job)
			require.Equal(t, want.code, core.CodeOf(err), "%v", err)
			require.NotContains(t, core.PublicMessage(err), server.URL)
			require.NoError(t, e.Generate(t.Context(), w.Job))
			w.check(t)
			created, _, _ := server.Counts()
			require.Equal(t, want.created, created)
		})
	}
}

func TestAVideoThatBrowsersDoNotPlayIsConverted(t *testing.T) {
	t.Parallel()
	e, w := newEngine(t, videotest.New(t, videotest.Foreign)), newWork(t)
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.check(t)
}

func TestTheMarkIsDrawn(t *testing.T) {
	t.Parallel()
	e, w := newEngine(t, videotest.New(t)), newWork(t)
	w.Mark = func(frame []byte, _, _ int) error {
		copy(frame, bytes.Repeat([]byte{0}, len(frame)))
		return nil
	}
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.check(t)
	frames, err := ffmpegtest.Program(t).Decode(t.Context(), w.Path, ffmpeg.Decoding{Width: 128, Height: 96, Count: 1})
	require.NoError(t, err)
	defer frames.Close()
	frame := make([]byte, frames.Size())
	require.NoError(t, frames.Next(frame))
	require.Less(t, slices.Max(frame), byte(16))
}

// A process dies after the server has taken the job, and before or after it has recorded the job's name: the next one goes on with the job.
func TestARestartFindsTheJobAgain(t *testing.T) {
	t.Parallel()
	server := videotest.New(t)
	w := newWork(t)
	w.dies = func(at video.ServerJob) bool { return at.ID != "" }
	require.ErrorIs(t, newEngine(t, server).Generate(t.Context(), w.Job), errDied)
	require.Empty(t, w.at.ID)
	require.NotNil(t, w.at.AskedAt)
	w.dies = nil
	require.NoError(t, newEngine(t, server).Generate(t.Context(), w.Job))
	require.NoError(t, newEngine(t, server).Generate(t.Context(), w.Job), "with the recorded name")
	w.check(t)
	created, _, _ := server.Counts()
	require.Equal(t, 1, created)

	other := newWork(t)
	other.at = video.ServerJob{Server: server.URL, AskedAt: w.at.AskedAt}
	other.Taken = func(_ context.Context, _ string, ids []string) ([]string, error) { return ids, nil }
	require.NoError(t, newEngine(t, server).Generate(t.Context(), other.Job))
	created, _, _ = server.Counts()
	require.Equal(t, 2, created, "the job of another video is not taken")
}

// Videos share the servers, and none of these gets more than it has slots. A server that is down gets none.
func TestServersAreOnePool(t *testing.T) {
	t.Parallel()
	one, two, down := videotest.New(t), videotest.New(t), videotest.New(t)
	down.Close()
	e := newEngine(t, one, down, two)
	var group errgroup.Group
	for range 6 {
		w := newWork(t)
		group.Go(func() error {
			err := e.Generate(t.Context(), w.Job)
			for range 20 {
				if core.CodeOf(err) != core.CodeEngineUnavailable {
					break
				}
				w.at = video.ServerJob{} // as the records have it: the server never answered
				err = e.Generate(t.Context(), w.Job)
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	total := 0
	for _, s := range []*videotest.Server{one, two} {
		created, most, _ := s.Counts()
		require.Positive(t, created)
		require.Equal(t, 1, most)
		total += created
	}
	require.Equal(t, 6, total)
}
