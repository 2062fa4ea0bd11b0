// Package remote runs the last blocks of a streaming model, and what follows them, in another process: rank 1 of a group whose leader runs
// the rest. Each window is a request with what the first blocks returned and the low-quality frames.
package remote

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/ranks"
	"plait/internal/video/window"
)

// Ranks is the number of ranks of a group: one for each part of the model.
const Ranks = 2

// tailRank is the rank of the tail.
const tailRank = 1

// request describes a window. Its inputs are hidden, the reference, and the state if From is set.
type request struct {
	// Job says which model runs.
	Job       json.RawMessage `json:"job"`
	Window    int             `json:"window"`
	Cut       int             `json:"cut"`
	Size      window.Size     `json:"size"`
	Keep      int             `json:"keep"`
	Hidden    []int64         `json:"hidden"`
	Reference []int64         `json:"reference"`
	From      bool            `json:"from"`
	Save      bool            `json:"save"`
}

// answer describes what becomes of a window. After the frames comes the state, if it was asked for.
type answer struct {
	Frames []int64 `json:"frames"`
}

// samples is the decoder of frames whose values are multiples of 1/255: a byte for each value.
const samples = "samples"

// Decoders are those of the ranks.
func Decoders() ranks.Decoders {
	return ranks.Decoders{samples: {
		Size: func(input []byte) (int64, error) { return 4 * int64(len(input)), nil },
		Decode: func(_ context.Context, input, to []byte) error {
			for i, b := range input {
				binary.LittleEndian.PutUint32(to[4*i:], bitsOf[b])
			}
			return nil
		},
	}}
}

// Tail returns what a model of the leader needs for its [window.Config]. job is what the other rank opens its part with.
func Tail(leader *ranks.Leader, job json.RawMessage) func(context.Context, window.TailInput) (window.TailOutput, error) {
	return func(ctx context.Context, in window.TailInput) (window.TailOutput, error) {
		r, err := describe(job, in)
		if err != nil {
			return window.TailOutput{}, err
		}
		answers, err := leader.Do(ctx, r)
		if err != nil {
			return window.TailOutput{}, fmt.Errorf("rank %d: %w", tailRank, err)
		}
		return outputOf(answers[tailRank], in.Save)
	}
}

func describe(job json.RawMessage, in window.TailInput) (ranks.Request, error) {
	meta, err := json.Marshal(request{
		Job: job, Window: in.Window, Cut: in.Cut, Size: in.Size, Keep: in.Keep, Hidden: in.Hidden.Shape, Reference: in.Reference.Shape,
		From: in.From != nil, Save: in.Save,
	})
	if err != nil {
		return ranks.Request{}, err
	}
	r := ranks.Request{Meta: meta, Inputs: []ranks.Input{{Data: toBytes(in.Hidden.Data), Once: true}, frames(in.Reference.Data)}}
	if in.From != nil {
		var state bytes.Buffer
		if err := in.From.Encode(&state); err != nil {
			return ranks.Request{}, err
		}
		r.Inputs = append(r.Inputs, ranks.Input{Data: state.Bytes(), Once: true})
	}
	return r, nil
}

func outputOf(a ranks.Answer, save bool) (window.TailOutput, error) {
	var meta answer
	if err := json.Unmarshal(a.Meta, &meta); err != nil {
		return window.TailOutput{}, core.Errorf(core.CodeInternal, "rank %d gave an answer that cannot be read: %w", tailRank, err)
	}
	frames, rest, err := tensor(meta.Frames, a.Data)
	if err != nil {
		return window.TailOutput{}, err
	}
	out := window.TailOutput{Frames: frames}
	if save {
		state, err := window.DecodeCheckpoint(bytes.NewReader(rest), int64(len(rest)))
		if err != nil {
			return window.TailOutput{}, err
		}
		out.State = &state
	}
	return out, nil
}

// Open returns the model of a job, and how its tail runs but for cut and size.
type Open func(ctx context.Context, job json.RawMessage) (window.Manifest, window.Config, error)

