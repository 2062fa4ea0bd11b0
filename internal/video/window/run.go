package window

import (
	"context"

	"plait/internal/core"
	"plait/internal/onnx"
)

// Job is one video on its way through a model.
type Job struct {
	// Read returns the frames of the video. After a checkpoint it begins with frame [Checkpoint.Frame].
	Read Reader
	// Write takes the frames of the result in order, some for each window: [k,3,h*scale,w*scale]. Values may be a little below 0 or
	// above 1. It must not keep the tensor.
	Write func(ctx context.Context, frames onnx.Tensor) error
	// From is where the run begins, or nil for the start of the video.
	From *Checkpoint
	// Every is the number of windows after which Reached is called, with the state after the frames that were written. 0 means never.
	Every   int
	Reached func(ctx context.Context, c Checkpoint) error
}

// Run enlarges a video. It ends when all frames were written, or with the first error, after everything that it started has ended. It
// needs memory for some windows, whatever the length of the video.
//
// Errors: CodeInvalidInput for a video without frames, and for frames of another size than the model was opened for; CodeModelMissing
// when the model returns state that does not fit; CodeDevice when a device fails; those of the job; the context's error.
func (m *Model) Run(ctx context.Context, j Job) (*Timeline, error) {
	begin, memories := 0, m.start()
	m.tailFrom = nil
	if j.From != nil {
		from := *j.From
		if m.config.Tail != nil {
			var tail Checkpoint
			from, tail = m.split(from)
			m.tailFrom = &tail
		}
		var err error
		if begin, memories, err = m.restore(from); err != nil {
			return nil, err
		}
	}
	feed := feeder{read: j.Read, size: m.config.Size, geometry: m.manifest.Geometry, every: j.Every, total: m.manifest.Geometry.Begin(begin)}
	timeline := newTimeline(m.lanes.names())
	run := pipeline{
		schedule: m.config.Schedule, stages: m, lanes: m.lanes, timeline: timeline,
		next: func(ctx context.Context, prev *Window) (*Window, error) {
			return feed.next(ctx, prev, func() *Window { return firstWindow(begin, memories) })
		},
		done: func(ctx context.Context, w *Window) error { return m.deliver(ctx, j, w) },
	}
	return timeline, run.run(ctx)
}

// deliver writes the frames of a window, and reports a checkpoint.
func (m *Model) deliver(ctx context.Context, j Job, w *Window) error {
	want := m.padded.Times(m.manifest.Scale)
	if err := want.check(w.passed); err != nil || int(w.passed.Shape[0]) < w.keep {
		return core.Errorf(core.CodeModelMissing, "the video model returned the shape %v for %d frames of %s", w.passed.Shape, w.keep, want)
	}
	frames := want.frames(w.keep, w.passed.Data)
	if err := j.Write(ctx, resize(frames, want, m.config.Size.Times(m.manifest.Scale))); err != nil {
		return err
	}
	w.pass(onnx.Tensor{}, nil)
	if w.kept == nil || j.Reached == nil {
		return nil
	}
	return j.Reached(ctx, m.checkpoint(w))
}
