package window

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"plait/internal/core"
	"plait/internal/onnx"
)

// Checkpoint is the state of a model between two windows. It does not depend on devices, schedule or cut.
type Checkpoint struct {
	// Window is the index of the next window, at least 1.
	Window int
	// Frame is the number of frames that were written, and the index of the first frame that [Job.Read] returns after the checkpoint.
	Frame int
	// tensors has the state by the names of files and states.
	tensors map[string]onnx.Tensor
}

// checkpoint returns the checkpoint after a window.
func (m *Model) checkpoint(w *Window) Checkpoint {
	c := Checkpoint{Window: w.Index + 1, Frame: m.manifest.Geometry.Begin(w.Index) + w.keep, tensors: map[string]onnx.Tensor{}}
	for s, units := range m.units {
		left := w.kept[s]
		for _, u := range units {
			for _, key := range u.keys {
				c.tensors[key], left = left[0], left[1:]
			}
		}
	}
	if w.elsewhere != nil {
		maps.Copy(c.tensors, w.elsewhere.tensors)
	}
	return c
}

// restore returns the window and the memories of a checkpoint.
func (m *Model) restore(c Checkpoint) (window int, memories [stageCount]memory, err error) {
	used := 0
	for s, units := range m.units {
		for _, u := range units {
			start := u.start(m.padded)
			for i, key := range u.keys {
				t, known := c.tensors[key]
				if !known || !u.state[i].fits(start[i].Shape, t.Shape) {
					return 0, memories, core.Errorf(core.CodeModelMissing, "the checkpoint has no state %q that fits the video model", key)
				}
				memories[s] = append(memories[s], t)
				used++
			}
		}
	}
	g := m.manifest.Geometry
	if used != len(c.tensors) || c.Window < 1 || c.Frame <= g.Begin(c.Window-1) || c.Frame > g.Begin(c.Window) {
		return 0, memories, core.NewError(core.CodeModelMissing, "the checkpoint is not one of the video model")
	}
	return c.Window, memories, nil
}

// fits reports whether a state may have a shape, given the one before the first window.
func (s State) fits(start, shape []int64) bool {
	if len(start) != len(shape) {
		return false
	}
	for i, d := range shape {
		if i == s.Axis && s.Keep > 0 {
			if d > s.Keep {
				return false
			}
		} else if d != start[i] {
			return false
		}
	}
	return true
}

// checkpointHead is the first part of a checkpoint in the format of Encode.
type checkpointHead struct {
	Window int              `json:"window"`
	Frame  int              `json:"frame"`
	State  []checkpointPart `json:"state"`
}

type checkpointPart struct {
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
}

// maxHead bounds the size of the first part of a checkpoint.
const maxHead = 1 << 20

// Size returns the number of bytes of the state.
func (c Checkpoint) Size() int64 {
	var n int64
	for _, t := range c.tensors {
		n += 4 * int64(len(t.Data))
	}
	return n
}

// Encode writes a checkpoint: the length of a JSON text in 4 bytes, the text with names and shapes, and the values as float32, all in
// little-endian order.
func (c Checkpoint) Encode(w io.Writer) error {
	head := checkpointHead{Window: c.Window, Frame: c.Frame}
	for name, t := range c.tensors {
		head.State = append(head.State, checkpointPart{Name: name, Shape: t.Shape})
	}
	slices.SortFunc(head.State, func(a, b checkpointPart) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)); err != nil {
		return err
	}
	for _, p := range head.State {
		if err := binary.Write(w, binary.LittleEndian, c.tensors[p.Name].Data); err != nil {
			return err
		}
	}
	return nil
}

// DecodeCheckpoint reads what [Checkpoint.Encode] wrote. r returns at most maxBytes, and nothing after the checkpoint.
//
// Errors: CodeInvalidInput for anything else; those of r.
func DecodeCheckpoint(r io.Reader, maxBytes int64) (Checkpoint, error) {
	c, err := decode(r, maxBytes)
	if err != nil {
		return Checkpoint{}, core.Errorf(core.CodeInvalidInput, "the checkpoint cannot be read: %w", err)
	}
	return c, nil
}

func decode(r io.Reader, left int64) (Checkpoint, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return Checkpoint{}, err
	}
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > maxHead || n > left-4 {
		return Checkpoint{}, fmt.Errorf("its first part has %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return Checkpoint{}, err
	}
	left -= 4 + n
	var head checkpointHead
	if err := json.Unmarshal(text, &head); err != nil {
		return Checkpoint{}, err
	}
	c := Checkpoint{Window: head.Window, Frame: head.Frame, tensors: map[string]onnx.Tensor{}}
	for _, p := range head.State {
		elements := int64(1)
		for _, d := range p.Shape {
			if d < 0 || d > left {
				return Checkpoint{}, fmt.Errorf("state %q has the shape %v", p.Name, p.Shape)
			}
			if elements *= d; 4*elements > left {
				return Checkpoint{}, fmt.Errorf("state %q has the shape %v, with more values than follow", p.Name, p.Shape)
			}
		}
		t := onnx.NewTensor(p.Shape...)
		if err := binary.Read(r, binary.LittleEndian, t.Data); err != nil {
			return Checkpoint{}, err
		}
		c.tensors[p.Name] = t
		left -= 4 * elements
	}
	if _, err := r.Read(length[:1]); err != io.EOF {
		return Checkpoint{}, fmt.Errorf("there are bytes after its end")
	}
	return c, nil
}
