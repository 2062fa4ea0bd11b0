package activities

import "context"

type waitingKey struct{}

// WithWaiting is a context for the steps of a worker: one that begins to wait for a model calls begin, and what begin
// has returned when the wait is over. A waiting step holds no device.
func WithWaiting(ctx context.Context, begin func() (end func())) context.Context {
	return context.WithValue(ctx, waitingKey{}, begin)
}

func noteWaiting(ctx context.Context) (end func()) {
	if begin, ok := ctx.Value(waitingKey{}).(func() func()); ok {
		return begin()
	}
	return func() {}
}
