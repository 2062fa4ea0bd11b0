package onnx

import (
	"fmt"
	"os"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/core"
)

// environment is the ORT environment of the process. The library keeps it in global variables, so there can be only one.
var environment struct {
	sync.Mutex
	library string
	users   int
}

// retainEnvironment creates the environment for its first user, and counts the users.
func retainEnvironment(library string) error {
	environment.Lock()
	defer environment.Unlock()
	if environment.users > 0 {
		if environment.library != library {
			return core.NewError(core.CodeInternal, "a process can use only one ONNX Runtime library, and another file is already open")
		}
		environment.users++
		return nil
	}
	// The library starts its telemetry when it creates the environment, before DisableTelemetry can be called. It would write a device id
	// and a queue of events to the user's cache folder, and look up its vendor's host.
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

// releaseEnvironment destroys the environment after its last user.
func releaseEnvironment() error {
	environment.Lock()
	defer environment.Unlock()
	environment.users--
	if environment.users > 0 {
		return nil
	}
	return ort.DestroyEnvironment()
}
