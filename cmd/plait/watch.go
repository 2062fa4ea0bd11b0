package main

import (
	"context"
	"time"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/pipeline"
)

// watch shows a task until it has ended.
func (a *access) watch(ctx context.Context, api *client.Client, task schema.Task) (schema.Task, error) {
	// The answer names every page: a large chapter is asked about less often.
	tick := time.NewTicker(min(200*time.Millisecond+time.Duration(task.TotalCount)*time.Millisecond, 2*time.Second))
	defer tick.Stop()
	for silent := 0; ; {
		current, err := api.Task(ctx, task.ID)
		switch {
		case err == nil:
			silent, task = 0, current
			a.display.task(task)
			if task.Status.Ended() {
				return task, nil
			}
		// A distant server may restart; what was accepted is not lost by that.
		case pipeline.CodeOf(err) == pipeline.CodeUnavailable && silent < 300:
			silent++
		default:
			return task, err
		}
		select {
		case <-ctx.Done():
			return task, context.Cause(ctx)
		case <-tick.C:
		}
	}
}
