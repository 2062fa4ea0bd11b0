package onnx

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/onnx/graph"
)

// Pool is one model on one device, with a bounded number of simultaneous runs. It is safe for concurrent use.
type Pool struct {
	model    Model
	provider string
	numbers  string
	metadata map[string]string
	contract contract
	sessions *sessions
	places   chan struct{}
	scratch  scratch
	close    sync.Once
}

// Load checks the file of a model and creates its session, or the first of its sessions on CUDA. places is the number of simultaneous runs:
// at least 1, and always 1 on DirectML, which does not support simultaneous runs of a session.
//
// Errors: CodeModelMissing when the file is missing, has another SHA-256, or breaks the contract; CodeDevice when the device cannot load
// the model.
func (rt *Runtime) Load(m Model, places int) (*Pool, error) {
	b, err := m.Read()
	if err != nil {
		return nil, err
	}
	graph.FlushTiny(b)
	if rt.config.Device == CPU {
		b = graph.Simplify(b, blockOfChannels())
	}
	contract, err := m.checkContract(b)
	if err != nil {
		return nil, err
	}
	sessions, err := newSessions(rt.shapes(), func() (*ort.DynamicAdvancedSession, error) { return rt.session(m, b) })
	if err != nil {
		return nil, err
	}
	metadata, err := readMetadata(sessions.first)
	if err == nil {
		err = retainEnvironment(rt.config.LibraryPath)
	}
	if err != nil {
		return nil, firstError(err, sessions.destroy())
	}
	if rt.config.Device == DirectML {
		places = 1
	}
	return &Pool{
		model: m, provider: rt.config.Device.Provider(), numbers: rt.numbers(contract), metadata: metadata, contract: contract,
		sessions: sessions, places: make(chan struct{}, max(places, 1)),
	}, nil
}

// session opens a session for the content of a model's file.
func (rt *Runtime) session(m Model, content []byte) (*ort.DynamicAdvancedSession, error) {
	options, err := rt.options()
	if err != nil {
		return nil, deviceError(err, rt.config.Device, m.Name)
	}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(content, portNames(m.Inputs), portNames(m.Outputs), options)
	if err = firstError(err, options.Destroy()); err != nil {
		return nil, deviceError(err, rt.config.Device, m.Name)
	}
	return session, nil
}

// shapes is the largest number of sessions of a model.
func (rt *Runtime) shapes() int {
	switch {
	case rt.config.Shapes > 0:
		return rt.config.Shapes
	case rt.config.Device == CUDA:
		return shapesOnCUDA
	default:
		return 1
	}
}

// numbers returns the number format in which a model with this contract computes, in words.
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
	return core.Wrap(core.CodeDevice, plainError{err}, fmt.Sprintf("device %q cannot load model %q", d, model))
}

// plainError says what the library says to its users, without the place in its source that it puts before.
type plainError struct{ error }

// placeEnd ends the place in the source of the library and its code, such as in "/src/bridge.cc:20 Get() [ONNXRuntimeError] : 1 : FAIL : no".
var placeEnd = regexp.MustCompile(`(?s)^.*\[ONNXRuntimeError\] : \d+ : \w+ : `)

func (e plainError) Error() string { return placeEnd.ReplaceAllString(e.error.Error(), "") }

func (e plainError) Unwrap() error { return e.error }

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

// Provider returns the execution provider of the session, by its name in ONNX Runtime.
func (p *Pool) Provider() string { return p.provider }

// Numbers returns the number format in which the model computes, to show to people: float16 if an input or output of the file has it,
// else float32 or the reduced precision of the device.
func (p *Pool) Numbers() string { return p.numbers }

// Name returns the name of the model.
func (p *Pool) Name() string { return p.model.Name }

// Metadata returns a value of the custom metadata in the model's file.
func (p *Pool) Metadata(key string) (value string, found bool) {
	value, found = p.metadata[key]
	return value, found
}

// Inputs returns the inputs of the contract with the shapes in the file. A negative dimension is open.
func (p *Pool) Inputs() []Port { return p.contract.inputs }

// Outputs returns the outputs of the contract with the shapes in the file. A negative dimension is open.
func (p *Pool) Outputs() []Port { return p.contract.outputs }

// Places returns the largest number of simultaneous runs. Further runs wait.
func (p *Pool) Places() int { return cap(p.places) }

// Each calls work for each number below n, for as many at once as the model has places. It fails with the first error of work, or with
// that of ctx.
func (p *Pool) Each(ctx context.Context, n int, work func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.Places())
	for i := range n {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return work(ctx, i)
		})
	}
	return group.Wait()
}

// Run computes outputs from inputs, both in the order of the model's contract. The caller sets the shape and memory of the outputs, and
// may use both again afterwards. An output without a shape gets its shape and memory from the run. Run converts inputs and outputs that
// are float16 in the file; such an output must have a shape.
//
// Errors: the context's error when the context ends, which also ends a run in progress; CodeDevice when the device fails.
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
	if err := p.sessions.run(ctx, inputs, func(session *ort.DynamicAdvancedSession) error { return run(ctx, session, in, out) }); err != nil {
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

func run(ctx context.Context, session *ort.DynamicAdvancedSession, in, out []ort.Value) error {
	options, err := ort.NewRunOptions()
	if err != nil {
		return err
	}
	terminated := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { terminated <- options.Terminate() })
	err = session.RunWithOptions(in, out, options)
	if !stop() {
		// Wait for Terminate, which uses the options, before they are destroyed.
		err = firstError(err, <-terminated)
	}
	return firstError(err, options.Destroy())
}

// Close waits for the runs in progress and destroys the sessions. The pool must not be used afterwards.
func (p *Pool) Close() error {
	var err error
	p.close.Do(func() {
		for range cap(p.places) {
			p.places <- struct{}{}
		}
		err = firstError(p.sessions.destroy(), releaseEnvironment())
	})
	return err
}
