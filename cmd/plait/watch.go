package main

import (
	"context"
	"slices"
	"time"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/core"
)

// takenWithin is how soon a page begins where a host is ready: its models are loaded by then.
const takenWithin = 15 * time.Second

// waits tells a task of which no page has begun.
func waits(t schema.Task) bool {
	begun := func(p schema.Page) bool { return p.Status != core.StatusQueued }
	return t.Status != core.StatusPaused && !t.Status.Ended() && !slices.ContainsFunc(t.Pages, begun)
}

// watch shows a task until it has ended.
func (a *access) watch(ctx context.Context, api *client.Client, task schema.Task) (schema.Task, error) {
	// The answer names every page: a large chapter is asked about less often.
	tick := time.NewTicker(min(200*time.Millisecond+time.Duration(task.TotalCount)*time.Millisecond, 2*time.Second))
	defer tick.Stop()
	began, told := time.Now(), false
	for silent := 0; ; {
		current, err := api.Task(ctx, task.ID)
		switch {
		case err == nil:
			silent, task = 0, current
			a.display.task(task)
			if task.Status.Ended() {
				return task, nil
			}
			if !told && waits(task) && time.Since(began) > takenWithin {
				told = true
				a.display.note(`No page has begun yet: every host has other work, or none is ready. "plait hosts" lists them.`)
			}
		// A distant server may restart; what was accepted is not lost by that.
		case core.CodeOf(err) == core.CodeUnavailable && silent < 300:
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
