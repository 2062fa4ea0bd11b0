package onnx

import (
	"runtime"
	"strconv"
	"sync"

	"github.com/klauspost/cpuid/v2"
	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/core"
)

// Device is the kind of device on which a model runs.
type Device string

// The devices. CUDA needs a library that was built with it; CoreML needs macOS; DirectML needs Windows.
const (
	CPU      Device = "cpu"
	CUDA     Device = "cuda"
	CoreML   Device = "coreml"
	DirectML Device = "directml"
)

// Provider returns the name of the device's execution provider in ONNX Runtime, or "" for an unknown device.
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

// Precision is the precision with which a device computes.
type Precision string

// The precisions. Full is float32: the results of all devices are the same except for the order of sums. With Reduced, CUDA multiplies in
// TF32, which rounds to 10 bits like float16, and CoreML adds in float16; large models are faster so. A model whose file is float16
// computes in float16 if its device can, whatever the precision.
const (
	Full    Precision = "full"
	Reduced Precision = "reduced"
)

// Config says which library to load and where models run.
type Config struct {
	// LibraryPath is the path of libonnxruntime.
	LibraryPath string
	Device      Device
	// DeviceID is the number of the device among those of its kind, from 0. The CPU has only 0.
	DeviceID int
	// Precision is Full if empty.
	Precision Precision
	// Threads is the number of CPU threads of one run, between 1 and the number of cores. 0 means 1.
	Threads int
	// Shapes is the number of shapes of inputs for which a model is ready at once: it has a session for each. 0 means 32 on CUDA, which
	// plans a session for one shape, and 1 on other devices.
	Shapes int
}

// Runtime loads models on one device.
type Runtime struct {
	config Config
	close  sync.Once
}

// Open loads the library. It fails with CodeModelMissing when the library cannot be loaded, and with CodeInvalidInput for an unknown
// device or for a precision that the device does not support.
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
				"device %q supports only full precision; cuda and coreml support reduced precision, and every device runs models in float16", c.Device)
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

// Close releases the library. Open pools stay usable.
func (rt *Runtime) Close() error {
	var err error
	rt.close.Do(func() { err = releaseEnvironment() })
	return err
}

// options returns the session options for the device. The caller must destroy them.
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
		// Without the arena, detection and recognition of a page take a third longer (687 ms instead of 523 ms).
		func() error { return o.SetCpuMemArena(true) },
		// The library would keep a memory pattern for each shape of the inputs. Pages and lines have any shape, so the patterns would
		// grow without bound. DirectML supports neither patterns nor parallel nodes.
		func() error { return o.SetMemPattern(false) },
		// Waiting threads would otherwise spin on cores that other pages need.
		func() error { return o.AddSessionConfigEntry("session.intra_op.allow_spinning", "0") },
		func() error { return rt.appendProvider(o) },
	} {
		if err := set(); err != nil {
			return nil, firstError(err, o.Destroy())
		}
	}
	return o, nil
}

// appendProvider gives the device's execution provider priority over that of the CPU.
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
		// Pages have different shapes, and an exhaustive search for the best convolution would run again for each shape.
		"cudnn_conv_algo_search": "HEURISTIC",
		"arena_extend_strategy":  "kSameAsRequested",
		// TF32 rounds to 10 bits, so that the results differ from those of the CPU.
		"use_tf32": rt.reduced(),
	})
	if err == nil {
		err = o.AppendExecutionProviderCUDA(c)
	}
	return firstError(err, c.Destroy())
}

// reduced returns the precision as a flag of an execution provider: "1" for Reduced, "0" for Full.
func (rt *Runtime) reduced() string {
	if rt.config.Precision == Reduced {
		return "1"
	}
	return "0"
}

// blockOfChannels returns the size of the blocks in which the library stores channels for convolutions on this CPU: the floats of a vector of
// it. It is 1 where the library has no such blocks.
func blockOfChannels() int {
	switch {
	case cpuid.CPU.Supports(cpuid.AVX512F):
		return 16
	case cpuid.CPU.Supports(cpuid.SSE2):
		return 8
	default:
		return 1
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
