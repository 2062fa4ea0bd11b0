package window

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
)

// Names of the ports of the files of a model, beside their state.
const (
	portFrames    = "frames"
	portHidden    = "hidden"
	portReference = "reference"
	portResult    = "result"
)

// unit is a file of a model, or several blocks that were joined into one, on a device.
type unit struct {
	name string
	pool *onnx.Pool
	// state has one entry for each tensor of state. key names it among those of all units: it does not depend on how blocks are joined.
	state []State
	keys  []string

	mu sync.Mutex
	// shapes has the shapes of the outputs for those of the inputs, from earlier runs, so that a run can reuse memory.
	shapes map[string][][]int64
}

// ports are the ports of a file beside its state.
type ports struct {
	inputs []onnx.Port
	output onnx.Port
}

// portsOf returns the ports of the file of a stage.
func (m *Manifest) portsOf(s Stage) ports {
	frames := []int64{onnx.OfFile, channels, onnx.OfFile, onnx.OfFile}
	hidden := slices.Clone(m.Hidden)
	for i, d := range hidden {
		if d < 0 {
			hidden[i] = onnx.OfFile
		}
	}
	port := func(name string, shape []int64) onnx.Port { return onnx.Port{Name: name, Shape: shape} }
	switch s {
	case Prepare:
		return ports{inputs: []onnx.Port{port(portFrames, frames)}, output: port(portResult, hidden)}
	case Decode:
		return ports{inputs: []onnx.Port{port(portHidden, hidden), port(portFrames, frames)}, output: port(portResult, frames)}
	case Color:
		return ports{inputs: []onnx.Port{port(portFrames, frames), port(portReference, frames)}, output: port(portResult, frames)}
	default:
		return ports{inputs: []onnx.Port{port(portHidden, hidden)}, output: port(portResult, hidden)}
	}
}

// files are graphs of a model that become one unit, with the prefixes of the keys of their state.
type files struct {
	name     string
	graphs   []Graph
	prefixes []string
	ports    ports
}

// open loads files on a device for frames of a size.
//
// Errors: those of [onnx.Runtime.Load]; CodeModelMissing when the state of a file is not that of the manifest.
func (f files) open(rt *onnx.Runtime, size Size) (*unit, error) {
	u := &unit{name: f.name, shapes: map[string][][]int64{}}
	model := onnx.Model{Name: f.name, Inputs: slices.Clone(f.ports.inputs), Outputs: []onnx.Port{f.ports.output}}
	contents := make([][]byte, len(f.graphs))
	for i, g := range f.graphs {
		var err error
		if contents[i], err = (onnx.Model{Name: f.prefixes[i], Path: g.Path, SHA256: g.SHA256, Content: slices.Clone(g.Content)}).Read(); err != nil {
			return nil, err
		}
		prefix := ""
		if len(f.graphs) > 1 {
			prefix = strconv.Itoa(i) + "/"
		}
		for _, s := range g.State {
			before, after := s.ports(prefix, size)
			model.Inputs, model.Outputs = append(model.Inputs, before), append(model.Outputs, after)
			u.state = append(u.state, s)
			u.keys = append(u.keys, f.prefixes[i]+"."+s.Name)
		}
	}
	model.Content = contents[0]
	if len(contents) > 1 {
		var err error
		if model.Content, err = graph.Chain(contents, portHidden, portResult); err != nil {
			return nil, core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("the %s of the video model cannot be joined: %v", f.name, err))
		}
	}
	var err error
	u.pool, err = rt.Load(model, 1)
	return u, err
}

// ports returns the ports of a state in a file.
func (s State) ports(prefix string, size Size) (before, after onnx.Port) {
	shape := make([]int64, len(s.Shape))
	for i, d := range s.Shape {
		shape[i] = d.of(size)
		if i == s.Axis && s.Keep > 0 {
			shape[i] = onnx.Any
		}
	}
	name := prefix + "state." + s.Name
	return onnx.Port{Name: name, Shape: shape}, onnx.Port{Name: name + "'", Shape: slices.Clone(shape)}
}

