package records_test

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// events reads the whole log that matches, in pages of two.
func (f fixture) events(filter records.EventFilter, after int64) (all []records.Event) {
	f.T.Helper()
	for {
		page, err := f.Events(f.T.Context(), filter, after, 2)
		require.NoError(f.T, err)
		require.False(f.T, page.Truncated)
		all = append(all, page.Events...)
		if after = page.Next; !page.More {
			return all
		}
	}
}

func typesOf(events []records.Event) (types []string) {
	for _, e := range events {
		types = append(types, e.Type)
	}
	return types
}

func TestTheLogTellsTheCourseOfATask(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(2)
	run := runOf(task.Items[0], second, 1)
	f.Begin(run)
	require.NoError(t, f.FinishItem(ctx, run, resultOf(run.Item)))
	_, err := f.SetPaused(ctx, recordstest.Tenant, task.ID, true)
	require.NoError(t, err)
	_, err = f.SetPaused(ctx, recordstest.Tenant, task.ID, false)
	require.NoError(t, err)
	for range 2 { // the repetition changes nothing
		_, err = f.RequestCancel(ctx, recordstest.Tenant, task.ID)
		require.NoError(t, err)
	}
	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: task.ID, Canceled: true})
	require.NoError(t, err)

	all := f.events(records.EventFilter{TaskID: task.ID, Tenant: recordstest.Tenant}, 0)
	require.Equal(t, []string{
		"task.queued", "task.started", "task.progress", "task.progress", "task.paused", "task.resumed", "task.cancel_requested", "task.ended",
	}, typesOf(all))
	var done struct {
		Status       core.Status `json:"status"`
		SuccessCount int         `json:"success_count"`
		EstimatedMS  *int64      `json:"estimated_ms"`
		Item         struct {
			Index  int
			Status core.Status
			Stage  core.Stage
		}
	}
	require.NoError(t, json.Unmarshal(all[3].Data, &done))
	require.Equal(t, core.StatusRunning, done.Status)
	require.Equal(t, 1, done.SuccessCount, "the counts are those at the end of the transaction")
	require.NotNil(t, done.EstimatedMS)
	require.Equal(t, second, done.Item.Stage)
	require.Equal(t, core.StatusSuccess, done.Item.Status)
	require.Contains(t, string(all[7].Data), `"code": "CANCELED"`)
	require.Contains(t, string(all[7].Data), `"status": "canceled"`)
	last, err := f.LastEvent(ctx, task.ID)
	require.NoError(t, err)
	require.Equal(t, all[7].ID, last)
}

func TestTheLogIsReadByTenantAndByTask(t *testing.T) {
	f := open(t)
	mine, also := f.running(1), f.running(1)
	foreign := newTask(1)
	foreign.Tenant = "other"
	f.Create(foreign)
	for name, test := range map[string]struct {
		filter records.EventFilter
		want   int
	}{
		"all":               {records.EventFilter{}, 5},
		"a tenant":          {records.EventFilter{Tenant: recordstest.Tenant}, 4},
		"the other":         {records.EventFilter{Tenant: "other"}, 1},
		"a task":            {records.EventFilter{Tenant: recordstest.Tenant, TaskID: mine.ID}, 2},
		"a task of another": {records.EventFilter{Tenant: "other", TaskID: also.ID}, 0},
	} {
		require.Len(t, f.events(test.filter, 0), test.want, name)
	}
}

// commitsSlowly has a transaction change a task and wait in its commit, once its event has an id, until release is called.
func (f fixture) commitsSlowly(taskID string) (release func()) {
	f.T.Helper()
	ctx := f.T.Context()
	conn := recordstest.Connect(f.T, f.URL)
	f.T.Cleanup(func() { _ = conn.Close(context.Background()) })
	tx, err := conn.Begin(ctx)
	require.NoError(f.T, err)
	_, err = tx.Exec(ctx, `UPDATE task SET status = 'paused' WHERE id = $1`, taskID)
	require.NoError(f.T, err)
	_, err = tx.Exec(ctx, `SET CONSTRAINTS ALL IMMEDIATE`) // runs what a commit begins with
	require.NoError(f.T, err)
	return func() {
		f.T.Helper()
		require.NoError(f.T, tx.Commit(ctx))
	}
}

