package activities

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"go.temporal.io/sdk/activity"

	"plait/internal/core"
	"plait/internal/records"
)

// endTimeout bounds the note of a failed run, which is written even when the step itself was canceled.
const endTimeout = 5 * time.Second

// run names the run of a stage that this activity is.
func (a *Activities) run(ctx context.Context, p core.Item, stage core.Stage, mode core.Mode) records.StageRun {
	return records.StageRun{
		Page: p, Stage: stage, Mode: mode, Host: a.host,
		Attempt: p.Attempts + int(activity.GetInfo(ctx).Attempt),
	}
}

// perform is the frame of every step of a page: it beats, records begin and failure, and types the error. A page that
// has ended is not worked on: recorded says what its row answers.
func perform[T any](
	ctx context.Context, a *Activities, run records.StageRun,
	recorded func(records.Page) (T, bool),
	work func(context.Context, records.Page) (T, error),
) (T, error) {
	ctx, leave := attend(ctx, run.Stage)
	defer leave()
	describe(ctx, run)
	started := time.Now()
	// Until the records tell, every earlier attempt counts as a fault.
	before := map[core.Code]int{core.CodeInternal: run.Attempt - run.Page.Attempts - 1}
	result, err := guarded(func() (T, error) {
		page, failures, err := a.begin(ctx, run)
		if err != nil {
			var none T
			return none, err
		}
		before = failures
		if !page.Status.Ended() {
			if before[core.CodeHostLost] >= maxLostWorkers {
				var none T
				return none, errWorkersLost
			}
			return work(ctx, page)
		}
		result, ok := recorded(page)
		if !ok {
			return result, core.Errorf(core.CodeConflict, "the page has ended: %s", page.Status)
		}
		return result, nil
	})
	a.metrics.stageEnded(run, core.CodeOf(err), time.Since(started))
	if err == nil {
		return result, nil
	}
	a.recordEnd(ctx, run, err)
	return result, failure(ctx, run.Stage, before, err)
}

// begin records the begin of a run. It returns the page as it stands, and the failures of earlier runs of the stage.
func (a *Activities) begin(ctx context.Context, run records.StageRun) (records.Page, map[core.Code]int, error) {
	begun, err := a.records.BeginStage(ctx, run)
	return begun.Page, begun.Failures, err
}

func (a *Activities) recordEnd(ctx context.Context, run records.StageRun, failed error) {
	code := core.CodeOf(failed)
	log := a.log.With(slog.String("page", run.Page.String()), slog.String("stage", string(run.Stage)), slog.Int("attempt", run.Attempt))
	log.Warn("step failed", slog.String("code", string(code)), slog.Any("error", failed))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := a.records.EndStage(ctx, run, code, core.PublicMessage(failed), nil); err != nil {
		log.Warn("the failure of a step is not recorded", slog.Any("error", err))
	}
}

// unrecorded is the failure of a step that has no run in the records: that it failed before, Temporal alone knows.
func (a *Activities) unrecorded(ctx context.Context, stage core.Stage, page core.Item, step string, err error) error {
	a.log.Warn("step failed", "page", page.String(), "step", step, "code", string(core.CodeOf(err)), "error", err)
	before := map[core.Code]int{core.CodeInternal: int(activity.GetInfo(ctx).Attempt) - 1}
	return failure(ctx, stage, before, err)
}

// guarded makes a panic an error of the step, so that it is retried and counted as one.
func guarded[T any](work func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = core.Wrap(core.CodeInternal, fmt.Errorf("panic: %v\n%s", p, debug.Stack()), "internal error")
		}
	}()
	return work()
}
