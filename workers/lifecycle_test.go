package workers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/workflows"
)

// retry asks for the failed pages of the chapter once more, and waits for the end.
func (r *rig) retry(in chapter) core.TaskResult {
	r.t.Helper()
	task, err := r.records.RetryTask(r.t.Context(), tenant, in.TaskID)
	require.NoError(r.t, err)
	again := in
	again.Retry, again.Items = task.RetryCount, nil
	if task.SuccessCount > 0 {
		again.Carried = &workflows.Counts{Success: task.SuccessCount}
	}
	for _, p := range r.pages(in) {
		if !p.Status.Ended() {
			again.Items = append(again.Items, p.Ref)
		}
	}
	r.start(again)
	r.start(again)
	result, err := r.wait(in)
	require.NoError(r.t, err)
	return result
}

// A page that failed in its last step comes to its end without being translated again; the others are not touched.
func TestRetryDoesOnlyWhatFailed(t *testing.T) {
	r := newRig(t)
	h := r.host(hostOptions{})
	broken := true
	h.engine.Before = func(_ context.Context, stage core.Stage, image []byte) error {
		if broken && stage == comic.StageRender && string(image) == string(hello(1)) {
			return core.NewError(core.CodeModelMissing, "a font is missing")
		}
		return nil
	}
	in := r.task(comic.ModeSplit, chapterPages(3)...)
	require.Equal(t, core.TaskResult{Status: core.StatusPartial, TotalCount: 3, SuccessCount: 2, FailedCount: 1}, r.run(in))
	record(t, r, in, "render-failed")
	require.Equal(t, core.StatusPartial, r.retry(in).Status, "nothing was mended")
	broken = false
	before := r.pages(in)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 3, SuccessCount: 3}, r.retry(in))
	require.Equal(t, []int{0, 1, 2}, r.model.Pages(), "nothing is paid for twice")
	require.Equal(t, 5, h.engine.Detects())
	after := r.pages(in)
	require.Equal(t, before[0], after[0])
	require.Equal(t, before[2], after[2])
	require.Equal(t, helloRendered(1), r.result(after[1]))
	require.Zero(t, h.leases().Stats().Leases)
	record(t, r, in, "retry")
}

func TestRetryOfATaskOfOneImage(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{})
	refuse := true
	r.model.Before = func(context.Context, translate.Request) error {
		if refuse {
			return core.NewError(core.CodeTranslatorRefused, "the key is not valid")
		}
		return nil
	}
	in := r.task(comic.ModeSplit, hello(0))
	require.Equal(t, core.StatusError, r.run(in).Status)
	require.Equal(t, core.StatusError, r.pages(in)[0].Status)
	refuse = false
	require.Equal(t, core.StatusSuccess, r.retry(in).Status)
	require.Equal(t, helloRendered(0), r.result(r.pages(in)[0]))
	record(t, r, in, "retry-page")
}

// What a canceled chapter had detected is freed on its host before the task has ended.
func TestCancelLeavesNoContext(t *testing.T) {
	r := newRig(t)
	h := r.host(hostOptions{})
	asked := make(chan struct{})
	r.model.Before = func(ctx context.Context, _ translate.Request) error {
		close(asked)
		<-ctx.Done()
		return ctx.Err()
	}
	in := r.task(comic.ModeSplit, chapterPages(5)...)
	r.start(in)
	await(t, asked, "the first translation")
	require.Eventually(t, func() bool { return h.leases().Stats().Leases >= 2 }, patience, pollEvery)
	began := time.Now()
	require.NoError(t, workflows.Cancel(t.Context(), r.client, in.TaskID))
	_, err := r.wait(in)
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Zero(t, h.leases().Stats().Leases)
	t.Logf("canceled in %v", time.Since(began).Round(time.Millisecond))
	record(t, r, in, "canceled-contexts")
}

func (r *rig) pause(in chapter, paused bool) {
	r.t.Helper()
	task, err := r.records.SetPaused(r.t.Context(), tenant, in.TaskID, paused)
	require.NoError(r.t, err)
	require.NoError(r.t, workflows.SignalPause(r.t.Context(), r.client, in.TaskID, workflows.Pause{Paused: paused, Revision: task.PauseRevision}))
}

// atRest waits until a paused chapter has ended what it had begun.
func (r *rig) atRest(in chapter) workflows.Progress {
	r.t.Helper()
	var p workflows.Progress
	require.Eventually(r.t, func() bool {
		var err error
		p, err = workflows.ProgressOf(r.t.Context(), r.client, in.TaskID)
		busy := false
		for _, page := range p.InFlight {
			busy = busy || !page.Waiting
		}
		return err == nil && p.Paused && !busy
	}, patience, pollEvery)
	e, err := workflows.ExecutionOf(r.t.Context(), r.client, in.TaskID, 0)
	require.NoError(r.t, err)
	require.True(r.t, e.Paused, "an operator sees it too")
	return p
}

// A pause outlives every worker. Contexts that go with them, or expire, cost their detect and no model call.
func TestPauseOutlivesItsWorkers(t *testing.T) {
	r := newRig(t)
	first := r.host(hostOptions{})
	asked, answer := make(chan struct{}), make(chan struct{})
	r.model.Before = func(_ context.Context, request translate.Request) error {
		if request.Page.Index == 0 {
			close(asked)
			<-answer
		}
		return nil
	}
	in := r.task(comic.ModeSplit, chapterPages(6)...)
	r.start(in)
	await(t, asked, "the first translation")
	r.pause(in, true)
	require.Eventually(t, func() bool {
		e, err := workflows.ExecutionOf(t.Context(), r.client, in.TaskID, 0)
		return err == nil && e.Paused
	}, patience, pollEvery)
	close(answer)
	require.Equal(t, 1, r.atRest(in).Done, "what was begun ends")
	detects := first.engine.Detects()
	require.NoError(t, first.stop())

	second := r.host(hostOptions{})
	require.Equal(t, 1, r.atRest(in).Done)
	require.Equal(t, []int{0}, r.model.Pages())
	require.Zero(t, second.engine.Detects())
	require.Less(t, detects, 6)
	r.pause(in, false)
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, 6, result.SuccessCount)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5}, r.model.Pages())
	record(t, r, in, "paused")
}

// The row says that the task pauses, and its signal has not come: no model is asked, and the chapter pauses.
func TestNoModelIsAskedForATaskThatPauses(t *testing.T) {
	for mode, name := range map[core.Mode]string{comic.ModeSplit: "paused-in-translate", comic.ModeUnified: "paused-in-page"} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t)
			r.host(hostOptions{})
			in := r.task(mode, chapterPages(3)...)
			r.model.Before = func(ctx context.Context, request translate.Request) error {
				if request.Page.Index == 0 {
					_, err := r.records.SetPaused(ctx, tenant, in.TaskID, true)
					return err
				}
				return nil
			}
			r.start(in)
			r.toldByAStep(in)
			require.Equal(t, []int{0}, r.model.Pages())
			r.pause(in, false)
			result, err := r.wait(in)
			require.NoError(t, err)
			require.Equal(t, 3, result.SuccessCount)
			require.Equal(t, []int{0, 1, 2}, r.model.Pages())
			record(t, r, in, name)
		})
	}
}

// toldByAStep waits until the chapter has learned from a step that it pauses; that step waits to be run again.
func (r *rig) toldByAStep(in chapter) {
	r.t.Helper()
	require.Eventually(r.t, func() bool {
		p, err := workflows.ProgressOf(r.t.Context(), r.client, in.TaskID)
		return err == nil && p.Paused && p.Done == 1
	}, patience, pollEvery)
}
