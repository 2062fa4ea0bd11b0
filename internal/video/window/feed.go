package window

import (
	"context"
	"errors"
	"io"

	"plait/internal/core"
	"plait/internal/onnx"
)

// Reader returns up to n frames as a tensor [k,3,h,w] with values 0 to 1, or [io.EOF] after the last frame. It returns fewer than n only
// before the end.
type Reader func(ctx context.Context, n int) (onnx.Tensor, error)

// feeder makes windows of the frames of a video.
type feeder struct {
	read     Reader
	size     Size
	geometry Geometry
	every    int
	// total is the number of frames that were read, counted from the start of the video.
	total int
	ended bool
	// pending has the frames that were read, but are no reference of a window yet.
	pending []float32
}

// next returns the window after prev, or after the checkpoint if prev is nil: first makes it. It returns nil at the end of the video.
//
// Errors: CodeInvalidInput for a video without frames, and for frames of another size; those of read.
func (f *feeder) next(ctx context.Context, prev *Window, first func() *Window) (*Window, error) {
	var w *Window
	switch {
	case prev != nil:
		w = prev.next()
	default:
		w = first()
		if w.Index > 0 { // the frames before the first window that were read and not returned
			if _, err := f.take(ctx, f.geometry.LookAhead()); err != nil {
				return nil, err
			}
		}
	}
	frames, err := f.take(ctx, f.geometry.in(w.Index))
	if err != nil {
		return nil, err
	}
	if w.Index == 0 && f.total == 0 {
		return nil, core.NewError(core.CodeInvalidInput, "the video has no frames")
	}
	begin, out := f.geometry.Begin(w.Index), f.geometry.out(w.Index)
	if f.ended && f.total <= begin {
		return nil, nil
	}
	size := f.size.elements()
	w.frames = f.size.frames(f.geometry.in(w.Index), frames)
	w.reference = f.size.frames(out, f.pending)
	f.pending = append([]float32(nil), f.pending[out*size:]...)
	w.keep = min(out, f.total-begin)
	if f.every > 0 && (w.Index+1)%f.every == 0 {
		w.kept = &[stageCount]memory{}
	}
	return w, nil
}

// take reads n frames, or repeats the last one after the end, and adds them to those that are pending.
func (f *feeder) take(ctx context.Context, n int) ([]float32, error) {
	size := f.size.elements()
	taken := make([]float32, 0, n*size)
	for len(taken) < n*size && !f.ended {
		t, err := f.read(ctx, n-len(taken)/size)
		switch {
		case errors.Is(err, io.EOF):
			f.ended = true
		case err != nil:
			return nil, err
		default:
			if err := f.size.check(t); err != nil {
				return nil, err
			}
			taken = append(taken, t.Data...)
			f.total += int(t.Shape[0])
		}
	}
	last := taken
	if len(last) == 0 {
		last = f.pending
	}
	if len(last) < size { // a video without frames, or a checkpoint at its end
		last = make([]float32, size)
	}
	last = last[len(last)-size:]
	for len(taken) < n*size {
		taken = append(taken, last...)
	}
	f.pending = append(f.pending, taken...)
	return taken, nil
}