// An event that appears late is read in its place, and none after it before.
func TestNoEventAppearsBeforeOneThatWasRead(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	slow := newTask(1)
	f.Create(slow)
	start, err := f.Events(ctx, records.EventFilter{}, 0, 10)
	require.NoError(t, err)
	require.Len(t, start.Events, 1)

	release := f.commitsSlowly(slow.ID)
	fast := f.running(1) // commits twice meanwhile
	held, err := f.Events(ctx, records.EventFilter{}, start.Next, 10)
	require.NoError(t, err)
	require.Empty(t, held.Events)
	require.True(t, held.Pending)
	last, err := f.LastEvent(ctx, fast.ID)
	require.NoError(t, err)
	require.Less(t, held.Next, last)

	release()
	after, err := f.Events(ctx, records.EventFilter{}, held.Next, 10)
	require.NoError(t, err)
	require.Equal(t, []string{"task.paused", "task.queued", "task.started"}, typesOf(after.Events))
	require.False(t, after.Pending)
	require.Equal(t, last, after.Next)
}

// What one reader collects while many write is what the log holds in the end, in its order.
func TestAReaderOfABusyLogMissesNothing(t *testing.T) {
	f := open(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var writers errgroup.Group
	for range 4 {
		writers.Go(func() error {
			for range 25 {
				n := newTask(1)
				if _, _, err := f.CreateTask(t.Context(), n); err != nil {
					return err
				}
				if err := f.StartTask(t.Context(), core.StartTaskInput{TaskID: n.ID}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	go func() {
		_ = writers.Wait() // returned below
		stop()
	}()
	var got []records.Event
	var after int64
	for ended := false; !ended; {
		ended = ctx.Err() != nil // one more look after the last write
		page, err := f.Events(t.Context(), records.EventFilter{}, after, 7)
		require.NoError(t, err)
		got, after = append(got, page.Events...), page.Next
		ended = ended && !page.More
	}
	require.NoError(t, writers.Wait())
	require.Equal(t, f.events(records.EventFilter{}, 0), got)
	require.Len(t, got, 200)
}

func TestOldEventsAreRemoved(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	f.running(1)
	f.SQL(`UPDATE event SET created_at = now() - interval '2 hours'`)
	f.running(1)
	first := f.events(records.EventFilter{}, 0)
	require.Len(t, first, 4)

	removed, err := f.RemoveEvents(ctx, time.Hour, 100, 10)
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	require.Len(t, f.events(records.EventFilter{}, first[1].ID), 2, "who has read all that was removed misses nothing")
	page, err := f.Events(ctx, records.EventFilter{}, first[0].ID, 10)
	require.NoError(t, err)
	require.True(t, page.Truncated)

	removed, err = f.RemoveEvents(ctx, time.Hour, 1, 10)
	require.NoError(t, err)
	require.Equal(t, 1, removed, "the number is bounded, too")
	removed, err = f.RemoveEvents(ctx, 0, 100, 10)
	require.NoError(t, err)
	require.Equal(t, 1, removed)
	page, err = f.Events(ctx, records.EventFilter{}, first[3].ID, 10)
	require.NoError(t, err)
	require.False(t, page.Truncated)
	require.Empty(t, page.Events)
}

// A database that is made anew counts from 1.
func TestAnIDOfAnotherDatabaseIsNotKnown(t *testing.T) {
	f := open(t)
	page, err := f.Events(t.Context(), records.EventFilter{}, 1<<40, 10)
	require.NoError(t, err)
	require.True(t, page.Truncated)
}

func FuzzEventID(f *testing.F) {
	for _, s := range []string{"0", "742", "9223372036854775807", "9223372036854775808", "-1", "01", "+1", "1 ", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := records.ParseEventID(s)
		if err != nil {
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
			return
		}
		require.Equal(t, s, strconv.FormatInt(id, 10))
		require.GreaterOrEqual(t, id, int64(0))
	})
}
