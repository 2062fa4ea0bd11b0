package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
)

type waitingKey struct{}

// WithWaiting returns a context for the steps of a worker. A step calls begin when it starts to wait for a model or for another item, or
// when it only stores what a device has made, and the function that begin returned when that is over. Meanwhile it holds no device.
func WithWaiting(ctx context.Context, begin func() (end func())) context.Context {
	return context.WithValue(ctx, waitingKey{}, begin)
}

// WithoutDevice tells the worker that a step holds no device from now on, until end is called: the worker takes another step in its place.
func WithoutDevice(ctx context.Context) (end func()) {
	if begin, ok := ctx.Value(waitingKey{}).(func() func()); ok {
		return begin()
	}
	return func() {}
}

// untilStop returns a context that ends with ctx or when the worker stops. Outside of an activity it is ctx itself.
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

// lookAgain is how often a waiting step polls the records in addition to being notified.
const lookAgain = 250 * time.Millisecond

// Await calls over at once, whenever the task of item changes, and every lookAgain, until it returns true. Otherwise it returns the
// cause of the end of the wait: patience, ctx, or a stopping worker. The worker takes other steps in place of the waiting one.
func (h *Host) Await(ctx context.Context, item core.Item, patience time.Duration, over func() bool) error {
	defer WithoutDevice(ctx)()
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

// freshFor is how long the state of the task, as read when the step began, counts as current.
const freshFor = 100 * time.Millisecond

// Slots names slots that all processes share, such as the concurrent calls to a model.
type Slots struct {
	Name string
	// Count is the number of slots. It must be equal in every process.
	Count int
}
