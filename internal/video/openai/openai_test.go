package openai_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/openai"
	"plait/internal/video/openai/videotest"
	"plait/internal/video/remote"
	"plait/internal/video/remote/remotetest"
)

func newEngine(t *testing.T, servers ...*videotest.Server) *remote.Engine {
	t.Helper()
	var bases []string
	for _, s := range servers {
		bases = append(bases, s.URL)
	}
	return remotetest.New(t, func(base string) remote.Server { return openai.Open(base, "") }, bases...)
}

func TestAServerMakesAVideo(t *testing.T) {
	t.Parallel()
	server := videotest.New(t)
	e, w := newEngine(t, server), remotetest.NewWork(t)
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.Check(t)
	require.Equal(t, []int{40}, w.Percents)
	require.Equal(t, 1, w.Begun)
	require.Equal(t, "video_1", w.Recorded.ID)
	require.NoError(t, e.Forget(t.Context(), w.Job))
	created, _, left := server.Counts()
	require.Equal(t, []int{1, 0}, []int{created, left})
	require.Zero(t, w.Recorded)
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
			e, w := newEngine(t, server), remotetest.NewWork(t)
			err := e.Generate(t.Context(), w.Job)
			require.Equal(t, want.code, core.CodeOf(err), "%v", err)
			require.NotContains(t, core.PublicMessage(err), server.URL)
			require.NoError(t, e.Generate(t.Context(), w.Job))
			w.Check(t)
			created, _, _ := server.Counts()
			require.Equal(t, want.created, created)
		})
	}
}

func TestAVideoThatBrowsersDoNotPlayIsConverted(t *testing.T) {
	t.Parallel()
	e, w := newEngine(t, videotest.New(t, videotest.Foreign)), remotetest.NewWork(t)
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.Check(t)
	checkSound(t, w)
}

// checkSound checks that the sound of the server's video is still there, and as long as the frames.
func checkSound(t *testing.T, w *remotetest.Work) {
	t.Helper()
	info, err := ffmpegtest.Program(t).Probe(t.Context(), w.Path)
	require.NoError(t, err)
	require.Equal(t, []ffmpeg.Audio{{Codec: "aac", SampleRate: 44100}}, info.Audio)
	wave := ffmpegtest.Make(t, "-i", w.Path, "-vn", "-f", "s16le", "-ac", "1", "sound.raw")
	samples, err := os.Stat(wave)
	require.NoError(t, err)
	require.InDelta(t, info.Duration().Seconds(), float64(samples.Size())/2/44100, 0.1)
}

func TestTheMarkIsDrawn(t *testing.T) {
	t.Parallel()
	e, w := newEngine(t, videotest.New(t)), remotetest.NewWork(t)
	w.Mark = func(frame []byte, _, _ int) error {
		copy(frame, bytes.Repeat([]byte{0}, len(frame)))
		return nil
	}
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.Check(t)
	checkSound(t, w)
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
	w := remotetest.NewWork(t)
	w.Dies = func(at video.ServerJob) bool { return at.ID != "" }
	require.ErrorIs(t, newEngine(t, server).Generate(t.Context(), w.Job), remotetest.ErrDied)
	require.Empty(t, w.Recorded.ID)
	require.NotNil(t, w.Recorded.AskedAt)
	w.Dies = nil
	require.NoError(t, newEngine(t, server).Generate(t.Context(), w.Job))
	require.NoError(t, newEngine(t, server).Generate(t.Context(), w.Job), "with the recorded name")
	w.Check(t)
	created, _, _ := server.Counts()
	require.Equal(t, 1, created)

	other := remotetest.NewWork(t)
	other.Recorded = video.ServerJob{Server: server.URL, AskedAt: w.Recorded.AskedAt}
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
		w := remotetest.NewWork(t)
		group.Go(func() error {
			err := e.Generate(t.Context(), w.Job)
			for range 20 {
				if core.CodeOf(err) != core.CodeEngineUnavailable {
					break
				}
				w.Recorded = video.ServerJob{} // as the records have it: the server never answered
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
