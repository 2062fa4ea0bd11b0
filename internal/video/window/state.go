package window

import (
	"context"

	"plait/internal/core"
	"plait/internal/onnx"
)

// memory is the state of one stage between two windows: the tensors of its files in order. Its tensors are never changed.
type memory []onnx.Tensor

// relay hands the memory of one stage from one window to the next, once.
type relay struct {
	ready chan struct{} // closed when content is set
	// content belongs to the window after; the window before sets it.
	content memory
}

func newRelay() *relay { return &relay{ready: make(chan struct{})} }

// Window is a window of a video on its way through the stages. It has the only access to state: what a stage leaves after this window is
// what it finds before the next. Windows are made in order, each from the one before ([Window.next]), so that a schedule cannot use state
// out of order.
type Window struct {
	// Index counts windows from 0.
	Index int
	// frames are those that the window takes, reference the low-quality frames of those that it returns.
	frames, reference onnx.Tensor
	// keep is the number of frames that are returned; the others come of repeated frames at the end of a video.
	keep int
	// passed is what one stage hands to the next: hidden, then frames. Its memory belongs to owner, if there is one.
	passed onnx.Tensor
	owner  *onnx.Pool

	before, after [stageCount]*relay
	// kept has the memories after this window, if they are needed for a checkpoint.
	kept *[stageCount]memory
	// elsewhere is the part of the checkpoint that comes from a tail in another process.
	elsewhere *Checkpoint
}

// firstWindow returns the window with this index whose stages find these memories.
func firstWindow(index int, memories [stageCount]memory) *Window {
	w := &Window{Index: index}
	for s := range w.before {
		w.before[s], w.after[s] = newRelay(), newRelay()
		w.before[s].content = memories[s]
		close(w.before[s].ready)
	}
	return w
}

// next returns the window after w. It is called once for each window.
func (w *Window) next() *Window {
	n := &Window{Index: w.Index + 1, before: w.after}
	for s := range n.after {
		n.after[s] = newRelay()
	}
	return n
}

// step runs a stage on this window: it waits until the stage has run on the window before, and gives run its memory. What run returns is
// the memory for the window after. A stage that fails hands nothing on. A stage runs once on a window.
func (w *Window) step(ctx context.Context, s Stage, run func(memory) (memory, error)) error {
	before := w.before[s]
	if before == nil {
		return core.Errorf(core.CodeInternal, "stage %s has run on window %d before", s, w.Index)
	}
	select {
	case <-before.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	w.before[s] = nil
	after, err := run(before.content)
	before.content = nil
	if err != nil {
		return err
	}
	if w.kept != nil {
		w.kept[s] = after
	}
	w.after[s].content = after
	close(w.after[s].ready)
	return nil
}

// pass sets what the next stage finds, and gives the memory of what this one found back.
func (w *Window) pass(t onnx.Tensor, owner *onnx.Pool) {
	if w.owner != nil {
		w.owner.Return(w.passed)
	}
	w.passed, w.owner = t, owner
}
