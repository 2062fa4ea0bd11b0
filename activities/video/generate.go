package video

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/tempdir"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
)

// Generate makes the video and ends its item: its result is the file. One that is then enlarged is kept for the next step instead.
func (a *Activities) Generate(ctx context.Context, in video.GenerateInput) (core.BlobRef, error) {
	run := a.Run(ctx, in.Item, video.StageGenerate, video.ModeGenerate)
	run.Rank = video.Rank(video.StageGenerate)
	var known videorecords.Video
	return activities.Step[core.BlobRef]{
		Kind: video.Kind, Run: run, Details: []records.Statement{videorecords.ReadVideo(in.Item.TaskID, &known)},
		Recorded: func(i records.Item) (core.BlobRef, bool) { return i.Result, i.Status == core.StatusSuccess },
		Work: func(ctx context.Context, _ records.Item) (core.BlobRef, error) {
			g := &generation{Activities: a, in: in, run: run, known: known}
			if in.Options.Generated != nil {
				g.to = generatedShare
			}
			return g.do(ctx)
		},
	}.Do(ctx, a.Host)
}

// generation is one attempt at a video.
type generation struct {
	*Activities
	in    video.GenerateInput
	run   records.StageRun
	known videorecords.Video
	// from and to are the percentages of the video at the begin and the end of the step; a zero to is 100.
	from, to int
	// told is the percentage that the records have, and at is since when.
	told int
	at   time.Time
}

func (g *generation) do(ctx context.Context) (core.BlobRef, error) {
	engine, ok := g.Engines[g.in.Options.Engine]
	if !ok {
		return "", core.Errorf(core.CodeModelMissing, "this worker has no engine %s", g.in.Options.Engine)
	}
	if g.known.Generated != "" { // an earlier attempt did not live to say so
		g.forget(ctx, engine, g.job(""))
		return g.known.Generated, nil
	}
	dir, err := tempdir.Make(g.TempDir, tempPrefix)
	if err != nil {
		return "", err
	}
	defer func() { _ = dir.Remove() }()
	started := time.Now()
	path := filepath.Join(dir.Path, "video.mp4")
	job := g.job(path)
	defer g.free(ctx, &job)()
	if err := engine.Generate(ctx, job); err != nil {
		if ctx.Err() != nil && activities.IsCanceled(ctx) { // nobody wants it any more
			g.forget(ctx, engine, job)
		}
		return "", err
	}
	job.Free()
	file, err := g.examine(ctx, path)
	if err != nil {
		if core.CodeOf(err) == core.CodeDevice { // the next attempt asks for another
			g.forget(ctx, engine, job)
		}
		return "", err
	}
	made := time.Now()
	ref, err := g.keep(ctx, path)
	if err != nil {
		return "", err
	}
	elapsed := core.ElapsedMS{"generate": made.Sub(started).Milliseconds(), "total": time.Since(started).Milliseconds()}
	if g.in.Options.Generated != nil {
		if err = g.Records.SavePercent(ctx, g.run, generatedShare); err == nil {
			err = g.videos.SaveGenerated(ctx, g.run, ref, elapsed)
		}
	} else {
		err = g.videos.Finish(ctx, g.run, records.Finished{Mode: video.ModeGenerate, Result: ref, Elapsed: elapsed}, file)
	}
	if err != nil {
		return "", err
	}
	g.forget(ctx, engine, job)
	return ref, nil
}

// free lets the job tell that its device is free: another video can begin while this one is examined and stored. The function that it returns
// ends that.
func (g *generation) free(ctx context.Context, j *video.Job) func() {
	end := func() {}
	j.Free = sync.OnceFunc(func() { end = activities.WithoutDevice(ctx) })
	return func() { end() }
}

// generatedShare is how far a video is, in percent, when it is made and not yet enlarged.
const generatedShare = 50

// forgetTimeout bounds the deletion of what an engine keeps, which goes by itself at the latest when the server restarts.
const forgetTimeout = 10 * time.Second

func (g *generation) forget(ctx context.Context, engine Engine, j video.Job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgetTimeout)
	defer cancel()
	if err := engine.Forget(ctx, j); err != nil {
		g.Log.Warn("an engine keeps a video that nobody needs", "item", g.in.Item.String(), "error", err)
	}
}

func (g *generation) job(path string) video.Job {
	j := video.Job{TaskID: g.in.Item.TaskID, Options: g.in.Options.AtEngine(), Prompt: g.in.Options.Prompt, Path: path, Progress: g.progress}
	j.Begin = func(ctx context.Context) error { return g.videos.Claim(ctx, g.run) }
	j.At = func() video.ServerJob { return g.known.Job }
	j.Record = func(ctx context.Context, at video.ServerJob) error {
		g.known.Job = at
		return g.videos.SaveJob(ctx, g.run, at)
	}
	j.Taken = g.videos.Jobs
	if g.known.ActualPrompt != nil {
		j.Prompt = *g.known.ActualPrompt
	}
	if g.in.Options.Watermark {
		j.Mark = g.Mark
	}
	if g.in.Options.Type == video.ImageToVideo {
		j.Image = func(ctx context.Context) ([]byte, error) { return g.Blobs.Read(ctx, g.in.Item.Blob, maxImageBytes) }
		j.Picture = g.picture
	}
	return j
}

