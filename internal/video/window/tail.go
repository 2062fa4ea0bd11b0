package window

import (
	"context"
	"maps"
	"slices"

	"plait/internal/core"
	"plait/internal/onnx"
)

// TailInput is what the last blocks and the stages after them need of a window. Its tensors must not be changed or kept.
type TailInput struct {
	Window int
	// Cut is the number of first blocks, Size the size of the frames of the video.
	Cut  int
	Size Size
	// Hidden is what the first blocks returned, Reference the low-quality frames of which the first Keep become frames of the result.
	Hidden, Reference onnx.Tensor
	Keep              int
	// From is set for the first window of a run that goes on from a checkpoint.
	From *Checkpoint
	// Save asks for the state after the window.
	Save bool
}

// TailOutput is what becomes of a window.
type TailOutput struct {
	// Frames are of the size with which the model works.
	Frames onnx.Tensor
	State  *Checkpoint
}

// runTail runs the last blocks and what follows them where the configuration says. State stays there, but for checkpoints.
func (m *Model) runTail(ctx context.Context, w *Window) error {
	in := TailInput{
		Window: w.Index, Cut: m.cut, Size: m.config.Size, Hidden: w.passed, Reference: w.reference, Keep: w.keep, Save: w.kept != nil,
		From: m.tailFrom,
	}
	m.tailFrom = nil
	out, err := m.config.Tail(ctx, in)
	if err != nil {
		return err
	}
	w.pass(out.Frames, nil)
	if in.Save && out.State == nil {
		return core.Errorf(core.CodeInternal, "the state after window %d is missing", w.Index)
	}
	w.elsewhere = out.State
	return nil
}

// Tail runs the last blocks and the stages after them for a model that runs the others in another process.
type Tail struct {
	model    *Model
	next     int
	memories [stageCount]memory
}

// OpenTail loads the part of a model on the one device of c, for frames of c.Size after c.Cut blocks.
//
// Errors: those of [Open].
func OpenTail(m Manifest, c Config) (*Tail, error) {
	if len(c.Devices) != 1 || c.Cut < 0 || int(c.Cut) > len(m.Blocks) || c.Size.Width < 1 || c.Size.Height < 1 {
		return nil, core.Errorf(core.CodeInvalidInput, "the blocks from %d of a model of %d do not run on %d devices for frames of %s",
			c.Cut, len(m.Blocks), len(c.Devices), c.Size)
	}
	model, rt, err := empty(m, c)
	if err != nil {
		return nil, err
	}
	model.cut = int(c.Cut)
	if err := model.open(rt, LastBlocks, Decode, Color); err != nil {
		return nil, err
	}
	return &Tail{model: model, memories: model.start()}, nil
}

// Run runs the stages on the window after the one before, or after the checkpoint of in.
//
// Errors: CodeInvalidInput for another window; those of [Model.Run].
func (t *Tail) Run(ctx context.Context, in TailInput) (TailOutput, error) {
	m := t.model
	if in.From != nil {
		var err error
		if t.next, t.memories, err = m.restore(*in.From); err != nil {
			return TailOutput{}, err
		}
	}
	g := m.manifest.Geometry
	if in.Window != t.next || in.Keep < 1 || in.Keep > g.out(in.Window) {
		return TailOutput{}, core.Errorf(core.CodeInvalidInput, "window %d with %d frames comes where window %d is next", in.Window, in.Keep, t.next)
	}
	if err := m.config.Size.check(in.Reference); err != nil {
		return TailOutput{}, err
	}
	w := firstWindow(in.Window, t.memories)
	w.passed, w.reference, w.keep, w.kept = in.Hidden, in.Reference, in.Keep, &[stageCount]memory{}
	for _, s := range []Stage{LastBlocks, Decode, Color} {
		err := w.step(ctx, s, func(before memory) (memory, error) {
			if !m.works(s) {
				return before, nil
			}
			return m.run(ctx, s, w, before)
		})
		if err != nil {
			return TailOutput{}, err
		}
	}
	t.next, t.memories = in.Window+1, *w.kept
	out := TailOutput{Frames: onnx.Tensor{Shape: w.passed.Shape, Data: slices.Clone(w.passed.Data)}}
	w.pass(onnx.Tensor{}, nil)
	if in.Save {
		state := m.checkpoint(w)
		out.State = &state
	}
	return out, nil
}

// Close frees the part. It must not run.
func (t *Tail) Close() error { return t.model.Close() }

// split divides the state of a checkpoint into that of this model and the rest, which is that of the tail.
func (m *Model) split(c Checkpoint) (head, tail Checkpoint) {
	head, tail = c, c
	head.tensors, tail.tensors = map[string]onnx.Tensor{}, maps.Clone(c.tensors)
	for _, units := range m.units {
		for _, u := range units {
			for _, key := range u.keys {
				if t, known := tail.tensors[key]; known {
					head.tensors[key] = t
					delete(tail.tensors, key)
				}
			}
		}
	}
	return head, tail
}
