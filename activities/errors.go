package activities

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"

	"plait/internal/core"
)

// An outage of the database or of the blob store is retried for as long as the workflow says: it is no fault of the
// item. These bound what is not an outage, or costs.
const (
	// maxFaults of the item or of Plait itself: one that repeats itself on the same input holds up the items behind it.
	maxFaults = 3
	// maxTranslatorAbsences are half an hour and more of asking in vain, as the circuit of a model is tried twice a minute. A
	// provider may want money for a call that it did not answer in time.
	maxTranslatorAbsences = 60
	// maxLostWorkers is how many workers may be lost in the same step before it is taken for the cause.
	maxLostWorkers = 5
)

// These are told from every other error of their codes, so they are no plain core.Error: two of those are the same
// when their codes are.
var (
	// errStopping is the cause of a wait that ended because the worker stops.
	errStopping = fmt.Errorf("given back: %w", core.NewError(core.CodeUnavailable, "the worker stops"))
	// errWorkersLost ends a step that is taken for the cause of its workers' end.
	errWorkersLost = fmt.Errorf("given up: %w",
		core.Errorf(core.CodeInternal, "%d workers were lost in this step", maxLostWorkers))
)

// failure is the only place where an error becomes a Temporal one: the code is its type, its rule decides on retries,
// and the other side's wish is the next delay. Causes stay in the log: they may hold what a client must not read. Its
// inverse is FailureOf in plait/workflows. Before are the failures of earlier attempts.
func (h *Host) failure(ctx context.Context, usesLease bool, before map[core.Code]int, err error) error {
	if ctx.Err() != nil && temporal.IsCanceledError(context.Cause(ctx)) {
		return context.Cause(ctx)
	}
	code, message := classify(ctx, err)
	if usesLease && errors.Is(err, errStopping) {
		// The lease dies with this process: only another host can go on.
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

// classify tells what a canceled context stands for: the request of a client is dealt with before, so it is either
// the end of the worker or a time limit of something inside.
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

// retryable counts the failures of the same kind, and not the attempts: an outage before a fault takes no try from it.
func retryable(known *core.Error, code core.Code, before map[core.Code]int) bool {
	switch code {
	case core.CodeOutOfTurn:
		// What the step waits for comes soon when it says when; otherwise the workflow asks again.
		return known != nil && known.RetryAfter > 0
	case core.CodeInternal, core.CodeDevice:
		return before[core.CodeInternal]+before[core.CodeDevice]+1 < maxFaults
	case core.CodeTranslatorUnavailable:
		return before[code]+1 < maxTranslatorAbsences
	default:
		return code.RetryRule() == core.RetryBackoff
	}
}

// Failure types the error of a step before it has begun.
func (h *Host) Failure(ctx context.Context, err error) error { return h.failure(ctx, false, nil, err) }
