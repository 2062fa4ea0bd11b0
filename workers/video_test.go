package workers_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"plait/activities"
	videosteps "plait/activities/video"
	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/motion"
	"plait/workers"
	videoworkers "plait/workers/video"
	"plait/workflows"
)

// counted is an engine that counts the videos it makes.
type counted struct {
	video.Generator
	made atomic.Int32
}

func (c *counted) Generate(ctx context.Context, j video.Job) error {
	c.made.Add(1)
	return c.Generator.Generate(ctx, j)
}

// liar is an engine that makes half of each side.
type liar struct{ video.Generator }

func (l liar) Generate(ctx context.Context, j video.Job) error {
	j.Options.Width, j.Options.Height = j.Options.Width/4*2, j.Options.Height/4*2
	return l.Generator.Generate(ctx, j)
}

// away is a blob store that is out of reach for the first file that is stored.
type away struct {
	blob.Store
	asked atomic.Int32
}

func (a *away) Put(ctx context.Context, r io.Reader, most int64) (core.BlobRef, int64, error) {
	if a.asked.Add(1) == 1 {
		return "", 0, core.NewError(core.CodeUnavailable, "the store is away")
	}
	return a.Store.Put(ctx, r, most)
}

// videoWorker serves videos with an engine until the test ends.
func (r *rig) videoWorker(t *testing.T, engine video.Generator, blobs blob.Store, extend func(context.Context, core.Item, video.Options) (string, error)) {
	t.Helper()
	t.Cleanup(r.videoHost(t, "host", blobs, videosteps.Deps{
		Engines: map[string]videosteps.Engine{video.MotionName: {Generator: engine, Slots: 1}}, Extend: extend,
	}))
}

// videoHost serves the steps of videos until stop is called.
func (r *rig) videoHost(tb testing.TB, name string, blobs blob.Store, d videosteps.Deps) (stop func()) {
	tb.Helper()
	self := activities.New(activities.Deps{Blobs: blobs, Records: r.records, Leases: lease.New(lease.Config{}), Name: name, Queue: name})
	d.Host, d.Program = self, func(context.Context) (*ffmpeg.Program, error) { return ffmpegtest.Program(tb), nil }
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- workers.Run(ctx, workers.Config{
			Client: r.client, Host: self, Instance: "1",
			Roles: []workers.Role{workers.RoleControl, workers.RoleTranslate, videoworkers.Role, videoworkers.RoleUpscale},
			Kinds: []workers.Kind{videoworkers.Kind(videosteps.New(d), 1)}, OnReady: func() { close(ready) },
		})
	}()
	await(tb, ready, "a worker")
	return func() {
		cancel()
		require.NoError(tb, <-done)
	}
}

// video writes a task of a video with these changes, and returns the input of its workflow.
func (r *rig) video(changes ...func(*video.Options)) chapter {
	r.t.Helper()
	o := video.Options{
		Model: "motion", Engine: "motion", Type: video.ImageToVideo, Prompt: "zoom in", Resolution: video.Resolution480,
		Width: 128, Height: 96, Duration: 3, Seed: 7, PromptExtend: true,
	}
	for _, change := range changes {
		change(&o)
	}
	var picture bytes.Buffer
	require.NoError(r.t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 400, 300))))
	ref, _, err := r.blobs.Put(r.t.Context(), &picture, 1<<20)
	require.NoError(r.t, err)
	in := chapter{TaskInput: workflows.TaskInput{TaskID: uuid.NewString(), Tenant: tenant, Kind: video.Kind, Title: r.t.Name(), Options: o.JSON()}}
	in.Items = []core.Item{{TaskID: in.TaskID, Tenant: tenant, Name: "image.png", Blob: ref}}
	_, created, err := r.records.CreateTask(r.t.Context(), records.NewTask{
		ID: in.TaskID, Tenant: tenant, Kind: in.Kind, Title: in.Title, Options: o.JSON(), Items: in.Items,
		Details: videorecords.Create(in.TaskID, o),
	})
	require.NoError(r.t, err)
	require.True(r.t, created)
	return in
}

func motionEngine(t *testing.T) *motion.Engine {
	t.Helper()
	return &motion.Engine{Program: func(context.Context) (*ffmpeg.Program, error) { return ffmpegtest.Program(t), nil }}
}

