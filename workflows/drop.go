package workflows

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
)

// drop frees the detect context of a page that was canceled or failed after detect, so that it does not lie in the memory
// of its host until it expires. A host that does not answer has nothing to free, or frees it then.
func (r *pageRun) drop(ctx workflow.Context, found comic.DetectOutput) {
	if found.ContextID == "" {
		return
	}
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	if workflow.GetVersion(ctx, changeDropContext, workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return
	}
	options := dropOptions(found.HostQueue)
	options.Summary = stepSummary(r.page, r.tracker.total, "free the detect context")
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), comic.StepDropContext,
		comic.DropContextInput{ContextID: found.ContextID}).Get(ctx, nil)
	if err != nil {
		workflow.GetLogger(ctx).Info("a detect context is left to expire", "page", r.page.Index, "error", err)
	}
}
