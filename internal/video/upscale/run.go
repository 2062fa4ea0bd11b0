package upscale

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/window"
)

// Job is a file to enlarge.
type Job struct {
	Program *ffmpeg.Program
	Model   window.Manifest
	// Config says where the model runs. Its Size is that of the frames: [Run] sets it.
	Config window.Config
	// Store has segments and state. Folder is for files in work; nothing in it is needed after a run.
	Store  blob.Store
	Folder string
	// Source is the path of the file. The result goes to Target, which appears when it is whole.
	Source, Target string
	// Size is that of the frames of the result, both even; zero is that in which the model makes them.
	Size window.Size
	// Container is the format of the result, as [ffmpeg.Joining] has it.
	Container string
	// Quality is the constant rate factor of x264; 0 means that of [ffmpeg.Encoding].
	Quality int
	// From is where to go on, or nil. Progress of another source, model or quality is ignored.
	From *Progress
	// Saved is called with each progress from which another run can go on.
	Saved func(ctx context.Context, p Progress) error
	// Wrote is called with the number of frames that were written, after each window. It may be nil.
	Wrote func(frames, total int)
}

// Result describes a run.
type Result struct {
	Info     ffmpeg.Info
	Timeline *window.Timeline
	Size     window.Size
	Cut      int
	// Resumed is the number of frames that were there before the run.
	Resumed int
	// Saving is the time that storing state took.
	Saving time.Duration
}

// segmentFrames is about how many frames a segment has: two seconds.
const segmentFrames = 48

// savingShare is the largest part of the time that storing state may take.
const savingShare = 0.03

// Check describes a file, and refuses what cannot be enlarged, before any work.
//
// Errors: INVALID_VIDEO, TOO_LARGE, INVALID_INPUT.
func Check(ctx context.Context, program *ffmpeg.Program, source string, scale int) (ffmpeg.Info, error) {
	info, err := program.Probe(ctx, source)
	if err != nil {
		return ffmpeg.Info{}, err
	}
	width, height := info.Upright()
	switch {
	case info.Interlaced:
		return info, core.NewError(core.CodeInvalidVideo, "the video is interlaced: deinterlace it first")
	case info.Color.Transfer == "smpte2084" || info.Color.Transfer == "arib-std-b67":
		return info, core.NewError(core.CodeInvalidVideo, "the video is HDR, which is not enlarged")
	case width*scale > maxSide || height*scale > maxSide:
		return info, core.Errorf(core.CodeTooLarge, "frames of %dx%d pixels would become %dx%d; H.264 has at most %d along a side",
			width, height, width*scale, height*scale, maxSide)
	case width*scale%2 != 0 || height*scale%2 != 0:
		return info, core.Errorf(core.CodeInvalidInput, "frames of %dx%d pixels would become %dx%d, and H.264 needs even sizes",
			width, height, width*scale, height*scale)
	default:
		return info, nil
	}
}

// maxSide is the longest side of a frame at the highest level of H.264.
const maxSide = 8192

// lostOften is how often in a row the process of the last blocks may be lost without progress.
const lostOften = 3

// Run enlarges a file. When another process runs the last blocks and is lost, the run goes on from what was saved.
//
// Errors: those of [Check], of [window.Open] and [window.Model.Run], and of the store; those of Saved; CodeHostLost when the other process
// was lost three times without progress; the context's.
func Run(ctx context.Context, j Job) (Result, error) {
	info, err := Check(ctx, j.Program, j.Source, j.Model.Scale)
	if err != nil {
		return Result{}, err
	}
	for lost := 0; ; {
		result, reached, err := j.attempt(ctx, info)
		if core.CodeOf(err) != core.CodeHostLost || j.Config.Tail == nil || ctx.Err() != nil {
			return result, err
		}
		if reached != nil {
			j.From, lost = reached, 0
		} else if lost++; lost == lostOften {
			return result, err
		}
	}
}

// attempt runs a job once. It also returns the last progress that it saved, or nil.
func (j Job) attempt(ctx context.Context, info ffmpeg.Info) (result Result, reached *Progress, err error) {
	width, height := info.Upright()
	j.Config.Size = window.Size{Width: width, Height: height}
	r := run{ctx: ctx, job: j, info: info, size: j.Config.Size.Times(j.Model.Scale)}
	r.out = cmp.Or(j.Size, r.size)
	r.progress = Progress{Total: info.Frames()}
	if r.progress.Job, err = j.identity(); err != nil {
		return Result{}, nil, err
	}
	job := window.Job{Read: r.read, Write: r.write, Every: max(1, segmentFrames/j.Model.Geometry.Next), Reached: r.reached}
	if j.From != nil && j.From.Job == r.progress.Job {
		if r.segments, job.From, err = j.From.load(ctx, j.Store); err != nil {
			return Result{}, nil, err
		}
		r.progress = *j.From
		r.written = job.From.Frame
	}
	result = Result{Info: info, Size: r.out, Resumed: r.written}
	model, err := window.Open(ctx, j.Model, j.Config)
	if err != nil {
		return Result{}, nil, err
	}
	result.Cut = model.Cut()
	r.frames, err = j.Program.Decode(ctx, j.Source, ffmpeg.Decoding{Width: width, Height: height, Skip: r.written})
	if err != nil {
		return Result{}, nil, errors.Join(err, model.Close())
	}
	r.saved = time.Now()
	result.Timeline, err = model.Run(ctx, job)
	r.frames.Close()
	if err == nil {
		err = r.endSegment(ctx)
	}
	r.cancelSegment()
	if err = errors.Join(err, model.Close()); err != nil {
		return Result{}, r.stored, err
	}
	result.Saving = r.saving
	return result, nil, r.join(ctx)
}

