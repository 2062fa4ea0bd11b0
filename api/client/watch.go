package client

import (
	"context"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

// silentLooks is how many looks in a row may find no server: one that restarts loses nothing that it has accepted.
const silentLooks = 300

// Watch calls each with a task whenever it may have changed, until it has ended. It returns the task as it is then.
func (c *Client) Watch(ctx context.Context, task schema.Task, each func(schema.Task)) (schema.Task, error) {
	// The answer names every item: a large task is asked about less often.
	every := min(200*time.Millisecond+time.Duration(task.TotalCount)*time.Millisecond, 2*time.Second)
	return Poll(ctx, every, func() (schema.Task, bool, error) {
		current, err := c.Task(ctx, task.ID)
		if err == nil {
			each(current)
		}
		return current, current.Status.Ended(), err
	})
}

// Poll looks until it is done, or fails otherwise than by a server that does not answer.
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
