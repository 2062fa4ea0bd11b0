package window

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"plait/internal/core"
	"plait/internal/onnx"
)

// Config says how a model runs.
type Config struct {
	// Library is the path of libonnxruntime.
	Library string
	// Devices has one device, two, or a third that prepares.
	Devices  []Device
	Schedule Schedule
	// Cut is the number of blocks on the first of several devices, up to all of them. [CutAuto] measures a profile first.
	Cut Cut
	// Size is the size of the frames that come in.
	Size Size
	// Memory is what a run may use, in bytes. 0 means that there is no limit.
	Memory int64
	// Tail runs the last blocks and the stages after them on the second device, in another process that has a [Tail], one window after
	// the other. Nil means that they run here.
	Tail func(ctx context.Context, in TailInput) (TailOutput, error)
}

// Model is a streaming model that is loaded for one size of frames. It runs one video at a time.
type Model struct {
	manifest Manifest
	config   Config
	padded   Size
	cut      int
	lanes    lanes
	runtimes []*onnx.Runtime
	units    [stageCount][]*unit
	// tailFrom is the state with which the tail begins, until it has it.
	tailFrom *Checkpoint
}

// joinedBytes bounds the size of the files that are joined into one. The library reads no model of 2 GiB or more.
const joinedBytes = 1 << 30

// Open loads a model on the devices of c.
//
// Errors: CodeInvalidInput for a size or a cut that the model does not have; CodeTooLarge for frames that need too much memory; CodeModelMissing for files that are missing or are not
// those of the manifest; CodeDevice when a device cannot load the model.
func Open(ctx context.Context, m Manifest, c Config) (*Model, error) {
	if c.Size.Width < 1 || c.Size.Height < 1 {
		return nil, core.Errorf(core.CodeInvalidInput, "frames of %s cannot be enlarged", c.Size)
	}
	if int(c.Cut) > len(m.Blocks) {
		return nil, core.Errorf(core.CodeInvalidInput, "the cut is after block %d of a model of %d blocks", c.Cut, len(m.Blocks))
	}
	if need := m.Memory * int64(c.Size.Width) * int64(c.Size.Height); c.Memory > 0 && need > c.Memory {
		return nil, core.Errorf(core.CodeTooLarge, "frames of %s need about %d MB of memory, and there are %d", c.Size, need>>20, c.Memory>>20)
	}
	profile := Profile{Blocks: make([]time.Duration, len(m.Blocks))}
	if c.Cut == CutAuto && len(c.Devices) > 1 {
		small := c
		small.Size = c.Size.within(measuredPixels)
		var err error
		if profile, err = Measure(ctx, m, small); err != nil {
			return nil, err
		}
	}
	model, rt, err := empty(m, c)
	if err != nil {
		return nil, err
	}
	model.cut = profile.CutOf(c.Cut, len(c.Devices))
	stages := []Stage{Prepare, FirstBlocks, LastBlocks, Decode, Color}
	if c.Tail != nil {
		stages = stages[:LastBlocks]
	}
	if err := model.open(rt, stages...); err != nil {
		return nil, err
	}
	return model, nil
}

// open loads the files of stages. If it fails, it closes the model.
func (m *Model) open(rt [stageCount]*onnx.Runtime, stages ...Stage) error {
	parts := m.manifest.parts(m.cut, true)
	for _, s := range stages {
		for _, f := range parts[s] {
			u, err := f.open(rt[s], m.padded)
			if err != nil {
				return errors.Join(err, m.Close())
			}
			m.units[s] = append(m.units[s], u)
		}
	}
	return nil
}