func (j Job) identity() (string, error) {
	f, err := os.Open(j.Source)
	if err != nil {
		return "", fmt.Errorf("open the video: %w", err)
	}
	defer f.Close()
	return identity(f, j.Model, j.Size, j.Quality)
}

// run is a job in work. Read is called by one goroutine, write and reached by another.
type run struct {
	ctx  context.Context // of the encoder, which outlives the run of the model
	job  Job
	info ffmpeg.Info
	// size is that of the frames of the model, and out that of the result.
	size, out window.Size
	frames    *ffmpeg.Frames

	encoder  *ffmpeg.Encoder // of the segment in work, or nil
	written  int
	segments []core.BlobRef
	progress Progress
	// stored is the progress that was saved last in this run, or nil.
	stored *Progress
	// saved is when state was stored last, cost how long that took, and saving how long all took.
	saved        time.Time
	cost, saving time.Duration
}

// read implements [window.Reader].
func (r *run) read(_ context.Context, n int) (onnx.Tensor, error) {
	size := r.job.Config.Size
	plane := size.Width * size.Height
	t := onnx.Tensor{Shape: []int64{0, 3, int64(size.Height), int64(size.Width)}}
	samples := make([]byte, r.frames.Size())
	for range n {
		err := r.frames.Next(samples)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return onnx.Tensor{}, err
		}
		at := len(t.Data)
		t.Data = append(t.Data, make([]float32, 3*plane)...)
		for i := range plane {
			for c := range 3 {
				t.Data[at+c*plane+i] = float32(samples[3*i+c]) / 255
			}
		}
		t.Shape[0]++
	}
	if t.Shape[0] == 0 {
		return onnx.Tensor{}, io.EOF
	}
	return t, nil
}

// write adds frames to the segment in work.
func (r *run) write(_ context.Context, t onnx.Tensor) error {
	if r.encoder == nil {
		var err error
		if r.encoder, err = r.job.Program.EncodeSegment(r.ctx, r.path(), ffmpeg.Segment{
			Width: r.size.Width, Height: r.size.Height, ToWidth: r.out.Width, ToHeight: r.out.Height, Rate: r.rate(), Quality: r.job.Quality, Color: r.info.Color,
		}); err != nil {
			return err
		}
	}
	plane := r.size.Width * r.size.Height
	samples := make([]byte, 3*plane)
	for f := range int(t.Shape[0]) {
		frame := t.Data[f*3*plane:][:3*plane]
		for i := range plane {
			for c := range 3 {
				samples[3*i+c] = byte(min(max(frame[c*plane+i], 0), 1)*255 + 0.5)
			}
		}
		if err := r.encoder.Write(samples); err != nil {
			return err
		}
	}
	r.written += int(t.Shape[0])
	if r.job.Wrote != nil {
		r.job.Wrote(r.written, r.progress.Total)
	}
	return nil
}

// rate returns the mean number of frames a second as a fraction.
func (r *run) rate() ffmpeg.Rational {
	const precision = 1000
	return ffmpeg.Rational{Num: max(1, int64(min(max(r.info.Rate(), 1), 1000)*precision)), Den: precision}
}

// path is the file of the segment in work.
func (r *run) path() string { return filepath.Join(r.job.Folder, "segment.h264") }

// reached ends a segment. It stores the state of the model, unless that would take too much of the time since it was stored last.
func (r *run) reached(ctx context.Context, c window.Checkpoint) error {
	if err := r.endSegment(ctx); err != nil {
		return err
	}
	if time.Since(r.saved).Seconds()*savingShare < r.cost.Seconds() {
		return nil
	}
	begin := time.Now()
	progress, err := r.progress.save(ctx, r.job.Store, r.segments, c)
	if err != nil {
		return err
	}
	r.progress = progress
	if err := r.job.Saved(ctx, progress); err != nil {
		return err
	}
	r.stored = &progress
	r.saved = time.Now()
	r.cost = r.saved.Sub(begin)
	r.saving += r.cost
	return nil
}

// endSegment stores the segment in work, if there is one.
func (r *run) endSegment(ctx context.Context) error {
	if r.encoder == nil {
		return nil
	}
	if err := r.encoder.Close(); err != nil {
		return err
	}
	r.encoder = nil
	f, err := os.Open(r.path())
	if err != nil {
		return fmt.Errorf("open a segment: %w", err)
	}
	defer f.Close()
	ref, _, err := r.job.Store.Put(ctx, f, maxSegment)
	if err != nil {
		return err
	}
	r.segments = append(r.segments, ref)
	return os.Remove(r.path())
}

// cancelSegment ends the encoder of a run that has failed.
func (r *run) cancelSegment() {
	if r.encoder != nil {
		r.encoder.Cancel()
		_ = os.Remove(r.path())
	}
}

// join makes the result of the segments.
func (r *run) join(ctx context.Context) error {
	left := r.segments
	part := filepath.Join(r.job.Folder, "joined."+cmp.Or(r.job.Container, r.info.Container()))
	err := r.job.Program.Join(ctx, part, ffmpeg.Joining{
		Source: r.job.Source, Info: r.info, Container: r.job.Container, Width: r.out.Width, Height: r.out.Height,
		Segments: func() ([]byte, error) {
			if len(left) == 0 {
				return nil, io.EOF
			}
			ref := left[0]
			left = left[1:]
			return r.job.Store.Read(ctx, ref, maxSegment)
		},
	})
	if err != nil {
		_ = os.Remove(part)
		return err
	}
	return os.Rename(part, r.job.Target)
}
