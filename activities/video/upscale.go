package video

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/tempdir"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/upscale"
	"plait/internal/video/window"
)

// Upscale enlarges a video and ends its item: its result is the file, as MP4. It goes on where another attempt on any host has stood.
func (a *Activities) Upscale(ctx context.Context, in video.UpscaleInput) (core.BlobRef, error) {
	stage, mode := video.StageGenerate, video.ModeGenerate
	if in.Source != "" {
		stage = video.StageUpscale
	}
	if in.Fallback {
		stage, mode = video.StageFallback, video.ModeFallback
	}
	run := a.Run(ctx, in.Item, stage, mode)
	run.Rank = video.Rank(stage)
	return activities.Step[core.BlobRef]{
		Kind: video.Kind, Run: run,
		Recorded: func(i records.Item) (core.BlobRef, bool) { return i.Result, i.Status == core.StatusSuccess },
		Work: func(ctx context.Context, _ records.Item) (core.BlobRef, error) {
			g := generation{Activities: a, in: video.GenerateInput{Item: in.Item, Options: in.Options}, run: run}
			e := enlargement{generation: g, fallback: in.Fallback, source: in.Item.Blob}
			if in.Source != "" {
				e.source, e.from = in.Source, generatedShare
			}
			return e.do(ctx)
		},
	}.Do(ctx, a.Host)
}

// enlargement is one attempt at enlarging a video.
type enlargement struct {
	generation
	fallback bool
	source   core.BlobRef
	dir      string
	reached  *upscale.Progress
}

// Window is what the heartbeats of an enlargement tell: the frames that are written, of all, and the window after which another host would
// go on.
type Window struct {
	Frames     int `json:"frames"`
	Total      int `json:"total"`
	Checkpoint int `json:"checkpoint_window"`
}

func (e *enlargement) do(ctx context.Context) (ref core.BlobRef, err error) {
	if e.Upscaler == nil {
		return "", core.NewError(core.CodeModelMissing, "this worker enlarges no videos")
	}
	dir, err := tempdir.Make(e.TempDir, tempPrefix)
	if err != nil {
		return "", err
	}
	defer func() { _ = dir.Remove() }()
	e.dir = dir.Path
	started := time.Now()
	job, err := e.prepare(ctx)
	if err != nil {
		return "", err
	}
	result, err := e.enlarge(ctx, job)
	if err != nil {
		return "", err
	}
	file, err := e.probe(ctx, job, result)
	if err != nil {
		return "", err
	}
	made := time.Now()
	if ref, err = e.keep(ctx, job.Target); err != nil {
		return "", err
	}
	elapsed := core.ElapsedMS{"generate": made.Sub(started).Milliseconds(), "total": time.Since(started).Milliseconds()}
	left, err := e.videos.FinishUpscale(ctx, e.run, records.Finished{Mode: e.run.Mode, Result: ref, Elapsed: elapsed}, file, upscaled(result))
	if err != nil {
		return "", err
	}
	e.drop(ctx, left)
	return ref, nil
}

// upscaled is what the records keep of a run.
func upscaled(r upscale.Result) videorecords.Upscale {
	u := videorecords.Upscale{Split: &r.Cut, Resumed: r.Resumed, Processing: r.Timeline.Makespan.Milliseconds(), Busy: map[string]int64{}}
	for device, busy := range r.Timeline.Busy {
		u.Busy[device] = busy.Milliseconds()
	}
	return u
}

// prepare takes the video up, and puts its file where ffmpeg can read it.
func (e *enlargement) prepare(ctx context.Context) (j upscale.Job, err error) {
	found, err := e.videos.Upscales(ctx, []string{e.in.Item.TaskID})
	if err != nil {
		return j, err
	}
	if text := found[e.in.Item.TaskID].Progress; text != nil {
		if err := json.Unmarshal(text, &e.reached); err != nil {
			return j, core.Wrap(core.CodeInternal, err, "the progress of the video cannot be read")
		}
	}
	j = upscale.Job{
		Config: e.Upscaler.Config, Folder: e.dir, Source: filepath.Join(e.dir, "source"), Target: filepath.Join(e.dir, "video.mp4"), Container: "mp4",
		From: e.reached, Saved: e.saved, Wrote: e.wrote(ctx),
		Store: held{Store: e.Blobs, dir: e.dir, hold: func(ctx context.Context, ref core.BlobRef) error {
			return e.Records.HoldBlobs(ctx, e.in.Item.TaskID, []core.BlobRef{ref})
		}},
	}
	if o := e.in.Options; o.Generated != nil {
		j.Size = window.Size{Width: o.Width, Height: o.Height}
	}
	if j.Program, err = e.Program(ctx); err != nil {
		return j, err
	}
	if j.Model, err = e.Upscaler.Model(ctx, e.in.Options.Scale); err != nil {
		return j, err
	}
	if err := e.videos.Claim(ctx, e.run); err != nil {
		return j, err
	}
	return j, e.fetch(ctx, j.Source)
}

