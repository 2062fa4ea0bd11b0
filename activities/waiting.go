package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
)

type waitingKey struct{}

// WithWaiting is a context for the steps of a worker: one that begins to wait for a model, or for another item, calls begin, and
// what begin has returned when the wait is over. A waiting step holds no device.
func WithWaiting(ctx context.Context, begin func() (end func())) context.Context {
	return context.WithValue(ctx, waitingKey{}, begin)
}

func noteWaiting(ctx context.Context) (end func()) {
	if begin, ok := ctx.Value(waitingKey{}).(func() func()); ok {
		return begin()
	}
	return func() {}
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

// lookAgain is how often a step that waits for other items looks for them although nothing is heard of them.
const lookAgain = 250 * time.Millisecond

// Await asks whether the waiting of an item is over: at once, whenever its task changes, and now and then. It returns nil when it
// is, or why it ends before: the end of patience, of ctx, or a worker that stops. Others are taken in place of a step that waits.
func (h *Host) Await(ctx context.Context, item core.Item, patience time.Duration, over func() bool) error {
	defer noteWaiting(ctx)()
	waiting, done := untilStop(ctx)
	defer done()
	waiting, cancel := context.WithTimeout(waiting, patience)
	defer cancel()
	changed, leave := h.Records.Watch(item.TaskID)
	defer leave()
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for !over() {
		select {
		case <-waiting.Done():
			return context.Cause(waiting)
		case <-changed:
		case <-again.C:
		}
	}
	return nil
}

// freshFor is how long it holds what an item said of its task when the step began.
const freshFor = 100 * time.Millisecond

// Slots are places that all processes share: the calls that a model takes at once.
type Slots struct {
	Name string
	// Count is the same in every process.
	Count int
}