// maxImageBytes is more than a request may have.
const maxImageBytes = 16 << 20

func (g *generation) picture(ctx context.Context) (image.Image, error) {
	b, err := g.Blobs.Read(ctx, g.in.Item.Blob, maxImageBytes)
	if err != nil {
		return nil, err
	}
	p, err := picture.Decode(ctx, b, picture.DefaultLimits())
	if err != nil {
		return nil, err
	}
	return p.Image, nil
}

// progressEvery is the least time between two records of the progress.
const progressEvery = 400 * time.Millisecond

// progress records how far the step is. It never goes back. The end is recorded with the result.
func (g *generation) progress(ctx context.Context, percent int) error {
	if percent = min(g.from+percent*(cmp.Or(g.to, 100)-g.from)/100, 99); percent <= g.told || time.Since(g.at) < progressEvery {
		return ctx.Err()
	}
	g.told, g.at = percent, time.Now()
	return g.Records.SavePercent(ctx, g.run, percent)
}

const (
	// durationSlack is how far the duration of a video may be from the one that was asked for: models make whole groups of frames.
	durationSlack = 0.75 // seconds
	// leastRate is the lowest number of frames a second that looks like a motion.
	leastRate = 8
)

// examine probes what an engine made. It fails with DEVICE_FAILED for a file that nobody should get.
func (g *generation) examine(ctx context.Context, path string) (videorecords.File, error) {
	program, err := g.Program(ctx)
	if err != nil {
		return videorecords.File{}, err
	}
	info, err := program.Probe(ctx, path)
	if err != nil && ctx.Err() == nil && core.CodeOf(err) != core.CodeUnavailable {
		return videorecords.File{}, core.Wrap(core.CodeDevice, err, "the engine made a file that does not play")
	}
	if err != nil {
		return videorecords.File{}, err
	}
	if what := wrong(info, g.in.Options.AtEngine()); what != "" {
		return videorecords.File{}, core.Errorf(core.CodeDevice, "the engine made a video that %s", what)
	}
	return videorecords.File{Width: info.Width, Height: info.Height, Frames: info.Frames(), Duration: info.Duration()}, nil
}

// wrong says what is wrong with a video; it is empty for one as it was asked for, which browsers play.
func wrong(i ffmpeg.Info, o video.Options) string {
	switch {
	case i.Damage != "":
		return "is damaged"
	case i.Codec != "h264" || i.PixelFormat != "yuv420p":
		return fmt.Sprintf("browsers do not play (%s, %s)", i.Codec, i.PixelFormat)
	case i.Width != o.Width || i.Height != o.Height || i.Rotation != 0:
		return fmt.Sprintf("has %dx%d pixels, not %dx%d", i.Width, i.Height, o.Width, o.Height)
	case math.Abs(i.Duration().Seconds()-float64(o.Duration)) > durationSlack:
		return fmt.Sprintf("lasts %.1f seconds, not %d", i.Duration().Seconds(), o.Duration)
	case i.Rate() < leastRate:
		return fmt.Sprintf("has %.1f frames a second", i.Rate())
	default:
		return ""
	}
}

const (
	// keepFirstWait and keepLastWait are the waits between uploads, and keepPatience how long they go on: the video is not made again
	// because the store was away for a while.
	keepFirstWait, keepLastWait = time.Second, 30 * time.Second
	keepPatience                = 30 * time.Minute
)

// keep stores the file. It is repeated while the records or the store are out of reach.
func (g *generation) keep(ctx context.Context, path string) (core.BlobRef, error) {
	deadline := time.Now().Add(keepPatience)
	for wait := keepFirstWait; ; wait = min(2*wait, keepLastWait) {
		ref, err := g.store(ctx, path)
		if err == nil || ctx.Err() != nil || time.Now().After(deadline) {
			return ref, err
		}
		if code := core.CodeOf(err); code != core.CodeUnavailable && code != core.CodeStorageFull {
			return ref, err
		}
		g.Log.Warn("a video cannot be stored yet", "item", g.in.Item.String(), "error", err)
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(wait):
		}
	}
}

// store holds the blob before it stores it, because another task with the same bytes may be deleted in between.
func (g *generation) store(ctx context.Context, path string) (ref core.BlobRef, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", core.Wrap(core.CodeInternal, err, "the file of the video is gone")
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	hash := sha256.New()
	size, err := io.Copy(hash, f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", core.Wrap(core.CodeUnavailable, err, "the file of the video cannot be read")
	}
	ref = core.NewBlobRef([sha256.Size]byte(hash.Sum(nil)))
	if err := g.Records.HoldBlobs(ctx, g.in.Item.TaskID, []core.BlobRef{ref}); err != nil {
		return "", err
	}
	_, _, err = g.Blobs.Put(ctx, f, size)
	return ref, err
}
