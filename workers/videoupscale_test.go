package workers_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	videosteps "plait/activities/video"
	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/upscale"
	"plait/internal/video/window"
	"plait/internal/video/window/windowtest"
	"plait/workflows"
)

// stuck is a blob store that does not end the put of a certain number.
type stuck struct {
	blob.Store
	at    int32
	asked atomic.Int32
	there chan struct{}
}

func (s *stuck) Put(ctx context.Context, r io.Reader, most int64) (core.BlobRef, int64, error) {
	if s.asked.Add(1) == s.at {
		close(s.there)
		<-ctx.Done()
		return "", 0, context.Cause(ctx)
	}
	return s.Store.Put(ctx, r, most)
}

// upscaler enlarges videos with a small model on these devices.
func upscaler(t *testing.T, model window.Manifest, devices ...window.Device) *videosteps.Upscaler {
	t.Helper()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	return &videosteps.Upscaler{
		Model:  func(context.Context, int) (window.Manifest, error) { return model, nil },
		Config: window.Config{Library: library, Devices: devices, Schedule: window.Basic, Cut: 2}, Slots: 1,
	}
}

var twoCPUs = []window.Device{{Kind: onnx.CPU, Threads: 1}, {Kind: onnx.CPU, ID: 1, Threads: 1}}

// noPrompts is for videos without one.
func noPrompts(context.Context, core.Item, video.Options) (string, error) {
	return "", errors.New("an enlarged video has no prompt")
}

// enlarge writes a task that enlarges a file, and returns the input of its workflow.
func (r *rig) enlarge(path string) chapter {
	r.t.Helper()
	o := video.Options{Model: video.UpscaleModel, Engine: video.UpscaleName, Type: video.VideoUpscale, Scale: windowtest.Scale}
	file, err := os.Open(path)
	require.NoError(r.t, err)
	ref, _, err := r.blobs.Put(r.t.Context(), file, 1<<30)
	require.NoError(r.t, errors.Join(err, file.Close()))
	in := chapter{TaskInput: workflows.TaskInput{TaskID: uuid.NewString(), Tenant: tenant, Kind: video.Kind, Title: r.t.Name(), Options: o.JSON()}}
	in.Items = []core.Item{{TaskID: in.TaskID, Tenant: tenant, Name: "video", Blob: ref}}
	_, created, err := r.records.CreateTask(r.t.Context(), records.NewTask{
		ID: in.TaskID, Tenant: tenant, Kind: in.Kind, Title: in.Title, Options: o.JSON(), Items: in.Items,
		Details: videorecords.Create(in.TaskID, o),
	})
	require.NoError(r.t, err)
	require.True(r.t, created)
	return in
}

// enlarged returns what was recorded of a video that was enlarged, and checks that its file is that of a calm run and that nothing else is
// left.
func (r *rig) enlarged(in chapter, source string, calm *videosteps.Upscaler) videorecords.Upscale {
	t := r.t
	t.Helper()
	dir := t.TempDir()
	store, err := blob.Open(t.Context(), filepath.Join(dir, "blobs"))
	require.NoError(t, err)
	model, err := calm.Model(t.Context(), windowtest.Scale)
	require.NoError(t, err)
	job := upscale.Job{
		Program: ffmpegtest.Program(t), Model: model, Config: calm.Config, Store: store, Folder: dir, Source: source,
		Target: filepath.Join(dir, "calm.mp4"), Container: "mp4", Saved: func(context.Context, upscale.Progress) error { return nil },
	}
	_, err = upscale.Run(t.Context(), job)
	require.NoError(t, err)
	want, err := os.ReadFile(job.Target)
	require.NoError(t, err)
	item, err := r.records.Item(t.Context(), in.TaskID, 0)
	require.NoError(t, err)
	got, err := r.blobs.Read(t.Context(), item.Result, 1<<30)
	require.NoError(t, err)
	require.Equal(t, want, got)

	require.Empty(t, recordstest.Rows(t, r.url, `SELECT blob FROM task_file WHERE task_id = $1`, in.TaskID))
	found, err := videorecords.New(r.records).Upscales(t.Context(), []string{in.TaskID})
	require.NoError(t, err)
	u := found[in.TaskID]
	require.Nil(t, u.Progress)
	require.NotNil(t, u.StartedAt)
	require.NotNil(t, u.FinishedAt)
	require.Positive(t, u.Processing)
	return u
}