// Worker runs the tail on its rank.
type Worker struct {
	open Open
	tail *window.Tail
}

// NewWorker returns a worker without a model: it opens that of the first window.
func NewWorker(open Open) *Worker { return &Worker{open: open} }

// Close frees the model. The rank must have left its group.
func (w *Worker) Close() error {
	if w.tail == nil {
		return nil
	}
	tail := w.tail
	w.tail = nil
	return tail.Close()
}

// Apply is the handler of the rank.
func (w *Worker) Apply(ctx context.Context, s ranks.Step) (ranks.Answer, error) {
	if s.Err != nil { // its run fails at the leader
		return ranks.Answer{}, s.Err
	}
	var r request
	if err := json.Unmarshal(s.Meta, &r); err != nil {
		return ranks.Answer{}, core.Errorf(core.CodeInvalidInput, "the request for a window cannot be read: %w", err)
	}
	in, err := r.input(s.Inputs)
	if err != nil {
		return ranks.Answer{}, err
	}
	if r.Window == 0 || r.From {
		if err := w.start(ctx, r); err != nil {
			return ranks.Answer{}, err
		}
	}
	if w.tail == nil {
		return ranks.Answer{}, core.Errorf(core.CodeHostLost, "the state before window %d was lost", r.Window)
	}
	out, err := w.tail.Run(ctx, in)
	if err != nil {
		return ranks.Answer{}, err
	}
	return answerOf(out)
}

// start opens the model of a run, in the place of the one before.
func (w *Worker) start(ctx context.Context, r request) error {
	m, c, err := w.open(ctx, r.Job)
	if err != nil {
		return err
	}
	c.Cut, c.Size = window.Cut(r.Cut), r.Size
	if err := w.Close(); err != nil {
		return err
	}
	w.tail, err = window.OpenTail(m, c)
	return err
}

func (r request) input(inputs [][]byte) (window.TailInput, error) {
	in := window.TailInput{Window: r.Window, Cut: r.Cut, Size: r.Size, Keep: r.Keep, Save: r.Save}
	if len(inputs) < 2 || r.From != (len(inputs) == 3) {
		return in, core.Errorf(core.CodeInvalidInput, "a window has %d inputs", len(inputs))
	}
	var err, wrong error
	in.Hidden, _, err = tensor(r.Hidden, inputs[0])
	in.Reference, _, wrong = tensor(r.Reference, inputs[1])
	if err = errors.Join(err, wrong); err != nil {
		return in, err
	}
	if r.From {
		state, err := window.DecodeCheckpoint(bytes.NewReader(inputs[2]), int64(len(inputs[2])))
		if err != nil {
			return in, err
		}
		in.From = &state
	}
	return in, nil
}

func answerOf(out window.TailOutput) (ranks.Answer, error) {
	meta, err := json.Marshal(answer{Frames: out.Frames.Shape})
	if err != nil {
		return ranks.Answer{}, err
	}
	a := ranks.Answer{Meta: meta, Data: toBytes(out.Frames.Data)}
	if out.State != nil {
		var state bytes.Buffer
		if err := out.State.Encode(&state); err != nil {
			return ranks.Answer{}, err
		}
		a.Data = append(a.Data, state.Bytes()...)
	}
	return a, nil
}

// tensor returns the values with which data begins, and what follows them.
func tensor(shape []int64, data []byte) (onnx.Tensor, []byte, error) {
	elements := int64(1)
	for _, d := range shape {
		if d < 0 || d > int64(len(data)) || elements*d > int64(len(data))/4 {
			return onnx.Tensor{}, nil, core.Errorf(core.CodeInvalidInput, "%d bytes are no tensor of the shape %v", len(data), shape)
		}
		elements *= d
	}
	t := onnx.NewTensor(shape...)
	for i := range t.Data {
		t.Data[i] = fromBits(data[4*i:])
	}
	return t, data[4*elements:], nil
}
