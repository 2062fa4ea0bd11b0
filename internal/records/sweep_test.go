package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
)

func TestSweeperListings(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	var queued []string
	for range 5 {
		n := newTask(1)
		f.Create(n)
		queued = append(queued, n.ID)
	}
	stale, lively := f.running(1), f.running(1)
	f.SQL(`UPDATE task SET created_at = created_at - interval '1 hour', updated_at = updated_at - interval '1 hour'`)
	f.Begin(runOf(lively.Items[0], first, 1))
	f.Create(newTask(1)) // too young

	var got []string
	var cursor records.Cursor
	for range 10 {
		list, next, err := f.UnstartedTasks(ctx, time.Minute, 2, cursor)
		require.NoError(t, err)
		for _, task := range list {
			got = append(got, task.ID)
		}
		if cursor = next; next.IsZero() {
			break
		}
	}
	require.Equal(t, queued, got, "a listing goes on past what nobody could start")

	list, next, err := f.StaleTasks(ctx, time.Minute, 10, records.Cursor{})
	require.NoError(t, err)
	require.True(t, next.IsZero())
	require.Len(t, list, 1)
	require.Equal(t, stale.ID, list[0].ID)
}

func TestMarkTerminated(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	for name, test := range map[string]struct {
		finished int
		want     core.TaskResult
		failed   bool
	}{
		"nothing done":    {0, core.TaskResult{Status: core.StatusError, TotalCount: 2, FailedCount: 2}, true},
		"half done":       {1, core.TaskResult{Status: core.StatusPartial, TotalCount: 2, SuccessCount: 1, FailedCount: 1}, true},
		"all but the end": {2, core.TaskResult{Status: core.StatusSuccess, TotalCount: 2, SuccessCount: 2}, false},
	} {
		n := f.running(2)
		for i := range test.finished {
			f.finish(n.Items[i])
		}
		if test.finished < 2 {
			f.Begin(runOf(n.Items[1], second, 1))
		}
		changed, err := f.MarkTerminated(ctx, f.TaskOf(n.ID))
		require.NoError(t, err, name)
		require.True(t, changed, name)
		task := f.TaskOf(n.ID)
		require.Equal(t, test.want, task.Result(), name)
		if !test.failed {
			require.Nil(t, task.Failure, name)
			continue
		}
		require.Equal(t, core.CodeTerminated, task.Failure.Code, name)
		failure := f.item(n.Items[1]).Failure
		require.Equal(t, core.CodeTerminated, failure.Code, name)
		require.Equal(t, second, failure.Stage, name)
	}
}

// The sweeper saw the task running; then it went on, or ended. The sweeper must not touch it.
func TestMarkTerminatedOnlyAsSeen(t *testing.T) {
	f := open(t)
	n := f.running(2)
	seen := f.TaskOf(n.ID)
	f.Begin(runOf(n.Items[0], first, 1))
	changed, err := f.MarkTerminated(t.Context(), seen)
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, core.StatusRunning, f.TaskOf(n.ID).Status)
	require.Equal(t, core.StatusRunning, f.item(n.Items[0]).Status)

	for range 10 {
		n := f.running(1)
		f.finish(n.Items[0])
		seen := f.TaskOf(n.ID)
		var group errgroup.Group
		group.Go(func() error { _, err := f.FinishTask(t.Context(), core.FinishTaskInput{TaskID: n.ID}); return err })
		group.Go(func() error { _, err := f.MarkTerminated(t.Context(), seen); return err })
		require.NoError(t, group.Wait())
		require.Equal(t, core.StatusSuccess, f.TaskOf(n.ID).Status)
		require.Nil(t, f.TaskOf(n.ID).Failure)
	}
}
