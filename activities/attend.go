package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"plait/internal/comic"
	"plait/internal/core"
)

// beatEvery is the time between heartbeats. Cancellation comes back with them; a step shorter than this sends none.
const beatEvery = 500 * time.Millisecond

// attend sends the heartbeats of a step and returns the context to work under. It ends when the client cancels, the
// time of the step is over, or its worker has stopped, and not because Temporal does not answer for a while: the SDK
// ends the context of an activity at the first heartbeat that fails, and a model call that was broken off is paid for
// nothing.
func attend(ctx context.Context, stage core.Stage) (working context.Context, leave func()) {
	// Without the end of ctx, heartbeats go on after one has failed.
	working, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	go func() {
		ticker := time.NewTicker(beatEvery)
		defer ticker.Stop()
		ended := ctx.Done()
		for {
			select {
			case <-working.Done():
				return
			case <-ended:
				ended = nil
				if cause := context.Cause(ctx); ends(cause, stage) {
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
func ends(cause error, stage core.Stage) bool {
	var forgotten *serviceerror.NotFound
	switch {
	case temporal.IsCanceledError(cause), errors.Is(cause, context.DeadlineExceeded),
		errors.Is(cause, worker.ErrWorkerShutdown),
		errors.Is(cause, activity.ErrActivityPaused), errors.Is(cause, activity.ErrActivityReset):
		return true
	case errors.As(cause, &forgotten):
		// Temporal has given the step to another attempt, or ended its task. The device is freed for others; a
		// translation is finished and recorded, so that the other attempt finds it.
		return stage == comic.StageDetect || stage == comic.StageRender
	default:
		return false
	}
}

// untilStop is ctx for as long as the worker has not been asked to stop. Outside of an activity, it is ctx.
func untilStop(ctx context.Context) (waiting context.Context, done func()) {
	if !activity.IsActivity(ctx) {
		return ctx, func() {}
	}
	waiting, cancel := context.WithCancelCause(ctx)
	stopped := activity.GetWorkerStopChannel(ctx)
	go func() {
		select {
		case <-stopped:
			cancel(errStopping)
		case <-waiting.Done():
		}
	}()
	return waiting, func() { cancel(nil) }
}
