package client

import (
	"context"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

// silentLooks is how many polls in a row may fail because no server answers: a server that restarts loses no accepted task.
const silentLooks = 300

// Watch calls each with a task whenever it may have changed, until it has ended. It returns the final state of the task.
func (c *Client) Watch(ctx context.Context, task schema.Task, each func(schema.Task)) (schema.Task, error) {
	// The answer contains every item, so a large task is polled less often.
	every := min(200*time.Millisecond+time.Duration(task.TotalCount)*time.Millisecond, 2*time.Second)
	return Poll(ctx, every, func() (schema.Task, bool, error) {
		current, err := c.Task(ctx, task.ID)
		if err == nil {
			each(current)
		}
		return current, current.Status.Ended(), err
	})
}

// Poll calls look until it reports true or fails. It tolerates errors of a server that does not answer.
func Poll[T any](ctx context.Context, every time.Duration, look func() (T, bool, error)) (last T, err error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for silent := 0; ; {
		current, done, err := look()
		switch {
		case err == nil:
			silent, last = 0, current
			if done {
				return last, nil
			}
		case core.CodeOf(err) == core.CodeUnavailable && silent < silentLooks:
			silent++
		default:
			return last, err
		}
		select {
		case <-ctx.Done():
			return last, context.Cause(ctx)
		case <-tick.C:
		}
	}
}