// clipWithSound has 150 frames in several segments, and sound of a codec that MP4 does not have.
func clipWithSound(t *testing.T) string {
	t.Helper()
	return ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc2=size=32x24:rate=25:duration=6", "-f", "lavfi", "-i", "sine=frequency=440:duration=6",
		"-c:v", "libx264", "-c:a", "pcm_s16le", "clip.mkv")
}

// A host that is lost in the middle leaves the rest to another, which does not begin again: the file is that of a calm run.
func TestAnotherHostGoesOnWithAVideo(t *testing.T) {
	r := newRig(t)
	source, model := clipWithSound(t), windowtest.Read(t, 1)
	engine := upscaler(t, model, twoCPUs...)
	in := r.enlarge(source)
	blobs := &stuck{Store: r.blobs, at: 4, there: make(chan struct{})}
	stop := r.videoHost(t, "first", blobs, videosteps.Deps{Upscaler: engine, Extend: noPrompts})
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	await(t, blobs.there, "the second segment")
	require.NotEmpty(t, recordstest.Rows(t, r.url, `SELECT blob FROM task_file WHERE task_id = $1 AND role = 'segment'`, in.TaskID))
	stop()
	t.Cleanup(r.videoHost(t, "second", r.blobs, videosteps.Deps{Upscaler: engine, Extend: noPrompts}))
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, result.Status)

	u := r.enlarged(in, source, engine)
	require.Equal(t, []any{"basic", 2, false}, []any{*u.Mode, *u.Split, u.Fallback})
	require.Positive(t, u.Resumed)
	require.Less(t, u.Resumed, 150)
	require.Len(t, u.Busy, 2)
	v, err := videorecords.New(r.records).Video(t.Context(), in.TaskID)
	require.NoError(t, err)
	require.Equal(t, 100, v.Percent)
	record(t, r, in, "video-upscale")
}

// Where one of two devices fails, the other enlarges the video alone, one stage at a time.
func TestAVideoIsEnlargedOnOneDeviceWhenTheOtherFails(t *testing.T) {
	r := newRig(t)
	source, model := clipWithSound(t), windowtest.Read(t, 1)
	t.Cleanup(r.videoHost(t, "host", r.blobs, videosteps.Deps{
		Upscaler: upscaler(t, model, window.Device{Kind: onnx.CUDA, Threads: 1}, twoCPUs[0]), Extend: noPrompts,
	}))
	in := r.enlarge(source)
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, result.Status)
	u := r.enlarged(in, source, upscaler(t, model, twoCPUs...))
	require.Equal(t, []any{"sequential", true}, []any{*u.Mode, u.Fallback})
	item, err := r.records.Item(t.Context(), in.TaskID, 0)
	require.NoError(t, err)
	require.Equal(t, video.ModeFallback, item.Mode)
	record(t, r, in, "video-fallback")
}

// A file that is no video, or one that cannot be enlarged, fails with a code that says so, at once.
func TestVideosThatCannotBeEnlarged(t *testing.T) {
	r := newRig(t)
	t.Cleanup(r.videoHost(t, "host", r.blobs, videosteps.Deps{Upscaler: upscaler(t, windowtest.Read(t, 1), twoCPUs...), Extend: noPrompts}))
	whole, err := os.ReadFile(clipWithSound(t))
	require.NoError(t, err)
	cut := filepath.Join(t.TempDir(), "cut.mkv")
	require.NoError(t, os.WriteFile(cut, whole[:100], 0o600))
	for path, code := range map[string]core.Code{
		cut: core.CodeInvalidVideo,
		ffmpegtest.Make(t, "-f", "lavfi", "-i", "sine=duration=1", "a.mp4"):                     core.CodeInvalidVideo,
		ffmpegtest.Make(t, "-f", "lavfi", "-i", "color=size=4100x16:duration=0.04", "wide.mp4"): core.CodeTooLarge,
	} {
		in := r.enlarge(path)
		require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, core.StatusError, result.Status)
		task, err := r.records.Task(t.Context(), tenant, in.TaskID)
		require.NoError(t, err)
		require.Equal(t, code, task.Failure.Code, filepath.Base(path))
		runs := recordstest.Rows(t, r.url, `SELECT attempt::text FROM stage_run WHERE task_id = $1`, in.TaskID)
		require.Len(t, runs, 1)
	}
}

