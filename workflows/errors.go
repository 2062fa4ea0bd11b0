package workflows

import (
	"errors"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"plait/internal/core"
)

// stepError is the error of a step that ended without a result.
type stepError struct {
	step Step
	err  error
}

func (e *stepError) Error() string { return string(e.step.Stage) + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// FailureOf reverses the conversion that activities apply to errors: the type of an application error is its code.
func FailureOf(err error) core.Failure {
	var at *stepError
	failure := core.Failure{Code: core.CodeInternal, Message: "internal error"}
	if errors.As(err, &at) {
		failure.Stage = at.step.Stage
	}
	var (
		application *temporal.ApplicationError
		timeout     *temporal.TimeoutError
	)
	switch {
	case temporal.IsCanceledError(err):
		failure.Code, failure.Message = core.CodeCanceled, "canceled"
	case errors.As(err, &timeout) && at != nil && isHostQueue(at.step.Options.TaskQueue):
		failure.Code, failure.Message = core.CodeHostLost, "the host of the lease does not answer"
	case errors.As(err, &timeout):
		failure.Code, failure.Message = core.CodeUnavailable, "no worker finished the step in time"
	case errors.As(err, &application) && isCode(application.Type()):
		failure.Code, failure.Message = core.Code(application.Type()), application.Message()
	}
	return failure
}

// isCode distinguishes our codes from the SDK's own error types, which are Go type names with lower-case letters.
func isCode(errorType string) bool {
	return errorType != "" && strings.ToUpper(errorType) == errorType
}

// IsLeaseLost reports whether a step failed because its lease or the lease's host is lost: another host can repeat the work.
func IsLeaseLost(err error) bool { return FailureOf(err).Code.RetryRule() == core.RetryFallback }

// IsTransient reports whether another try may succeed: after failures with a retry rule, and after the loss of a worker.
func IsTransient(err error) bool {
	var (
		fault   *temporal.ApplicationError
		timeout *temporal.TimeoutError
	)
	switch {
	case errors.As(err, &timeout):
		return timeout.TimeoutType() != enumspb.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE
	case errors.As(err, &fault):
		return !fault.NonRetryable()
	default:
		return false
	}
}