// start returns the state before the first window.
func (u *unit) start(size Size) memory {
	m := make(memory, len(u.state))
	for i, s := range u.state {
		shape := make([]int64, len(s.Shape))
		for k, d := range s.Shape {
			shape[k] = d.of(size)
		}
		m[i] = onnx.NewTensor(shape...)
	}
	return m
}

// run runs the unit on inputs and its state, and returns its output and the state after. The output must be returned to the unit's pool
// or be left to the garbage collector.
func (u *unit) run(ctx context.Context, before memory, inputs ...onnx.Tensor) (onnx.Tensor, memory, error) {
	inputs = append(slices.Clone(inputs), before...)
	outputs := u.outputs(inputs)
	if err := u.pool.Run(ctx, inputs, outputs); err != nil {
		return onnx.Tensor{}, nil, err
	}
	u.learn(inputs, outputs)
	after := memory(outputs[1:])
	for i, s := range u.state {
		var err error
		if after[i], err = s.trim(before[i], after[i]); err != nil {
			return onnx.Tensor{}, nil, fmt.Errorf("%s: %w", u.name, err)
		}
	}
	return outputs[0], after, nil
}

// outputs returns tensors for the outputs: with memory if their shapes are known, else to be set by the run.
func (u *unit) outputs(inputs []onnx.Tensor) []onnx.Tensor {
	u.mu.Lock()
	shapes := u.shapes[shapesOf(inputs)]
	u.mu.Unlock()
	outputs := make([]onnx.Tensor, 1+len(u.state))
	for i, shape := range shapes {
		if i == 0 {
			outputs[i] = u.pool.BorrowUnset(shape...)
		} else {
			outputs[i] = onnx.NewTensor(shape...)
		}
	}
	return outputs
}

// maxShapes bounds what a unit remembers. A video has the first window, the next ones, and those while its caches grow.
const maxShapes = 64

func (u *unit) learn(inputs, outputs []onnx.Tensor) {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := shapesOf(inputs)
	if _, known := u.shapes[key]; known || len(u.shapes) == maxShapes {
		return
	}
	shapes := make([][]int64, len(outputs))
	for i, t := range outputs {
		shapes[i] = slices.Clone(t.Shape)
	}
	u.shapes[key] = shapes
}

func shapesOf(tensors []onnx.Tensor) string {
	var key []byte
	for _, t := range tensors {
		for _, d := range t.Shape {
			key = append(strconv.AppendInt(key, d, 10), ' ')
		}
		key = append(key, ';')
	}
	return string(key)
}

// trim checks what a file returned for a state, and drops the oldest content of more than the state keeps.
func (s State) trim(before, after onnx.Tensor) (onnx.Tensor, error) {
	for i, d := range after.Shape {
		if s.Keep > 0 && i == s.Axis {
			continue
		}
		if d != before.Shape[i] {
			return onnx.Tensor{}, core.Errorf(core.CodeModelMissing, "the model returned state %q in the shape %v, after %v", s.Name, after.Shape, before.Shape)
		}
	}
	length := after.Shape[s.Axis]
	if s.Keep == 0 || length <= s.Keep {
		return after, nil
	}
	inner, outer := int64(1), int64(1)
	for i, d := range after.Shape {
		if i < s.Axis {
			outer *= d
		} else if i > s.Axis {
			inner *= d
		}
	}
	shape := slices.Clone(after.Shape)
	shape[s.Axis] = s.Keep
	kept := onnx.NewTensor(shape...)
	for o := range outer {
		copy(kept.Data[o*s.Keep*inner:(o+1)*s.Keep*inner], after.Data[(o*length+length-s.Keep)*inner:(o+1)*length*inner])
	}
	return kept, nil
}
