package comic

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

// detect detects the regions of a page: the first try is on the shared queue, before the page's turn, and the second is on QueueDetectNow
// when its turn has come.
//
// In their first tries, pages take the last room of a host in page order, so that whatever a first try waits for becomes free. Second
// tries on the same queue could deadlock: later pages could hold every lease and wait for this one. Hosts therefore reserve room for pages
// whose turn has come, which wait only for the model.
func (r *pageRun) detect(ctx workflow.Context) (found comic.DetectOutput, err error) {
	in := comic.DetectInput{Page: r.Item, Options: r.options, Yield: true}
	err = r.detectEarly(ctx, in, &found)
	r.found.Pass()
	if err == nil || !workflows.IsTransient(err) {
		return found, err
	}
	r.WaitFor(ctx, comic.StageDetect)
	if err := r.turn.Wait(ctx); err != nil {
		return found, err
	}
	in.Yield, in.Attempts = false, 1
	step := workflows.Step{Stage: comic.StageDetect, Name: comic.StepDetect, Options: workflows.DeviceStep(QueueDetectNow)}
	err = r.Step(ctx, step, in, &found)
	return found, err
}

// detectEarly is the first try of a page. If the page comes before its turn too many times, the try is repeated after those of the
// previous pages.
func (r *pageRun) detectEarly(ctx workflow.Context, in comic.DetectInput, found *comic.DetectOutput) error {
	asked := workflow.Now(ctx)
	step := workflows.Step{Stage: comic.StageDetect, Name: comic.StepDetect, Options: detectOptions()}
	err := r.Step(ctx, step, in, found)
	if err != nil && workflows.FailureOf(err).Code == core.CodeOutOfTurn {
		r.WaitFor(ctx, comic.StageDetect)
		if err := r.found.Wait(ctx); err != nil {
			return err
		}
		in.Yield = false
		err = r.Step(ctx, step, in, found)
	}
	if err == nil {
		r.prefetch.detected(workflow.Now(ctx).Sub(asked), *found)
	}
	return err
}
