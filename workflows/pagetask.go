package workflows

import (
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
)

// PageWorkflow is a task of one image: its page goes the same way as one of a chapter.
func PageWorkflow(ctx workflow.Context, in PageTaskInput) (comic.PageResult, error) {
	if err := in.validate(); err != nil {
		return comic.PageResult{}, refuse(err)
	}
	tracker, err := newTracker(ctx, 1, Counts{})
	if err != nil {
		return comic.PageResult{}, err
	}
	gate := newGate(ctx, in.Pause, tracker)
	if err := beginTask(ctx, in.Page.TaskID, in.Retry, gate); err != nil && !temporal.IsCanceledError(err) {
		return comic.PageResult{}, err
	}
	result, ok := comic.PageResult{Index: in.Page.Index}, false
	if gate.wait(ctx) == nil {
		run := &pageRun{
			page: in.Page, options: in.Options, tracker: tracker, gate: gate, pacer: newPacer(ctx, nil),
			turn: new(turns).next(ctx), near: new(turns).next(ctx), found: new(turns).next(ctx),
		}
		result, ok = run.run(ctx)
	}
	_, err = endTask(ctx, in.Page.TaskID, in.Retry, !ok)
	return result, err
}