// empty returns a model without files, and the runtime of the device of each stage.
func empty(m Manifest, c Config) (*Model, [stageCount]*onnx.Runtime, error) {
	model := &Model{manifest: m, config: c, padded: c.Size.upTo(m.Multiple), lanes: newLanes(DeviceNames(c.Devices))}
	for i, d := range c.Devices {
		if i == 1 && c.Tail != nil {
			d = c.Devices[0] // the second device is not one of this process
		}
		rt, err := onnx.Open(onnx.Config{LibraryPath: c.Library, Device: d.Kind, DeviceID: d.ID, Threads: d.Threads})
		if err != nil {
			return nil, [stageCount]*onnx.Runtime{}, errors.Join(err, model.Close())
		}
		model.runtimes = append(model.runtimes, rt)
	}
	first, last := model.runtimes[0], model.runtimes[min(1, len(model.runtimes)-1)]
	prepare := first
	if len(model.runtimes) == maxDevices {
		prepare = model.runtimes[maxDevices-1]
	}
	return model, [stageCount]*onnx.Runtime{Prepare: prepare, FirstBlocks: first, LastBlocks: last, Decode: last, Color: last}, nil
}

// parts returns the files of each stage.
func (m *Manifest) parts(cut int, join bool) (parts [stageCount][]files) {
	one := func(s Stage, g Graph) []files {
		return []files{{name: s.String(), graphs: []Graph{g}, prefixes: []string{s.String()}, ports: m.portsOf(s)}}
	}
	parts[Prepare], parts[Decode] = one(Prepare, m.Prepare), one(Decode, m.Decode)
	if m.Color != nil {
		parts[Color] = one(Color, *m.Color)
	}
	parts[FirstBlocks] = m.blocks(FirstBlocks, 0, cut, join)
	parts[LastBlocks] = m.blocks(LastBlocks, cut, len(m.Blocks), join)
	return parts
}

// blocks returns the blocks from begin to before end, joined as far as one session can have them.
func (m *Manifest) blocks(s Stage, begin, end int, join bool) []files {
	var all []files
	room := int64(0)
	for i := begin; i < end; i++ {
		size := m.Blocks[i].size()
		if !join || len(all) == 0 || size > room {
			all = append(all, files{name: fmt.Sprintf("blocks from %d", i), ports: m.portsOf(s)})
			room = joinedBytes
		}
		room -= size
		f := &all[len(all)-1]
		f.graphs = append(f.graphs, m.Blocks[i])
		f.prefixes = append(f.prefixes, fmt.Sprintf("block %d", i))
	}
	return all
}

// size returns the size of a file, or 0 if there is none: reading it will fail.
func (g *Graph) size() int64 {
	if g.Content != nil {
		return int64(len(g.Content))
	}
	info, err := os.Stat(g.Path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// Cut returns the number of blocks on the first device.
func (m *Model) Cut() int { return m.cut }

// Scale returns how many times wider and higher frames become.
func (m *Model) Scale() int { return m.manifest.Scale }

// Geometry returns the geometry of the model's windows.
func (m *Model) Geometry() Geometry { return m.manifest.Geometry }

// Close frees the model. It must not run.
func (m *Model) Close() error {
	var errs []error
	for _, units := range m.units {
		for _, u := range units {
			errs = append(errs, u.pool.Close())
		}
	}
	for _, rt := range m.runtimes {
		errs = append(errs, rt.Close())
	}
	return errors.Join(errs...)
}

// works implements stages.
func (m *Model) works(s Stage) bool {
	return len(m.units[s]) > 0 || s == LastBlocks && m.config.Tail != nil
}

// run implements stages.
func (m *Model) run(ctx context.Context, s Stage, w *Window, before memory) (memory, error) {
	if s == LastBlocks && m.config.Tail != nil {
		return nil, m.runTail(ctx, w)
	}
	var after memory
	for _, u := range m.units[s] {
		inputs := []onnx.Tensor{w.passed}
		switch s {
		case Prepare:
			inputs[0] = resize(w.frames, m.config.Size, m.padded)
			w.frames = onnx.Tensor{}
		case Decode, Color:
			inputs = append(inputs, resize(w.reference, m.config.Size, m.padded))
		default:
		}
		out, left, err := u.run(ctx, before[:len(u.state)], inputs...)
		if err != nil {
			return nil, err
		}
		before = before[len(u.state):]
		after = append(after, left...)
		w.pass(out, u.pool)
	}
	return after, nil
}

// start returns the memories before the first window.
func (m *Model) start() (memories [stageCount]memory) {
	for s, units := range m.units {
		for _, u := range units {
			memories[s] = append(memories[s], u.start(m.padded)...)
		}
	}
	return memories
}
