package workflows

import (
	"errors"
	"strings"

	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
)

// stageError is a step that ended without a result, and the failure stage that it stands for.
type stageError struct {
	stage core.Stage
	err   error
}

func (e *stageError) Error() string { return string(e.stage) + ": " + e.err.Error() }
func (e *stageError) Unwrap() error { return e.err }

// failureOf is the inverse of what the activities do with an error: the type of an application error is its code.
func failureOf(err error) core.Failure {
	var at *stageError
	failure := core.Failure{Code: core.CodeInternal, Message: "internal error"}
	if errors.As(err, &at) {
		failure.Stage = at.stage
	}
	var (
		application *temporal.ApplicationError
		timeout     *temporal.TimeoutError
	)
	switch {
	case temporal.IsCanceledError(err):
		failure.Code, failure.Message = core.CodeCanceled, "canceled"
	case errors.As(err, &timeout) && failure.Stage == comic.StageRender:
		// Render is the one step on the queue of a single host.
		failure.Code, failure.Message = core.CodeHostLost, "the host of the detect context does not answer"
	case errors.As(err, &timeout):
		failure.Code, failure.Message = core.CodeUnavailable, "no worker finished the step in time"
	case errors.As(err, &application) && isCode(application.Type()):
		failure.Code, failure.Message = core.Code(application.Type()), application.Message()
	}
	return failure
}

// isCode tells our codes from the SDK's own error types: those are names of Go types, which have small letters.
func isCode(errorType string) bool {
	return errorType != "" && strings.ToUpper(errorType) == errorType
}
