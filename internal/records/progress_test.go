package records_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func TestProgress(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	early, late := newTask(4), newTask(1)
	f.Create(early)
	f.Create(late)
	p, err := f.Progress(ctx, late.ID)
	require.NoError(t, err)
	require.Equal(t, records.Progress{Status: core.StatusQueued, Total: 1, QueuePosition: 2}, p)

	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: early.ID}))
	f.finish(early.Items[0])
	f.Begin(runOf(early.Items[1], first, 1))
	f.SQL(`UPDATE task SET started_at = now() - interval '10 seconds' WHERE id = $1`, early.ID)
	p, err = f.Progress(ctx, early.ID)
	require.NoError(t, err)
	require.Equal(t, []int{4, 1, 1, 0, 0}, []int{p.Total, p.Done, p.Succeeded, p.Failed, p.QueuePosition})
	require.InDelta(t, 10, p.Elapsed.Seconds(), 5)
	require.InDelta(t, 3*p.Elapsed.Seconds(), p.Remaining.Seconds(), 0.001, "one item took all the time; three are left")

	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: early.ID, Canceled: true})
	require.NoError(t, err)
	p, err = f.Progress(ctx, early.ID)
	require.NoError(t, err)
	require.Nil(t, p.Remaining)
	require.Equal(t, 4, p.Done)
	_, err = f.Progress(ctx, "absent")
	recordstest.RequireCode(t, core.CodeNotFound, err)
	both, err := f.Progresses(ctx, []string{early.ID, "absent", late.ID})
	require.NoError(t, err)
	require.Len(t, both, 2)
	require.Equal(t, p, both[early.ID])
}

func TestPlacesInTheQueueAreToldOfSeveralTasksAtOnce(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	var ids []string
	for range 5 {
		n := newTask(1)
		f.Create(n)
		ids = append(ids, n.ID)
	}
	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: ids[1]}))
	found, err := f.Progresses(ctx, []string{ids[3], ids[1], ids[0]})
	require.NoError(t, err)
	require.Equal(t, map[string]int{ids[0]: 1, ids[1]: 0, ids[3]: 3},
		map[string]int{ids[0]: found[ids[0]].QueuePosition, ids[1]: found[ids[1]].QueuePosition, ids[3]: found[ids[3]].QueuePosition})
	last, err := f.Progress(ctx, ids[4])
	require.NoError(t, err)
	require.Equal(t, 4, last.QueuePosition)
}

// A task starts when the tasks before it have ended, as many at once as run now, each as long as the median of its kind. Where a tier
// limits the tasks that run, those of the tenant alone count.
func TestTheStartOfAQueuedTaskIsEstimated(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	var ids []string
	for range 3 {
		n := newTask(1)
		f.Create(n)
		ids = append(ids, n.ID)
	}
	starts := func() (seconds []int) {
		t.Helper()
		found, err := f.Progresses(ctx, ids)
		require.NoError(t, err)
		for _, id := range ids {
			if start := found[id].EstimatedStart; start != nil {
				seconds = append(seconds, int(time.Until(*start).Round(10*time.Second).Seconds()))
			}
		}
		return seconds
	}
	for _, seconds := range []int{10, 60, 6000} {
		n := f.running(1)
		f.finish(n.Items[0])
		_, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
		require.NoError(t, err)
		f.SQL(`UPDATE task SET started_at = ended_at - $2 * interval '1 second' WHERE id = $1`, n.ID, seconds)
	}
	require.Empty(t, starts(), "nothing runs, so nothing says how many run at once")
	running := f.running(1)
	require.Equal(t, []int{60, 120, 180}, starts())
	f.running(1)
	require.Equal(t, []int{30, 60, 90}, starts())

	f.SQL(`INSERT INTO tier (name, running_tasks) VALUES ('three', 3)`)
	f.SQL(`INSERT INTO tenant (name, tier) VALUES ($1, 'three')`, tenant)
	require.Equal(t, []int{0, 20, 40}, starts(), "one of the three places of the tenant is free")

	f.SQL(`UPDATE task SET kind = 'other' WHERE ended_at IS NOT NULL`)
	require.Empty(t, starts(), "no task of the kind has ended")
	p, err := f.Progress(ctx, running.ID)
	require.NoError(t, err)
	require.Nil(t, p.EstimatedStart, "it has started")
}

// ended waits for the end of what a channel stands for, and fails by the context of the test.
func ended(ctx context.Context, t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-ctx.Done():
		require.NoError(t, ctx.Err())
	}
}

// Whoever listens to the database learns of each task that changes.
func TestChangesAreNotified(t *testing.T) {
	f := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	n := newTask(1)
	f.Create(n)
	conn := recordstest.Connect(t, f.URL)
	defer conn.Close(context.WithoutCancel(ctx))
	_, err := conn.Exec(ctx, `LISTEN plait_progress`)
	require.NoError(t, err)
	for _, change := range []func(){
		func() { require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID})) },
		func() { f.Begin(runOf(n.Items[0], first, 1)) },
		func() { _, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID}); require.NoError(t, err) },
	} {
		change()
		notification, err := conn.WaitForNotification(ctx)
		require.NoError(t, err)
		require.Equal(t, n.ID, notification.Payload, "equal ones of one change are sent once")
	}
}

// A step that is going to be tried again tells what it waits for, until it runs again.
func TestProgressTellsTheTroubleOfAPage(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(2)
	trouble := func() *records.Trouble {
		t.Helper()
		p, err := f.Progress(ctx, task.ID)
		require.NoError(t, err)
		return p.Trouble
	}
	require.Nil(t, trouble())
	run := runOf(task.Items[1], second, 1)
	f.Begin(run)
	require.NoError(t, f.EndStage(ctx, run, core.CodeTranslatorUnavailable, "openai is not available (HTTP 503)", nil))
	got := trouble()
	require.NotNil(t, got)
	require.WithinDuration(t, time.Now(), got.Since, time.Minute)
	got.Since = time.Time{}
	require.Equal(t, &records.Trouble{
		Item: 1, Stage: second, Code: core.CodeTranslatorUnavailable, Message: "openai is not available (HTTP 503)",
	}, got)
	f.Begin(runOf(task.Items[1], second, 2))
	require.Nil(t, trouble())
}
