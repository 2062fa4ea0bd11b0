package onnx

import (
	"context"
	"fmt"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/core"
)

// Pool is one model on one device, with a bounded number of runs at a time. It is safe for concurrent use.
type Pool struct {
	model    Model
	provider string
	numbers  string
	metadata map[string]string
	contract contract
	session  *ort.DynamicAdvancedSession
	places   chan struct{}
	scratch  scratch
	close    sync.Once
}

// Load checks the model and makes its session, with places for so many runs at a time (at least 1; exactly 1 on DirectML,
// which takes no second run of a session). It fails with
// CodeModelMissing when the file is absent, is another one, or breaks the contract, and with CodeDevice when the device
// cannot take it.
func (rt *Runtime) Load(m Model, places int) (*Pool, error) {
	b, err := m.read()
	if err != nil {
		return nil, err
	}
	flushTiny(b)
	contract, err := m.checkContract(b)
	if err != nil {
		return nil, err
	}
	options, err := rt.options()
	if err != nil {
		return nil, deviceError(err, rt.config.Device, m.Name)
	}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(b, portNames(m.Inputs), portNames(m.Outputs), options)
	if err = firstError(err, options.Destroy()); err != nil {
		return nil, deviceError(err, rt.config.Device, m.Name)
	}
	metadata, err := readMetadata(session)
	if err == nil {
		err = retainEnvironment(rt.config.LibraryPath)
	}
	if err != nil {
		return nil, firstError(err, session.Destroy())
	}
	if rt.config.Device == DirectML {
		places = 1
	}
	return &Pool{
		model: m, provider: rt.config.Device.Provider(), numbers: rt.numbers(contract), metadata: metadata, contract: contract,
		session: session, places: make(chan struct{}, max(places, 1)),
	}, nil
}

// numbers are what a model of the contract computes in.
func (rt *Runtime) numbers(c contract) string {
	switch {
	case slices.Contains(c.halfInputs, true) || slices.Contains(c.halfOutputs, true):
		return "float16"
	case rt.config.Precision == Reduced && rt.config.Device == CUDA:
		return "TF32"
	case rt.config.Precision == Reduced && rt.config.Device == CoreML:
		return "float32 with sums in float16"
	default:
		return "float32"
	}
}

func deviceError(err error, d Device, model string) error {
	return core.Wrap(core.CodeDevice, err, fmt.Sprintf("device %q cannot take model %q", d, model))
}

func portNames(ports []Port) []string {
	names := make([]string, len(ports))
	for i, p := range ports {
		names[i] = p.Name
	}
	return names
}

func readMetadata(session *ort.DynamicAdvancedSession) (map[string]string, error) {
	meta, err := session.GetModelMetadata()
	if err != nil {
		return nil, err
	}
	keys, err := meta.GetCustomMetadataMapKeys()
	values := make(map[string]string, len(keys))
	for _, k := range keys {
		var v string
		if v, _, err = meta.LookupCustomMetadataMap(k); err != nil {
			break
		}
		values[k] = v
	}
	return values, firstError(err, meta.Destroy())
}

// Provider is the execution provider that the session was made with.
func (p *Pool) Provider() string { return p.provider }

// Numbers are what the model computes in, for people: float16 where its file takes or gives that, else float32 or what the
// device was told to take instead.
func (p *Pool) Numbers() string { return p.numbers }

// Name is the name of the model.
func (p *Pool) Name() string { return p.model.Name }

// Metadata is a text that the maker of the model put into its file.
func (p *Pool) Metadata(key string) (value string, found bool) {
	value, found = p.metadata[key]
	return value, found
}

// Inputs are the inputs of the contract with the shapes of the file; a negative dimension is open.
func (p *Pool) Inputs() []Port { return p.contract.inputs }

// Outputs are the outputs of the contract with the shapes of the file; a negative dimension differs from run to run.
func (p *Pool) Outputs() []Port { return p.contract.outputs }

// Places is how many runs go on at a time; more wait.
func (p *Pool) Places() int { return cap(p.places) }

// Run computes outputs from inputs, both in the order of the model's contract. The caller gives the outputs their shape
// and memory, and may use both again afterwards; an output without a shape is made by the run. Where the file has
// float16, inputs and outputs are converted on the way; such an output needs its shape. A canceled context ends a wait for a place and a run under way,
// with the context's error. A failing device is CodeDevice.
func (p *Pool) Run(ctx context.Context, inputs, outputs []Tensor) error {
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.runTensors(ctx, inputs, outputs); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return core.Wrap(core.CodeDevice, err, fmt.Sprintf("model %q failed on its device", p.model.Name))
	}
	return nil
}

func (p *Pool) runTensors(ctx context.Context, inputs, outputs []Tensor) error {
	if len(inputs) != len(p.model.Inputs) || len(outputs) != len(p.model.Outputs) {
		return fmt.Errorf("%d inputs and %d outputs given for %d and %d", len(inputs), len(outputs), len(p.model.Inputs), len(p.model.Outputs))
	}
	var b binding
	defer b.release()
	in, err := b.values(inputs, p.model.Inputs, p.contract.halfInputs, true)
	if err != nil {
		return err
	}
	out, err := b.values(outputs, p.model.Outputs, p.contract.halfOutputs, false)
	if err != nil {
		return err
	}
	if err := p.run(ctx, in, out); err != nil {
		return err
	}
	for i, v := range out {
		if outputs[i].Shape == nil {
			b.made = append(b.made, v)
		}
	}
	for i, v := range out {
		if err := take(v, &outputs[i], p.model.Outputs[i].Type); err != nil {
			return fmt.Errorf("output %q: %w", p.model.Outputs[i].Name, err)
		}
	}
	return nil
}

func (p *Pool) run(ctx context.Context, in, out []ort.Value) error {
	options, err := ort.NewRunOptions()
	if err != nil {
		return err
	}
	terminated := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { terminated <- options.Terminate() })
	err = p.session.RunWithOptions(in, out, options)
	if !stop() {
		// The options must outlive the call that ends the run.
		err = firstError(err, <-terminated)
	}
	return firstError(err, options.Destroy())
}

// Close waits for the runs under way and frees the session. The pool must not be used afterwards.
func (p *Pool) Close() error {
	var err error
	p.close.Do(func() {
		for range cap(p.places) {
			p.places <- struct{}{}
		}
		err = firstError(p.session.Destroy(), releaseEnvironment())
	})
	return err
}
