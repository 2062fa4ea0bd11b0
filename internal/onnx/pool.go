package onnx

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/pipeline"
)

// Tensor is a dense array of float32 in row-major order; len(Data) is the product of Shape.
type Tensor struct {
	Shape []int64
	Data  []float32
}

// NewTensor makes a tensor of zeros.
func NewTensor(shape ...int64) Tensor {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return Tensor{Shape: shape, Data: make([]float32, n)}
}

// Pool is one model on one device, with a bounded number of runs at a time. It is safe for concurrent use.
type Pool struct {
	model    Model
	provider string
	metadata map[string]string
	outputs  []Port
	session  *ort.DynamicAdvancedSession
	places   chan struct{}
	close    sync.Once
}

// Load checks the model and makes its session, with places for so many runs at a time (at least 1). It fails with
// CodeModelMissing when the file is absent, is another one, or breaks the contract, and with CodeDevice when the device
// cannot take it.
func (rt *Runtime) Load(m Model, places int) (*Pool, error) {
	b, err := m.read()
	if err != nil {
		return nil, err
	}
	flushTiny(b)
	outputs, err := m.checkContract(b)
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
	return &Pool{
		model: m, provider: rt.config.Device.Provider(), metadata: metadata, outputs: outputs,
		session: session, places: make(chan struct{}, max(places, 1)),
	}, nil
}

func deviceError(err error, d Device, model string) error {
	return pipeline.Wrap(pipeline.CodeDevice, err, fmt.Sprintf("device %q cannot take model %q", d, model))
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

// Name is the name of the model.
func (p *Pool) Name() string { return p.model.Name }

// Metadata is a text that the maker of the model put into its file.
func (p *Pool) Metadata(key string) (value string, found bool) {
	value, found = p.metadata[key]
	return value, found
}

// Outputs are the outputs of the contract with the shapes of the file; a negative dimension differs from run to run.
func (p *Pool) Outputs() []Port { return p.outputs }

// Places is how many runs go on at a time; more wait.
func (p *Pool) Places() int { return cap(p.places) }

// Run computes outputs from inputs, both in the order of the model's contract. The caller gives the outputs their shape
// and memory, and may use both again afterwards. A canceled context ends a wait for a place and a run under way, with
// the context's error. A failing device is CodeDevice.
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
	var pinner runtime.Pinner // the library keeps the addresses while it runs
	defer pinner.Unpin()
	in, err := toValues(inputs, &pinner)
	defer destroyValues(in)
	if err != nil {
		return p.runError(err)
	}
	out, err := toValues(outputs, &pinner)
	defer destroyValues(out)
	if err != nil {
		return p.runError(err)
	}
	if err := p.run(ctx, in, out); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return p.runError(err)
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

func (p *Pool) runError(err error) error {
	return pipeline.Wrap(pipeline.CodeDevice, err, fmt.Sprintf("model %q failed on its device", p.model.Name))
}

func toValues(tensors []Tensor, pinner *runtime.Pinner) ([]ort.Value, error) {
	values := make([]ort.Value, 0, len(tensors))
	for _, t := range tensors {
		if len(t.Data) > 0 {
			pinner.Pin(&t.Data[0])
		}
		v, err := ort.NewTensor(ort.Shape(t.Shape), t.Data)
		if err != nil {
			return values, err
		}
		values = append(values, v)
	}
	return values, nil
}

func destroyValues(values []ort.Value) {
	for _, v := range values {
		// Destroy only frees a handle; its error says that it was freed before.
		_ = v.Destroy()
	}
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
