package activities

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
)

// heartbeatEvery is the time between heartbeats, of which a worker sends one per throttle interval of its queue. A heartbeat also brings
// cancellation; a step that is shorter sends none.
const heartbeatEvery = 200 * time.Millisecond

// heartbeatAlone is the time between heartbeats that the SDK does not throttle.
const heartbeatAlone = time.Second

// Heartbeat sends the heartbeats of a step and returns the context for its work. The context ends when the client cancels, the step
// runs out of time, or its worker has stopped. It does not end when Temporal is out of reach for a while: the SDK cancels an
// activity at its first failed heartbeat, and an interrupted model call is paid for without an answer.
//
// When Temporal has given the step to another attempt, or ended its task, a step that does not pay ends and frees its device. One
// that pays goes on, so that the other attempt finds its recorded answer.
func Heartbeat(ctx context.Context, pays bool) (working context.Context, leave func()) {
	// A context without the cancellation of ctx sends heartbeats also after one has failed.
	told := &atomic.Value{}
	working, cancel := context.WithCancelCause(context.WithValue(context.WithoutCancel(ctx), toldKey{}, told))
	go watch(ctx, working, cancel, told, pays)
	return working, func() { cancel(nil) }
}

// watch sends heartbeats until the work is over, or Temporal says its last word of it. It cancels the work when what Temporal says ends
// the step.
func watch(ctx, working context.Context, cancel context.CancelCauseFunc, told *atomic.Value, pays bool) {
	ticker := time.NewTicker(heartbeatEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case <-working.Done():
			return
		case <-ctx.Done():
		case <-ticker.C:
			activity.RecordHeartbeat(working, details(told)...)
		}
	}
	cause := context.Cause(ctx)
	// A context ends once. What Temporal says after a failed heartbeat comes in the answers to the next ones.
	ticker.Reset(heartbeatAlone)
	for {
		switch {
		case ends(cause, pays):
			cancel(cause)
			return
		case isForgotten(cause):
			return
		}
		select {
		case <-working.Done():
			return
		case <-ticker.C:
			cause = activity.GetClient(ctx).RecordActivityHeartbeat(working, activity.GetInfo(ctx).TaskToken, details(told)...)
		}
	}
}

func details(told *atomic.Value) []any {
	if last := told.Load(); last != nil {
		return []any{last}
	}
	return nil
}

type toldKey struct{}

// Tell adds details, which are always of one type, to the heartbeats of a step from now on, for operators who look at it in Temporal. The
// context is that of its work.
func Tell(ctx context.Context, details any) {
	if told, ok := ctx.Value(toldKey{}).(*atomic.Value); ok {
		told.Store(details)
	}
}

// ends reports whether a step ends with this cause.
func ends(cause error, pays bool) bool {
	switch {
	case temporal.IsCanceledError(cause), errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded),
		errors.Is(cause, worker.ErrWorkerShutdown),
		errors.Is(cause, activity.ErrActivityPaused), errors.Is(cause, activity.ErrActivityReset):
		return true
	default:
		return isForgotten(cause) && !pays
	}
}

// isForgotten reports whether Temporal has given the step to another attempt, or ended its task.
func isForgotten(cause error) bool {
	var notFound *serviceerror.NotFound
	return errors.As(cause, &notFound)
}

// IsCanceled reports whether the context of a step ended because its task was canceled, and not because the worker stops.
func IsCanceled(ctx context.Context) bool { return temporal.IsCanceledError(context.Cause(ctx)) }
