package onnx

import (
	"runtime"
	"strconv"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/core"
)

// Device is where a model runs.
type Device string

// The devices. CUDA needs a library built with it, CoreML is of macOS, DirectML of Windows.
const (
	CPU      Device = "cpu"
	CUDA     Device = "cuda"
	CoreML   Device = "coreml"
	DirectML Device = "directml"
)

// Provider is the name by which ONNX Runtime calls the execution provider of the device, empty for an unknown one.
func (d Device) Provider() string {
	switch d {
	case CPU:
		return "CPUExecutionProvider"
	case CUDA:
		return "CUDAExecutionProvider"
	case CoreML:
		return "CoreMLExecutionProvider"
	case DirectML:
		return "DmlExecutionProvider"
	}
	return ""
}

// Precision is how exactly a device computes.
type Precision string

// The precisions. Full is float32, the same answer on every device but for the order of sums. Reduced is faster on the
// devices that have it: CUDA multiplies in TF32, which rounds to 10 bits as float16 does, and CoreML sums in float16.
// A model whose file is float16 computes in that wherever its device can, whatever the precision.
const (
	Full    Precision = "full"
	Reduced Precision = "reduced"
)

// Config says which library to load and where models run.
type Config struct {
	// LibraryPath is the file of libonnxruntime.
	LibraryPath string
	Device      Device
	// DeviceID tells devices of one kind apart, 0 upwards. The CPU has only 0.
	DeviceID int
	// Precision is empty for Full.
	Precision Precision
	// Threads is how many threads one run computes on, on the CPU; 0 is 1. More than the cores are not used.
	Threads int
}

// Runtime loads models on one device.
type Runtime struct {
	config Config
	close  sync.Once
}

// Open loads the library. It fails with CodeModelMissing when the library cannot be loaded, and with CodeInvalidInput
// for an unknown device, and for a precision that the device does not have.
func Open(c Config) (*Runtime, error) {
	if c.Device.Provider() == "" {
		return nil, core.Errorf(core.CodeInvalidInput, "device %q is not known; known are cpu, cuda, coreml, directml", c.Device)
	}
	switch c.Precision {
	case "":
		c.Precision = Full
	case Full:
	case Reduced:
		if c.Device != CUDA && c.Device != CoreML {
			return nil, core.Errorf(core.CodeInvalidInput,
				"device %q computes at full precision alone; reduced precision is of cuda and coreml, and models in float16 run everywhere", c.Device)
		}
	default:
		return nil, core.Errorf(core.CodeInvalidInput, "precision %q is not known; known are full, reduced", c.Precision)
	}
	c.Threads = min(max(c.Threads, 1), runtime.NumCPU())
	if err := retainEnvironment(c.LibraryPath); err != nil {
		return nil, err
	}
	return &Runtime{config: c}, nil
}

// Close releases the library. Pools that are still open stay usable.
func (rt *Runtime) Close() error {
	var err error
	rt.close.Do(func() { err = releaseEnvironment() })
	return err
}

// options are the session options of the device. The caller destroys them.
func (rt *Runtime) options() (*ort.SessionOptions, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	for _, set := range []func() error{
		func() error { return o.SetIntraOpNumThreads(rt.config.Threads) },
		func() error { return o.SetInterOpNumThreads(1) },
		func() error { return o.SetExecutionMode(ort.ExecutionModeSequential) },
		func() error { return o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll) },
		func() error { return o.SetLogSeverityLevel(ort.LoggingLevelError) },
		// Without the arena a page takes a third longer (687 against 523 ms of detection and recognition).
		func() error { return o.SetCpuMemArena(true) },
		// A pattern is kept for each shape of input, and pages and lines come in any shape: the set would grow
		// without bound. DirectML takes neither patterns nor parallel nodes.
		func() error { return o.SetMemPattern(false) },
		// Threads that wait would otherwise burn the cores that other pages need.
		func() error { return o.AddSessionConfigEntry("session.intra_op.allow_spinning", "0") },
		func() error { return rt.appendProvider(o) },
	} {
		if err := set(); err != nil {
			return nil, firstError(err, o.Destroy())
		}
	}
	return o, nil
}

// appendProvider puts the device before the CPU.
func (rt *Runtime) appendProvider(o *ort.SessionOptions) error {
	switch rt.config.Device {
	case CUDA:
		return rt.appendCUDA(o)
	case CoreML:
		return o.AppendExecutionProviderCoreMLV2(map[string]string{
			"ModelFormat":                        "MLProgram",
			"AllowLowPrecisionAccumulationOnGPU": rt.reduced(),
		})
	case DirectML:
		return o.AppendExecutionProviderDirectML(rt.config.DeviceID)
	case CPU:
	}
	return nil
}

func (rt *Runtime) appendCUDA(o *ort.SessionOptions) error {
	c, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return err
	}
	err = c.Update(map[string]string{
		"device_id": strconv.Itoa(rt.config.DeviceID),
		// Every page has a shape of its own; an exhaustive search of the convolution would run again for each.
		"cudnn_conv_algo_search": "HEURISTIC",
		"arena_extend_strategy":  "kSameAsRequested",
		// TF32 rounds to 10 bits, and the answer would differ from that of the CPU.
		"use_tf32": rt.reduced(),
	})
	if err == nil {
		err = o.AppendExecutionProviderCUDA(c)
	}
	return firstError(err, c.Destroy())
}

// reduced is the flag of the precision as providers take it.
func (rt *Runtime) reduced() string {
	if rt.config.Precision == Reduced {
		return "1"
	}
	return "0"
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
