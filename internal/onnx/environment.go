package onnx

import (
	"fmt"
	"os"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/core"
)

// environment is the one ORT environment of the process. The library holds it in variables of its own, so that a
// second one cannot exist beside it.
var environment struct {
	sync.Mutex
	library string
	users   int
}

// retainEnvironment opens the environment for its first user, and counts the others.
func retainEnvironment(library string) error {
	environment.Lock()
	defer environment.Unlock()
	if environment.users > 0 {
		if environment.library != library {
			return core.NewError(core.CodeInternal, "one process uses one ONNX Runtime library; another file is open already")
		}
		environment.users++
		return nil
	}
	// The library starts its telemetry with its environment, before DisableTelemetry can be called: a device id and a queue of events
	// in the user's cache, and look-ups of its maker's host.
	if err := os.Setenv("ORT_DISABLE_TELEMETRY", "1"); err != nil {
		return core.Wrap(core.CodeInternal, err, "the telemetry of ONNX Runtime cannot be switched off")
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return core.Wrap(core.CodeModelMissing, err, "the ONNX Runtime library cannot be loaded")
	}
	if err := ort.DisableTelemetry(); err != nil {
		return firstError(fmt.Errorf("disable telemetry: %w", err), ort.DestroyEnvironment())
	}
	environment.library = library
	environment.users = 1
	return nil
}

// releaseEnvironment closes the environment after its last user.
func releaseEnvironment() error {
	environment.Lock()
	defer environment.Unlock()
	environment.users--
	if environment.users > 0 {
		return nil
	}
	return ort.DestroyEnvironment()
}
