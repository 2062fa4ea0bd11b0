package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

var refused = core.Failure{Stage: second, Code: core.CodeTranslatorRefused, Message: "no"}

// half ends a task of three pages of which the second failed while it was translated.
func (f fixture) half() records.NewTask {
	f.T.Helper()
	ctx := f.T.Context()
	n := f.running(3)
	f.finish(n.Items[0])
	f.finish(n.Items[2])
	detect := runOf(n.Items[1], first, 2)
	f.Begin(detect)
	require.NoError(f.T, f.Save(ctx, detect, detect.Close(nil)))
	translate := runOf(n.Items[1], second, 3)
	f.Begin(translate)
	require.NoError(f.T, f.Save(ctx, translate, translate.Close(nil)))
	require.NoError(f.T, f.FailItem(ctx, n.Items[1], once, refused))
	_, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
	require.NoError(f.T, err)
	require.Equal(f.T, core.StatusPartial, f.TaskOf(n.ID).Status)
	return n
}

func TestRetryQueuesTheFailedPagesAlone(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n := f.half()
	head, last := f.item(n.Items[0]), f.item(n.Items[2])
	var group errgroup.Group
	for range 4 { // at once, it is one retry
		group.Go(func() error { _, err := f.RetryTask(ctx, tenant, n.ID); return err })
	}
	require.NoError(t, group.Wait())

	task := f.TaskOf(n.ID)
	require.Equal(t, core.TaskResult{Status: core.StatusQueued, TotalCount: 3, SuccessCount: 2}, task.Result())
	require.Equal(t, 1, task.RetryCount)
	require.Nil(t, task.EndedAt)
	require.Equal(t, head, f.item(n.Items[0]))
	require.Equal(t, last, f.item(n.Items[2]))
	retried := f.item(n.Items[1])
	require.Equal(t, core.StatusQueued, retried.Status)
	require.Nil(t, retried.Failure)
	require.Equal(t, 3, retried.Ref.Attempts)
	require.Equal(t, []string{"first 2", "second 3"}, f.Rows(`SELECT stage, attempt FROM stage_run WHERE item_index = 1 AND outcome = 'success' ORDER BY 1`),
		"what was done stays")
}

// Whatever is still at work of the time before has no say any more.
func TestWhatIsLateOfBeforeARetryChangesNothing(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n := f.half()
	late := runOf(n.Items[1], second, 3)
	retried, err := f.RetryTask(ctx, tenant, n.ID)
	require.NoError(t, err)
	recordstest.RequireCode(t, core.CodeConflict, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID}))
	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID, Retry: retried.RetryCount}))

	_, err = f.BeginStage(ctx, late)
	recordstest.RequireCode(t, core.CodeConflict, err)
	recordstest.RequireCode(t, core.CodeConflict, f.FinishItem(ctx, late, resultOf(n.Items[1])))
	require.NoError(t, f.FailItem(ctx, n.Items[1], once, refused))
	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
	require.NoError(t, err)
	require.Equal(t, core.StatusRunning, f.TaskOf(n.ID).Status)
	require.Equal(t, core.StatusQueued, f.item(n.Items[1]).Status)

	now := f.item(n.Items[1]).Ref
	run := runOf(now, second, now.Attempts+1)
	begun, err := f.BeginStage(ctx, run)
	require.NoError(t, err)
	require.Empty(t, begun.Failures, "those of before count no more")
	require.NoError(t, f.FinishItem(ctx, run, resultOf(now)))
	result, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID, Retry: 1})
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 3, SuccessCount: 3, Modes: modes(3)}, result)
}

func TestWhatCannotBeRetried(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	queued, running, succeeded, canceled := newTask(1), f.running(1), f.running(1), f.running(1)
	f.Create(queued)
	f.finish(succeeded.Items[0])
	for _, in := range []core.FinishTaskInput{{TaskID: succeeded.ID}, {TaskID: canceled.ID, Canceled: true}} {
		_, err := f.FinishTask(ctx, in)
		require.NoError(t, err)
	}
	for _, n := range []records.NewTask{queued, running, succeeded, canceled} {
		before := f.TaskOf(n.ID)
		_, err := f.RetryTask(ctx, tenant, n.ID)
		recordstest.RequireCode(t, core.CodeConflict, err)
		require.Equal(t, before, f.TaskOf(n.ID))
	}
	_, err := f.RetryTask(ctx, "other", f.half().ID)
	recordstest.RequireCode(t, core.CodeNotFound, err)
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
	f.Create(queued)
	expect(queued, true, core.StatusPaused, 1)
	require.NoError(t, f.CheckPaused(ctx, running.ID))
	recordstest.RequireCode(t, core.CodePaused, f.CheckPaused(ctx, queued.ID))
	expect(queued, false, core.StatusQueued, 2)

	// It may begin while it pauses, and then goes on as begun.
	expect(queued, true, core.StatusPaused, 3)
	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: queued.ID}))
	expect(queued, false, core.StatusRunning, 4)

	expect(running, true, core.StatusPaused, 1)
	f.finish(running.Items[0]) // what was begun ends
	require.True(t, f.item(running.Items[1]).Paused)
	f.finish(running.Items[1])
	result, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: running.ID})
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, result.Status)
	_, err = f.SetPaused(ctx, tenant, running.ID, true)
	recordstest.RequireCode(t, core.CodeConflict, err)
	_, err = f.SetPaused(ctx, "other", queued.ID, true)
	recordstest.RequireCode(t, core.CodeNotFound, err)
}
