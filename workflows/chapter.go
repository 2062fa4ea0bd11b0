package workflows

import (
	"strconv"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// ChapterWorkflow takes the pages of a chapter their way and returns how it ended. A page that fails, fails alone.
// The workflow itself fails only when the task has no row to record its end in; a canceled chapter records its end
// and is canceled.
func ChapterWorkflow(ctx workflow.Context, in ChapterInput) (core.TaskResult, error) {
	if err := in.validate(); err != nil {
		return core.TaskResult{}, refuse(err)
	}
	carried := in.carried()
	tracker, err := newTracker(ctx, carried.Ended()+len(in.Pages), carried)
	if err != nil {
		return core.TaskResult{}, err
	}
	c := &chapter{in: in, tracker: tracker, gate: newGate(ctx, in.Pause, tracker), pacer: newPacer(ctx, in.Pace)}
	if c.begins(ctx) {
		if err := beginTask(ctx, in.TaskID, in.Retry, c.gate); err != nil && !temporal.IsCanceledError(err) {
			return core.TaskResult{}, err
		}
	}
	rest := c.run(ctx)
	canceled := c.canceled > 0 || (len(rest) > 0 && ctx.Err() != nil)
	if len(rest) > 0 && !canceled {
		in.Pages, in.Carried, in.Pause, in.Pace = rest, &tracker.counts, c.gate.carried(ctx), c.pacer.carried()
		return core.TaskResult{}, workflow.NewContinueAsNewError(ctx, ChapterWorkflowName, in)
	}
	return endTask(ctx, in.TaskID, in.Retry, canceled)
}

// begins says whether this run is the first of the chapter, or of a retry or pause of it.
func (c *chapter) begins(ctx workflow.Context) bool {
	anew := c.in.Retry > 0 || c.in.Pause != nil
	return c.in.Carried == nil || (anew && workflow.GetInfo(ctx).ContinuedExecutionRunID == "")
}

// chapter is one run of a chapter.
type chapter struct {
	in      ChapterInput
	tracker *tracker
	gate    *gate
	pacer   *pacer
	// canceled counts pages that were begun and left.
	canceled int
	// inFlight are the pages that were begun and have not ended.
	inFlight int
}

// run keeps a window of pages in flight and returns when none is. The pages it returns were not begun, because the
// chapter is canceled or its history long enough.
func (c *chapter) run(ctx workflow.Context) (rest []core.Item) {
	window := workflow.NewSemaphore(ctx, int64(c.in.window(c.pacer.versionOf())))
	pages := workflow.NewWaitGroup(ctx)
	// A page in flight writes its end on the way out, so nothing is left behind but what is returned.
	defer pages.Wait(ctx)

	order, near, found := &turns{}, &turns{}, &turns{}
	for i, page := range c.in.Pages {
		if window.Acquire(ctx, 1) != nil || c.pacer.wait(ctx, order) != nil || c.gate.wait(ctx) != nil || c.stop(ctx, i) {
			return c.in.Pages[i:]
		}
		run := &pageRun{
			page: page, options: c.in.Options, tracker: c.tracker, gate: c.gate, pacer: c.pacer,
			turn: order.next(ctx), near: near.next(ctx), found: found.next(ctx),
		}
		pages.Add(1)
		c.inFlight++
		workflow.GoNamed(ctx, "page "+strconv.Itoa(page.Index+1), func(ctx workflow.Context) {
			defer pages.Done()
			defer window.Release(1)
			defer func() { c.inFlight-- }()
			if _, ok := run.run(ctx); !ok {
				c.canceled++
			}
		})
	}
	return nil
}

// stop is asked before each page. A run begins at least one, so that every run gets the chapter further.
func (c *chapter) stop(ctx workflow.Context, begun int) bool {
	return ctx.Err() != nil || (begun > 0 && c.longEnough(ctx))
}

const (
	// maxEvents bounds the history of a run. It is where a server suggests to continue as new, and what replays quickly.
	maxEvents = 4096
	// eventsOfPage are those of a long way of a page: six steps (detected, translated, rendered, shortened, rendered again, taken
	// as a whole), each of three events and a workflow task of three. MaxWindow of them stay below maxEvents.
	eventsOfPage = 6 * (3 + 3)
)

// longEnough reports whether the pages in flight and one more may take the history beyond its bound. A run that was begun
// before there was one goes on until the server suggests to continue as new.
func (c *chapter) longEnough(ctx workflow.Context) bool {
	info := workflow.GetInfo(ctx)
	if info.GetContinueAsNewSuggested() {
		return true
	}
	if info.GetCurrentHistoryLength()+(c.inFlight+1)*eventsOfPage <= maxEvents {
		return false
	}
	// Asked for only here: the histories of other runs are as they were.
	return workflow.GetVersion(ctx, changeHistoryBound, workflow.DefaultVersion, 1) != workflow.DefaultVersion
}