// larger asks for more than the engine makes.
func larger(o *video.Options) {
	o.PromptExtend, o.PriceMicros = false, 250_000
	o.Width, o.Height, o.Generated, o.Scale = 200, 150, &video.Size{Width: 128, Height: 96}, windowtest.Scale
}

// A video that its model makes no larger is made once, and then enlarged to the size that was asked for, although the host is lost between the
// two and in the middle of the second. It is paid for once.
func TestAVideoIsMadeAndThenEnlarged(t *testing.T) {
	r := newRig(t)
	engine, model := &counted{Generator: motionEngine(t)}, windowtest.Read(t, 1)
	deps := videosteps.Deps{
		Engines: map[string]videosteps.Engine{video.MotionName: {Generator: engine, Slots: 1}}, Upscaler: upscaler(t, model, twoCPUs...), Extend: noPrompts,
	}
	in := r.video(larger)
	blobs := &stuck{Store: r.blobs, at: 4, there: make(chan struct{})} // the video, a segment with its state, the list of segments
	stop := r.videoHost(t, "first", blobs, deps)
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	await(t, blobs.there, "the list of segments")
	stop()
	require.Len(t, recordstest.Rows(t, r.url, `SELECT blob FROM task_file WHERE task_id = $1 AND role = 'generated'`, in.TaskID), 1)
	t.Cleanup(r.videoHost(t, "second", r.blobs, deps))
	r.madeLarger(in)
	require.EqualValues(t, 1, engine.made.Load())
	require.Equal(t, []string{"250000"}, recordstest.Rows(t, r.url, `SELECT cost_micros::text FROM model_call WHERE task_id = $1`, in.TaskID))
	require.Empty(t, recordstest.Rows(t, r.url, `SELECT r.percent FROM (
		SELECT data->'item'->>'percent' AS percent, id, max((data->'item'->>'percent')::int) OVER (ORDER BY id) AS most FROM event
		WHERE task_id = $1 AND data->'item'->>'stage' = 'upscale') r WHERE percent::int < 50`, in.TaskID), "progress goes on where the first step ended")
	record(t, r, in, "video-enlarged")

	// The first host was lost before it could say that the video is made.
	in = r.video(larger)
	store := videorecords.New(r.records)
	run := records.StageRun{Item: in.Items[0], Stage: video.StageGenerate, Rank: video.Rank(video.StageGenerate), Attempt: 1, Mode: video.ModeGenerate, Host: "lost"}
	require.NoError(t, store.StartTask(t.Context(), core.StartTaskInput{TaskID: in.TaskID}))
	_, err := store.BeginStage(t.Context(), run)
	require.NoError(t, err)
	require.NoError(t, store.Claim(t.Context(), run))
	require.NoError(t, store.SaveGenerated(t.Context(), run, r.made(128, 96), nil))
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	r.madeLarger(in)
	require.EqualValues(t, 1, engine.made.Load())
}

// made stores a video of three seconds, and returns its blob.
func (r *rig) made(width, height int) core.BlobRef {
	r.t.Helper()
	file, err := os.Open(ffmpegtest.Make(r.t, "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=size=%dx%d:rate=24:duration=3", width, height), "made.mp4"))
	require.NoError(r.t, err)
	ref, _, err := r.blobs.Put(r.t.Context(), file, 1<<30)
	require.NoError(r.t, errors.Join(err, file.Close()))
	return ref
}

// madeLarger waits for a video of three seconds, and checks that it has the size that was asked for and that nothing else is left.
func (r *rig) madeLarger(in chapter) {
	t := r.t
	t.Helper()
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, result.Status)
	item, err := r.records.Item(t.Context(), in.TaskID, 0)
	require.NoError(t, err)
	file, err := r.blobs.Read(t.Context(), item.Result, 1<<30)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "video.mp4")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	info, err := ffmpegtest.Program(t).Probe(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, []any{200, 150, 72, "h264", ""}, []any{info.Width, info.Height, info.Frames(), info.Codec, info.Damage})
	require.Empty(t, recordstest.Rows(t, r.url, `SELECT blob FROM task_file WHERE task_id = $1`, in.TaskID))
}
