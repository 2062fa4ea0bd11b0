package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

var refused = core.Failure{Stage: comic.StageTranslate, Code: core.CodeTranslatorRefused, Message: "no"}

// half ends a task of three pages of which the second failed while it was translated.
func (f fixture) half() records.NewTask {
	f.t.Helper()
	ctx := f.t.Context()
	n := f.running(3)
	f.finish(n.Pages[0])
	f.finish(n.Pages[2])
	detect := runOf(n.Pages[1], comic.StageDetect, 2)
	f.begin(detect)
	require.NoError(f.t, f.SaveDetect(ctx, detect, comic.DetectOutput{Regions: []comic.Region{{Text: "はい"}}}))
	translate := runOf(n.Pages[1], comic.StageTranslate, 3)
	f.begin(translate)
	require.NoError(f.t, f.SaveTranslations(ctx, translate, comic.TranslateOutput{
		Translations: []core.Translation{{Text: "Yes"}}, Provider: "p", Model: "m",
	}))
	require.NoError(f.t, f.FailPage(ctx, n.Pages[1], comic.ModeSplit, refused))
	_, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
	require.NoError(f.t, err)
	require.Equal(f.t, core.StatusPartial, f.task(n.ID).Status)
	return n
}

func TestRetryQueuesTheFailedPagesAlone(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n := f.half()
	first, last := f.page(n.Pages[0]), f.page(n.Pages[2])
	var group errgroup.Group
	for range 4 { // at once, it is one retry
		group.Go(func() error { _, err := f.RetryTask(ctx, tenant, n.ID); return err })
	}
	require.NoError(t, group.Wait())

	task := f.task(n.ID)
	require.Equal(t, core.TaskResult{Status: core.StatusQueued, TotalCount: 3, SuccessCount: 2}, task.Result())
	require.Equal(t, 1, task.RetryCount)
	require.Nil(t, task.EndedAt)
	require.Equal(t, first, f.page(n.Pages[0]))
	require.Equal(t, last, f.page(n.Pages[2]))
	again := f.page(n.Pages[1])
	require.Equal(t, core.StatusQueued, again.Status)
	require.Nil(t, again.Failure)
	require.Equal(t, 3, again.Ref.Attempts)
	kept, err := f.Translations(ctx, n.ID, 1)
	require.NoError(t, err)
	require.Equal(t, "Yes", kept[0].Text, "what was paid for stays")
	require.Equal(t, "p", again.Provider)
}

// Whatever is still at work of the time before has no say any more.
func TestWhatIsLateOfBeforeARetryChangesNothing(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n := f.half()
	late := runOf(n.Pages[1], comic.StageTranslate, 3)
	retried, err := f.RetryTask(ctx, tenant, n.ID)
	require.NoError(t, err)
	requireCode(t, core.CodeConflict, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID}))
	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID, Retry: retried.RetryCount}))

	_, err = f.BeginStage(ctx, late)
	requireCode(t, core.CodeConflict, err)
	requireCode(t, core.CodeConflict, f.FinishPage(ctx, late, resultOf(n.Pages[1], comic.ModeSplit)))
	require.NoError(t, f.FailPage(ctx, n.Pages[1], comic.ModeSplit, refused))
	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
	require.NoError(t, err)
	require.Equal(t, core.StatusRunning, f.task(n.ID).Status)
	require.Equal(t, core.StatusQueued, f.page(n.Pages[1]).Status)

	now := f.page(n.Pages[1]).Ref
	run := runOf(now, comic.StageTranslate, now.Attempts+1)
	begun, err := f.BeginStage(ctx, run)
	require.NoError(t, err)
	require.Empty(t, begun.Failures, "those of before count no more")
	require.NoError(t, f.FinishPage(ctx, run, resultOf(now, comic.ModeSplit)))
	result, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID, Retry: 1})
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 3, SuccessCount: 3}, result)
}

func TestWhatCannotBeRetried(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	queued, running, succeeded, canceled := newTask(1), f.running(1), f.running(1), f.running(1)
	f.create(queued)
	f.finish(succeeded.Pages[0])
	for _, in := range []core.FinishTaskInput{{TaskID: succeeded.ID}, {TaskID: canceled.ID, Canceled: true}} {
		_, err := f.FinishTask(ctx, in)
		require.NoError(t, err)
	}
	for _, n := range []records.NewTask{queued, running, succeeded, canceled} {
		before := f.task(n.ID)
		_, err := f.RetryTask(ctx, tenant, n.ID)
		requireCode(t, core.CodeConflict, err)
		require.Equal(t, before, f.task(n.ID))
	}
	_, err := f.RetryTask(ctx, "other", f.half().ID)
	requireCode(t, core.CodeNotFound, err)
}

func TestPauseAndResume(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	set := func(n records.NewTask, paused bool) (string, int) {
		task, err := f.SetPaused(ctx, tenant, n.ID, paused)
		require.NoError(t, err)
		return string(task.Status), task.PauseRevision
	}
	expect := func(n records.NewTask, paused bool, status core.Status, revision int) {
		t.Helper()
		for range 2 { // the same wish twice is one
			s, r := set(n, paused)
			require.Equal(t, []any{string(status), revision}, []any{s, r})
		}
	}
	queued, running := newTask(1), f.running(2)
	f.create(queued)
	expect(queued, true, core.StatusPaused, 1)
	require.NoError(t, f.CheckPaused(ctx, running.ID))
	requireCode(t, core.CodePaused, f.CheckPaused(ctx, queued.ID))
	expect(queued, false, core.StatusQueued, 2)

	// It may begin while it pauses, and then goes on as begun.
	expect(queued, true, core.StatusPaused, 3)
	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: queued.ID}))
	expect(queued, false, core.StatusRunning, 4)

	expect(running, true, core.StatusPaused, 1)
	f.finish(running.Pages[0]) // what was begun ends
	require.True(t, f.page(running.Pages[1]).Paused)
	f.finish(running.Pages[1])
	result, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: running.ID})
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, result.Status)
	_, err = f.SetPaused(ctx, tenant, running.ID, true)
	requireCode(t, core.CodeConflict, err)
	_, err = f.SetPaused(ctx, "other", queued.ID, true)
	requireCode(t, core.CodeNotFound, err)
}