// A video is made once although its upload fails, with the prompt of a language model, and its progress is told.
func TestAVideoIsMade(t *testing.T) {
	r := newRig(t)
	engine := &counted{Generator: motionEngine(t)}
	r.videoWorker(t, engine, &away{Store: r.blobs}, func(context.Context, core.Item, video.Options) (string, error) {
		return "a slow zoom out", nil
	})
	in := r.video()
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, result.Status)
	require.EqualValues(t, 1, engine.made.Load())

	item, err := r.records.Item(t.Context(), in.TaskID, 0)
	require.NoError(t, err)
	file, err := r.blobs.Read(t.Context(), item.Result, 1<<20)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "video.mp4")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	info, err := ffmpegtest.Program(t).Probe(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, []int{128, 96, 72}, []int{info.Width, info.Height, info.Frames()})
	v, err := videorecords.New(r.records).Video(t.Context(), in.TaskID)
	require.NoError(t, err)
	require.Equal(t, "a slow zoom out", *v.ActualPrompt)
	require.NotEmpty(t, recordstest.Rows(t, r.url, `SELECT id::text FROM event WHERE task_id = $1 AND data->'item'->>'percent' IS NOT NULL`, in.TaskID))
	record(t, r, in, "video")
}

// A file that is not what was asked for is never a result, and a prompt that cannot be rewritten is used as it is.
func TestAVideoOfAnotherSizeIsNoResult(t *testing.T) {
	r := newRig(t)
	engine := &counted{Generator: liar{motionEngine(t)}}
	r.videoWorker(t, engine, r.blobs, func(context.Context, core.Item, video.Options) (string, error) {
		return "", core.NewError(core.CodeTranslatorRefused, "no")
	})
	in := r.video()
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.StatusError, result.Status)
	require.EqualValues(t, 3, engine.made.Load())
	task, err := r.records.Task(t.Context(), tenant, in.TaskID)
	require.NoError(t, err)
	require.Equal(t, core.CodeDevice, task.Failure.Code)
	require.Contains(t, task.Failure.Message, "64x48 pixels, not 128x96")
	record(t, r, in, "video-failed")
}

// broken is an engine that fails before it makes anything.
type broken struct{ video.Generator }

func (broken) Generate(context.Context, video.Job) error {
	return core.NewError(core.CodeEngineRefused, "the engine has no such model")
}

func TestAnEngineThatFailsEndsItsVideo(t *testing.T) {
	r := newRig(t)
	r.videoWorker(t, broken{motionEngine(t)}, r.blobs, noPrompts)
	in := r.video(func(o *video.Options) { o.PromptExtend = false })
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.StatusError, result.Status)
	task, err := r.records.Task(t.Context(), tenant, in.TaskID)
	require.NoError(t, err)
	require.Equal(t, core.CodeEngineRefused, task.Failure.Code)
}

// following is an engine that tells when it begins the second video.
type following struct {
	counted
	second chan struct{}
}

func (f *following) Generate(ctx context.Context, j video.Job) error {
	if err := f.counted.Generate(ctx, j); err != nil {
		return err
	}
	if f.made.Load() == 2 {
		close(f.second)
	}
	return nil
}

// slow is a blob store that stores nothing until it is let go.
type slow struct {
	blob.Store
	release <-chan struct{}
}

func (s slow) Put(ctx context.Context, r io.Reader, most int64) (core.BlobRef, int64, error) {
	select {
	case <-s.release:
	case <-time.After(patience):
		return "", 0, core.NewError(core.CodeBlobMissing, "no other video has begun meanwhile")
	}
	return s.Store.Put(ctx, r, most)
}

// An engine makes the next video while the last one is stored.
func TestAVideoThatIsStoredKeepsNoEngine(t *testing.T) {
	r := newRig(t)
	engine := &following{counted: counted{Generator: motionEngine(t)}, second: make(chan struct{})}
	r.videoWorker(t, engine, slow{r.blobs, engine.second}, noPrompts)
	var videos []chapter
	for range 2 {
		in := r.video(func(o *video.Options) { o.PromptExtend = false })
		require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
		videos = append(videos, in)
	}
	for _, in := range videos {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, core.StatusSuccess, result.Status)
	}
}
