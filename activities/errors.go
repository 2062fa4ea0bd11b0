package activities

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"

	"plait/internal/core"
)

// The workflow limits retries during an outage of the database or of the blob store, which is no fault of the item. These constants
// limit retries of faults, and of outages that cost money.
const (
	// maxFaults is the number of attempts at a fault of the item or of Plait: a fault that repeats on the same input delays the
	// items behind it.
	maxFaults = 3
	// maxTranslatorAbsences is half an hour or more of attempts without an answer, because the circuit of a model is tried twice a
	// minute. A provider may charge for calls that it did not answer in time.
	maxTranslatorAbsences = 60
	// maxLostWorkers is how many workers may be lost in the same step before the step counts as the cause.
	maxLostWorkers = 5
)

// These are wrapped with fmt.Errorf, because two plain core.Errors of the same code compare as equal.
var (
	// errStopping is the cause of a wait that ended because the worker stops.
	errStopping = fmt.Errorf("given back: %w", core.NewError(core.CodeUnavailable, "the worker stops"))
	// errWorkersLost is the error of a step that counts as the cause of the loss of its workers.
	errWorkersLost = fmt.Errorf("given up: %w",
		core.Errorf(core.CodeInternal, "%d workers were lost in this step", maxLostWorkers))
)

// failure is the only place where an error becomes a Temporal one: the code is its type, the rule of the code decides on retries,
// and a requested delay is the delay of the next retry. Causes appear in the log only, because they may contain what a client must
// not read. The inverse is FailureOf in plait/workflows. Before are the failures of earlier attempts.
func (h *Host) failure(ctx context.Context, usesLease bool, before map[core.Code]int, err error) error {
	if ctx.Err() != nil && temporal.IsCanceledError(context.Cause(ctx)) {
		return context.Cause(ctx)
	}
	code, message := classify(ctx, err)
	if usesLease && errors.Is(err, errStopping) {
		// The lease ends with this process, so only another host can go on.
		code, message = core.CodeHostLost, "the host of the lease stops"
	}
	var known *core.Error
	errors.As(err, &known)
	options := temporal.ApplicationErrorOptions{
		NonRetryable: errors.Is(err, errWorkersLost) || !retryable(known, code, before),
	}
	if known != nil && !options.NonRetryable {
		options.NextRetryDelay = known.RetryAfter
	}
	return temporal.NewApplicationErrorWithOptions(message, string(code), options)
}

// classify says what a canceled context means. The cancellation of a client is handled before, so it is either the end of the worker
// or a time limit of an inner call.
func classify(ctx context.Context, err error) (core.Code, string) {
	code := core.CodeOf(err)
	switch {
	case code != core.CodeCanceled:
		return code, core.PublicMessage(err)
	case ctx.Err() != nil:
		return core.CodeOf(errStopping), core.PublicMessage(errStopping)
	default:
		return core.CodeUnavailable, "something that the step needs did not answer in time"
	}
}

// retryable counts the failures with the same code instead of the attempts, so that an outage before a fault does not use up its
// retries.
func retryable(known *core.Error, code core.Code, before map[core.Code]int) bool {
	switch code {
	case core.CodeOutOfTurn:
		// With a retry delay, Temporal retries the step soon; without one, the workflow asks again.
		return known != nil && known.RetryAfter > 0
	case core.CodeInternal, core.CodeDevice:
		return before[core.CodeInternal]+before[core.CodeDevice]+1 < maxFaults
	case core.CodeTranslatorUnavailable:
		return before[code]+1 < maxTranslatorAbsences
	default:
		return code.RetryRule() == core.RetryBackoff
	}
}

// Failure converts the error of a step that has not begun.
func (h *Host) Failure(ctx context.Context, err error) error { return h.failure(ctx, false, nil, err) }
