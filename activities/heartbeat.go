package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
)

// heartbeatEvery is the time between heartbeats. Cancellation comes back with them; a step shorter than this sends none.
const heartbeatEvery = 500 * time.Millisecond

// Heartbeat sends the heartbeats of a step and returns the context to work under. It ends when the client cancels, the
// time of the step is over, or its worker has stopped, and not because Temporal does not answer for a while: the SDK
// ends the context of an activity at the first heartbeat that fails, and a model call that was broken off is paid for
// nothing. When Temporal has given the step to another attempt, or ended its task, a step that does not pay ends, so that its
// device is free for others; one that pays goes on, so that the other attempt finds what it has recorded.
func Heartbeat(ctx context.Context, pays bool) (working context.Context, leave func()) {
	// Without the end of ctx, heartbeats go on after one has failed.
	working, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	go func() {
		ticker := time.NewTicker(heartbeatEvery)
		defer ticker.Stop()
		ended := ctx.Done()
		for {
			select {
			case <-working.Done():
				return
			case <-ended:
				ended = nil
				if cause := context.Cause(ctx); ends(cause, pays) {
					cancel(cause)
				}
			case <-ticker.C:
				activity.RecordHeartbeat(working)
			}
		}
	}()
	return working, func() { cancel(nil) }
}

// ends tells the causes that a step ends for from those that it outlives.
func ends(cause error, pays bool) bool {
	var forgotten *serviceerror.NotFound
	switch {
	case temporal.IsCanceledError(cause), errors.Is(cause, context.DeadlineExceeded),
		errors.Is(cause, worker.ErrWorkerShutdown),
		errors.Is(cause, activity.ErrActivityPaused), errors.Is(cause, activity.ErrActivityReset):
		return true
	default:
		return errors.As(cause, &forgotten) && !pays
	}
}
