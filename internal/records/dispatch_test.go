package records_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/quota"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/translate/ledger"
)

// together counts the calls that succeed, of n on several stores at once. A call that fails must be refused by a limit.
func (f fixture) together(n int, call func(*records.Store, int) (bool, error)) int {
	f.T.Helper()
	var succeeded atomic.Int64
	var group sync.WaitGroup
	for p := range 4 {
		store := recordstest.Join(f.T, f.URL)
		for i := p; i < n; i += 4 {
			group.Go(func() {
				done, err := call(store, i)
				if err != nil && core.CodeOf(err) != core.CodeRateLimited {
					f.T.Errorf("call %d: %v", i, err)
				}
				if done && err == nil {
					succeeded.Add(1)
				}
			})
		}
	}
	group.Wait()
	return int(succeeded.Load())
}

func TestWaitingTasksAreNeverMoreThanTheLimit(t *testing.T) {
	f := open(t)
	f.limited(quota.Limits{WaitingTasks: limit(7)})
	created := f.together(24, func(s *records.Store, _ int) (bool, error) {
		_, created, err := s.CreateTask(f.T.Context(), newTask(1))
		return created, err
	})
	require.Equal(t, 7, created)
	require.Equal(t, []string{"7"}, f.Rows(`SELECT count(*) FROM task`), "a refused task leaves nothing")
	_, _, err := f.CreateTask(t.Context(), newTask(1))
	recordstest.RequireCode(t, core.CodeRateLimited, err)
	require.Contains(t, core.PublicMessage(err), "the limit waiting_tasks is reached: the tier of this tenant allows 7")

	// What runs does not wait, and what is retried waits again.
	first := f.Rows(`SELECT id FROM task ORDER BY id LIMIT 1`)[0]
	require.NoError(t, f.StartTask(t.Context(), core.StartTaskInput{TaskID: first}))
	f.Create(newTask(1))
	_, err = f.FinishTask(t.Context(), core.FinishTaskInput{TaskID: first})
	require.NoError(t, err)
	_, err = f.RetryTask(t.Context(), tenant, first)
	recordstest.RequireCode(t, core.CodeRateLimited, err)
	require.Equal(t, core.StatusError, f.TaskOf(first).Status)
}

func TestRunningTasksAreNeverMoreThanTheLimit(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	earlier := f.running(1)
	f.limited(quota.Limits{RunningTasks: limit(3)})
	tasks := make([]records.NewTask, 10)
	for i := range tasks {
		tasks[i] = newTask(1)
		tasks[i].Priority = 1 + i%2
		f.Create(tasks[i])
	}
	dispatched := f.together(len(tasks), func(s *records.Store, i int) (bool, error) {
		dispatched, _, err := s.DispatchTask(ctx, tasks[i].ID)
		return dispatched, err
	})
	require.Equal(t, 2, dispatched, "a task runs since before there was a limit")
	waiting, err := f.WaitingTasks(ctx, 100)
	require.NoError(t, err)
	require.Empty(t, waiting)
	unstarted, _, err := f.UnstartedTasks(ctx, 0, 100, records.Cursor{})
	require.NoError(t, err)
	require.Len(t, unstarted, dispatched, "the others wait for a place")

	freed, leave := f.WatchWaiting()
	defer leave()
	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: earlier.ID})
	require.NoError(t, err)
	select {
	case <-freed:
	case <-time.After(time.Minute):
		t.Fatal("nobody learned that a place is free")
	}
	waiting, err = f.WaitingTasks(ctx, 100)
	require.NoError(t, err)
	require.Len(t, waiting, 1)
	next := f.Rows(`SELECT id FROM task WHERE status = 'queued' AND dispatched_at IS NULL ORDER BY priority, created_at, id LIMIT 1`)
	require.Equal(t, next[0], waiting[0].ID)
	for range 2 {
		again, share, err := f.DispatchTask(ctx, waiting[0].ID)
		require.NoError(t, err)
		require.True(t, again, "a task keeps its place")
		require.Equal(t, records.Share{PriorityKey: 3, FairnessWeight: 1}, share)
	}
	free, err := f.WaitingTasks(ctx, 100)
	require.NoError(t, err)
	require.Empty(t, free)
}

