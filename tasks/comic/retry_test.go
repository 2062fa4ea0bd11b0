package comictasks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	"plait/workflows"
)

// execution is how the workflow of the task stands, of its last retry.
func (f fixture) execution(id string) workflows.Execution {
	f.t.Helper()
	e, err := workflows.ExecutionOf(f.t.Context(), f.temporal, id, f.task(id).RetryCount)
	require.NoError(f.t, err)
	return e
}

// partial is a task of two pages of which the second failed, whose workflow has closed.
func (f fixture) partial() string {
	f.t.Helper()
	id := f.accept(request(twoPages(f.t))).ID
	f.finish(id, 1)
	require.NoError(f.t, f.temporal.TerminateWorkflow(f.t.Context(), id, "", "as if it had completed"))
	require.Equal(f.t, workflows.StateClosed, f.execution(id).State)
	return id
}

func TestRetryIsAnotherRunUnderTheSameID(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	id := f.partial()
	before := f.execution(id).RunID
	for range 2 {
		task, err := f.Retry(ctx, tenant, id)
		require.NoError(t, err)
		require.Equal(t, core.TaskResult{Status: core.StatusQueued, TotalCount: 2, SuccessCount: 1}, task.Result())
		require.Equal(t, 1, task.RetryCount)
	}
	now := f.execution(id)
	require.Equal(t, workflows.StateRunning, now.State)
	require.NotEqual(t, before, now.RunID)
	_, err := f.Retry(ctx, "other", id)
	requireCode(t, core.CodeNotFound, err)
}

// A crash comes between the row and the workflow of a retry: the sweeper starts it, once.
func TestSweepStartsARetry(t *testing.T) {
	f := open(t)
	id := f.partial()
	_, err := f.records.RetryTask(t.Context(), tenant, id)
	require.NoError(t, err)
	require.Equal(t, workflows.StateUnknown, f.execution(id).State, "the run of before is none of it")
	f.sql(`UPDATE task SET created_at = now() - interval '1 hour'`)
	for _, want := range []tasks.Swept{{Started: 1}, {}} {
		swept, err := f.Sweep(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, swept)
	}
	require.Equal(t, workflows.StateRunning, f.execution(id).State)
}

// The run of before has recorded its end and not closed yet: it is waited for, or left to the sweeper.
func TestRetryWhileTheRunBeforeCloses(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	id := f.accept(request(twoPages(t))).ID
	f.finish(id, 1)
	_, err := f.Retry(ctx, tenant, id)
	require.NoError(t, err, "the wish is durable")
	require.Equal(t, workflows.StateClosing, f.execution(id).State)
	f.sql(`UPDATE task SET created_at = now() - interval '1 hour'`)
	swept, err := f.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{}, swept)
	require.NoError(t, f.temporal.TerminateWorkflow(ctx, id, "", "as if it had completed"))
	swept, err = f.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{Started: 1}, swept)
}

// Cancel finds a retry that was not started yet, and one that was.
func TestCancelOfARetry(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	unstarted, started := f.partial(), f.partial()
	_, err := f.records.RetryTask(ctx, tenant, unstarted)
	require.NoError(t, err)
	_, err = f.Retry(ctx, tenant, started)
	require.NoError(t, err)
	got, err := f.Cancel(ctx, tenant, unstarted)
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusCanceled, TotalCount: 2, SuccessCount: 1, FailedCount: 1}, got.Result())
	got, err = f.Cancel(ctx, tenant, started)
	require.NoError(t, err)
	require.NotNil(t, got.CancelRequestedAt)
	require.False(t, got.Status.Ended(), "its workflow ends it")
	_, err = f.Retry(ctx, tenant, unstarted)
	requireCode(t, core.CodeConflict, err)
}

// Signals that did not reach Temporal are sent by the sweeper, once.
func TestPauseWithoutTemporal(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	away := openWith(t, dial(t, "127.0.0.1:1"))
	id := away.accept(request(twoPages(t))).ID
	got, err := away.Pause(ctx, tenant, id)
	require.NoError(t, err)
	require.Equal(t, core.StatusPaused, got.Status)

	away.sql(`UPDATE task SET created_at = now() - interval '1 hour', updated_at = now() - interval '1 hour'`)
	back := newService(tasks.Deps{Records: away.records.Store, Blobs: away.blobs, Temporal: f.temporal, Log: discard}, comictasks.Deps{})
	swept, err := back.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{}, swept, "what pauses is not started")
	got, err = back.Resume(ctx, tenant, id)
	require.NoError(t, err)
	require.Equal(t, core.StatusQueued, got.Status)
	require.Equal(t, workflows.StateRunning, f.state(id))

	// It runs, and the pause does not reach its workflow.
	require.NoError(t, away.records.StartTask(ctx, core.StartTaskInput{TaskID: id}))
	_, err = away.Pause(ctx, tenant, id)
	require.NoError(t, err)
	away.sql(`UPDATE task SET updated_at = now() - interval '1 hour'`)
	swept, err = back.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{Signaled: 1}, swept)
}
