package activities

import (
	"context"
	"errors"

	"go.temporal.io/sdk/temporal"

	"plait/internal/pipeline"
)

// faultAttempts is how often a fault of the page or of Plait itself is tried: it repeats itself on the same input,
// and holds up the pages behind it. An outage of something else is retried for as long as the workflow says.
const faultAttempts = 3

// errStopping is the cause of a wait that ended because the worker stops.
var errStopping = pipeline.NewError(pipeline.CodeUnavailable, "the worker stops")

// failure is the only place where an error becomes a Temporal one: the code is its type, its rule decides on retries,
// and the other side's wish is the next delay. Causes stay in the log: they may hold what a client must not read. Its
// inverse is failureOf in plait/workflows.
func failure(ctx context.Context, stage pipeline.Stage, attempt int, err error) error {
	if ctx.Err() != nil && temporal.IsCanceledError(context.Cause(ctx)) {
		return context.Cause(ctx)
	}
	code, message := classify(ctx, err)
	if stage == pipeline.StageRender && errors.Is(err, errStopping) {
		// The context dies with this process: only the compensating branch can go on.
		code, message = pipeline.CodeHostLost, "the host of the detect context stops"
	}
	options := temporal.ApplicationErrorOptions{NonRetryable: !retryable(code, attempt)}
	var known *pipeline.Error
	if errors.As(err, &known) && !options.NonRetryable {
		options.NextRetryDelay = known.RetryAfter
	}
	return temporal.NewApplicationErrorWithOptions(message, string(code), options)
}

// classify tells what a canceled context stands for: the request of a client is dealt with before, so it is either
// the end of the worker or a time limit of something inside.
func classify(ctx context.Context, err error) (pipeline.Code, string) {
	code := pipeline.CodeOf(err)
	switch {
	case code != pipeline.CodeCanceled:
		return code, pipeline.PublicMessage(err)
	case ctx.Err() != nil:
		return errStopping.Code, errStopping.Message
	default:
		return pipeline.CodeUnavailable, "something that the step needs did not answer in time"
	}
}

func retryable(code pipeline.Code, attempt int) bool {
	switch code {
	case pipeline.CodeInternal, pipeline.CodeDevice:
		return attempt < faultAttempts
	default:
		return code.RetryRule() == pipeline.RetryBackoff
	}
}