// The places that are free at the same time are given by priority, and within one in turns by weight.
func TestWaitingTasksStartInTheOrderOfTheQueue(t *testing.T) {
	f := open(t)
	for _, served := range []struct {
		tenant                  string
		priority, weight, tasks int
	}{{"last", 9, 9, 1}, {"even", 6, 1, 2}, {"odd", 5, 1, 6}, {"first", 3, 1, 1}} {
		f.served(served.tenant, served.priority, served.weight)
		for range served.tasks {
			n := newTask(1)
			n.Tenant = served.tenant
			f.Create(n)
		}
	}
	f.SQL(`UPDATE tier SET running_tasks = 6`)
	waiting, err := f.WaitingTasks(t.Context(), 9)
	require.NoError(t, err)
	var order []string
	for _, task := range waiting {
		order = append(order, task.Tenant)
	}
	require.Equal(t, []string{"first", "odd", "odd", "odd", "even", "odd", "odd", "odd", "even"}, order)
	waiting, err = f.WaitingTasks(t.Context(), 100)
	require.NoError(t, err)
	require.Equal(t, "last", waiting[len(waiting)-1].Tenant)
}

func TestTokensAreChargedSettledAndGivenBack(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	f.limited(quota.Limits{TokensPerMinute: limit(1000)})
	used := func() int64 {
		found, err := f.Tenant(ctx, tenant)
		require.NoError(t, err)
		return found.Usage.TokensPerMinute
	}
	task := func(tokens int64) records.NewTask {
		n := newTask(1)
		n.Tokens = tokens
		return n
	}
	call := func(taskID string, tokens int) {
		require.NoError(t, f.RecordCall(ctx, ledger.Call{
			Key: uuid.NewString(), Tenant: tenant, TaskID: taskID, Provider: "p", Model: "m", StartedAt: time.Now(), Outcome: ledger.OutcomeOK,
			Answer: ledger.Answer{InputTokens: tokens - 1, OutputTokens: 1},
		}))
	}
	n := task(600)
	made, _, err := f.CreateTask(ctx, n)
	require.NoError(t, err)
	require.EqualValues(t, 600, made.TokensCharged)
	_, _, err = f.CreateTask(ctx, task(500))
	recordstest.RequireCode(t, core.CodeRateLimited, err)
	require.Contains(t, core.PublicMessage(err), "tokens_per_minute")
	var refused *core.Error
	require.ErrorAs(t, err, &refused)
	require.LessOrEqual(t, refused.RetryAfter, 61*time.Second)
	require.Positive(t, refused.RetryAfter)
	require.EqualValues(t, 600, used(), "a refused task is not charged")

	call(n.ID, 150)
	require.EqualValues(t, 600, used(), "the call was charged before")
	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID}))
	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
	require.NoError(t, err)
	require.EqualValues(t, 150, used(), "what it did not use is given back")
	call(n.ID, 250)
	require.EqualValues(t, 400, used(), "what was not charged counts as it is used")

	_, _, err = f.CreateTask(ctx, task(5000))
	recordstest.RequireCode(t, core.CodeRateLimited, err)
	f.SQL(`DELETE FROM rate_window`)
	large, _, err := f.CreateTask(ctx, task(5000))
	require.NoError(t, err, "an estimate beyond the limit is charged as the limit")
	require.EqualValues(t, 1000, large.TokensCharged)
	call(large.ID, 1200)
	require.EqualValues(t, 1200, used(), "settled use may exceed the limit")
}

func TestTokensChargedAfterTheirTaskWasAcceptedAreGivenBack(t *testing.T) {
	f := open(t)
	f.limited(quota.Limits{TokensPerMinute: limit(1000)})
	n := newTask(1)
	n.Tokens = 600
	_, _, err := f.CreateTask(t.Context(), n)
	require.NoError(t, err)
	f.SQL(`UPDATE task SET created_at = created_at - interval '0.5 s'`)
	require.NoError(t, f.StartTask(t.Context(), core.StartTaskInput{TaskID: n.ID}))
	_, err = f.FinishTask(t.Context(), core.FinishTaskInput{TaskID: n.ID})
	require.NoError(t, err)
	found, err := f.Tenant(t.Context(), tenant)
	require.NoError(t, err)
	require.Zero(t, found.Usage.TokensPerMinute)
}