// fetch copies the video out of the store.
func (e *enlargement) fetch(ctx context.Context, path string) error {
	r, _, err := e.Blobs.Open(ctx, e.source)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // read-only
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(f, r)
		err = errors.Join(err, f.Close())
	}
	if err != nil && core.CodeOf(err) == core.CodeInternal {
		return core.Wrap(core.CodeUnavailable, err, "the video cannot be copied to this host")
	}
	return err
}

// enlarge runs the model on the devices of the process; as a fallback, on the first of them that can, one stage at a time.
func (e *enlargement) enlarge(ctx context.Context, j upscale.Job) (r upscale.Result, err error) {
	if !e.fallback {
		return e.together(ctx, j)
	}
	devices := j.Config.Devices
	for i := range devices {
		j.Config.Devices, j.Config.Schedule, j.Config.Cut = devices[i:i+1], window.Sequential, window.CutAuto
		j.From = e.reached
		if r, err = e.attempt(ctx, j); core.CodeOf(err) != core.CodeDevice {
			return r, err
		}
		e.Log.Warn("a device cannot enlarge a video", "item", e.in.Item.String(), "device", devices[i].String(), "error", err)
	}
	return r, err
}

// together runs the model on all devices. It fails with DEVICE_FAILED when the other process of the group is lost for good.
func (e *enlargement) together(ctx context.Context, j upscale.Job) (upscale.Result, error) {
	if e.Upscaler.Share != nil {
		if err := e.Upscaler.Share(e.in.Options.Scale, j.Model, &j.Config); err != nil {
			return upscale.Result{}, err
		}
	}
	r, err := e.attempt(ctx, j)
	if core.CodeOf(err) == core.CodeHostLost {
		err = core.Wrap(core.CodeDevice, err, "the process of the second device was lost")
	}
	return r, err
}

func (e *enlargement) attempt(ctx context.Context, j upscale.Job) (upscale.Result, error) {
	if err := e.videos.BeginUpscale(ctx, e.run, string(j.Config.Schedule), e.fallback); err != nil {
		return upscale.Result{}, err
	}
	return upscale.Run(ctx, j)
}

// saved records from where another host can go on, and removes what only the point before needed.
func (e *enlargement) saved(ctx context.Context, p upscale.Progress) error {
	own, segments, err := p.Blobs(ctx, e.Blobs)
	if err != nil {
		return err
	}
	left, err := e.videos.SaveUpscale(ctx, e.run, p, own, segments)
	if err != nil {
		return err
	}
	e.reached = &p
	e.drop(ctx, left)
	activities.Tell(ctx, Window{Frames: p.Frames, Total: p.Total, Checkpoint: p.Windows})
	return nil
}

// wrote tells how far the work is. The run ends with the next segment if the records refuse it.
func (e *enlargement) wrote(ctx context.Context) func(frames, total int) {
	return func(frames, total int) {
		if err := e.progress(ctx, 100*frames/max(total, 1)); err != nil && ctx.Err() == nil {
			e.Log.Warn("the progress of a video is not recorded", "item", e.in.Item.String(), "error", err)
		}
	}
}

// drop removes blobs that are not needed any more. The sweeper removes those that it cannot remove now.
func (e *enlargement) drop(ctx context.Context, left []core.BlobRef) {
	if len(left) == 0 {
		return
	}
	_, err := e.Records.ReleaseBlobs(ctx, e.in.Item.TaskID, left)
	if err == nil {
		_, err = e.Records.RemoveBlobs(ctx, left, e.Blobs.Delete)
	}
	if err != nil {
		e.Log.Warn("the sweeper removes what a video does not need any more", "item", e.in.Item.String(), "error", err)
	}
}

// probe describes the result. It fails with DEVICE_FAILED for a file that nobody should get.
func (e *enlargement) probe(ctx context.Context, j upscale.Job, r upscale.Result) (videorecords.File, error) {
	info, err := j.Program.Probe(ctx, j.Target)
	if err != nil {
		return videorecords.File{}, err
	}
	if what := unlike(info, r); what != "" {
		return videorecords.File{}, core.Errorf(core.CodeDevice, "the enlarged video %s", what)
	}
	return videorecords.File{Width: info.Width, Height: info.Height, Frames: info.Frames(), Duration: info.Duration()}, nil
}

// unlike says how a file differs from the result that it should have; it is empty for one that does not.
func unlike(i ffmpeg.Info, r upscale.Result) string {
	switch {
	case i.Damage != "":
		return "is damaged"
	case i.Width != r.Size.Width || i.Height != r.Size.Height:
		return fmt.Sprintf("has %dx%d pixels, not %s", i.Width, i.Height, r.Size)
	case i.Frames() != r.Info.Frames():
		return fmt.Sprintf("has %d frames, not %d", i.Frames(), r.Info.Frames())
	default:
		return ""
	}
}
