package workflows

import (
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/pipeline"
)

// PageWorkflow is a task of one image: its page goes the same way as one of a chapter.
func PageWorkflow(ctx workflow.Context, in PageTaskInput) (pipeline.PageResult, error) {
	if err := in.validate(); err != nil {
		return pipeline.PageResult{}, refuse(err)
	}
	tracker, err := newTracker(ctx, 1, Counts{})
	if err != nil {
		return pipeline.PageResult{}, err
	}
	if err := beginTask(ctx, in.Page.TaskID); err != nil && !temporal.IsCanceledError(err) {
		return pipeline.PageResult{}, err
	}
	run := &pageRun{page: in.Page, options: in.Options, tracker: tracker}
	run.turn, _ = nextTurn(ctx, nil)
	result, ok := run.run(ctx)
	_, err = endTask(ctx, in.Page.TaskID, !ok)
	return result, err
}
