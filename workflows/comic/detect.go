package comic

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

// detect asks for the regions of a page, once on the queue of all, and from then on only when its turn has come.
//
// No page takes the last room of a host before an earlier one of its chapter, so whatever a first try waits for will
// come. With a second one it is otherwise: later pages could hold every lease there is, and wait for it. Hosts keep room
// for pages whose turn has come, and those wait for nothing but the model.
func (r *pageRun) detect(ctx workflow.Context) (found comic.DetectOutput, err error) {
	in := comic.DetectInput{Page: r.Item, Options: r.options, Yield: true}
	err = r.detectEarly(ctx, in, &found)
	r.found.pass()
	if err == nil || !workflows.IsTransient(err) {
		return found, err
	}
	r.WaitFor(ctx, comic.StageDetect)
	if err := r.turn.wait(ctx); err != nil {
		return found, err
	}
	in.Yield, in.Attempts = false, 1
	step := workflows.Step{Stage: comic.StageDetect, Name: comic.StepDetect, Options: workflows.DeviceStep(QueueDetectNow)}
	err = r.Step(ctx, step, in, &found)
	return found, err
}

// detectEarly is the first try of a page. One that came before its turn again and again is made after those of the pages before.
func (r *pageRun) detectEarly(ctx workflow.Context, in comic.DetectInput, found *comic.DetectOutput) error {
	asked := workflow.Now(ctx)
	step := workflows.Step{Stage: comic.StageDetect, Name: comic.StepDetect, Options: detectOptions()}
	err := r.Step(ctx, step, in, found)
	if err != nil && workflows.FailureOf(err).Code == core.CodeOutOfTurn {
		r.WaitFor(ctx, comic.StageDetect)
		if err := r.found.wait(ctx); err != nil {
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
