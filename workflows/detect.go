package workflows

import (
	"errors"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
)

// detect asks for the regions of a page, once on the queue of all, and from then on only when its turn has come.
//
// No page takes the last room of a host before an earlier one of its chapter, so whatever a first try waits for will
// come. With a second one it is otherwise: later pages could hold every context there is, and wait for it. Hosts keep room
// for pages whose turn has come, and those wait for nothing but the model.
func (r *pageRun) detect(ctx workflow.Context) (found comic.DetectOutput, err error) {
	in := comic.DetectInput{Page: r.page, Options: r.options}
	if r.pacer == nil {
		err = r.step(ctx, comic.StageDetect, deviceOptions(QueueGPU), comic.StepDetect, in, &found)
		return found, err
	}
	err = r.detectAhead(ctx, in, &found)
	r.found.pass()
	if err == nil || !mayMend(err) {
		return found, err
	}
	r.tracker.enter(ctx, r.page, comic.StageDetect, true)
	if err := r.turn.wait(ctx); err != nil {
		return found, err
	}
	in.Attempts = 1
	err = r.step(ctx, comic.StageDetect, deviceOptions(QueueDetectNow), comic.StepDetect, in, &found)
	return found, err
}

// detectAhead is the first try of a page. One that came before its turn again and again is made after those of the pages before.
func (r *pageRun) detectAhead(ctx workflow.Context, in comic.DetectInput, found *comic.DetectOutput) error {
	asked := workflow.Now(ctx)
	in.Yield = true
	err := r.step(ctx, comic.StageDetect, detectOptions(), comic.StepDetect, in, found)
	if err != nil && failureOf(err).Code == core.CodeOutOfTurn {
		r.tracker.enter(ctx, r.page, comic.StageDetect, true)
		if err := r.found.wait(ctx); err != nil {
			return err
		}
		in.Yield = false
		err = r.step(ctx, comic.StageDetect, detectOptions(), comic.StepDetect, in, found)
	}
	if err == nil {
		r.pacer.detected(workflow.Now(ctx).Sub(asked), *found)
	}
	return err
}

// mayMend tells the failures that another try may mend: faults that are retried, and workers that were lost.
func mayMend(err error) bool {
	var (
		fault   *temporal.ApplicationError
		timeout *temporal.TimeoutError
	)
	switch {
	case errors.As(err, &timeout):
		return timeout.TimeoutType() != enumspb.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE
	case errors.As(err, &fault):
		return !fault.NonRetryable()
	default:
		return false
	}
}
