package records_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func TestCreateTask(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n := newTask(2)
	zero, one := 0, 1
	archived := []records.File{
		{Role: records.RoleArchive, Position: 0, Name: "002.png", ItemIndex: &one},
		{Role: records.RoleArchive, Position: 1, Name: "ComicInfo.xml", Blob: recordstest.BlobOf("info")},
		{Role: records.RoleArchive, Position: 2, Name: "001.png", ItemIndex: &zero},
	}
	n.Files = append([]records.File{{Role: records.RoleScript, Name: "script", Blob: recordstest.BlobOf("script")}}, archived...)
	n.Details = []records.Statement{records.PutSynopsis(n.ID, "A boy looks for his dog.")}
	require.NoError(t, f.HoldBlobs(ctx, n.ID, []core.BlobRef{n.Items[0].Blob, n.Items[1].Blob, recordstest.BlobOf("info"), recordstest.BlobOf("script")}))
	created, isNew, err := f.CreateTask(ctx, n)
	require.NoError(t, err)
	require.True(t, isNew)
	require.JSONEq(t, string(n.Options), string(created.Options))
	require.Equal(t, core.DefaultPriority, created.Priority)
	require.Equal(t, core.StatusQueued, created.Status)
	require.Equal(t, created, f.TaskOf(n.ID))
	require.Empty(t, f.Rows(`SELECT * FROM blob_lease`), "the blobs are named now")

	files, err := f.Files(ctx, n.ID, records.RoleArchive)
	require.NoError(t, err)
	require.Equal(t, archived, files)
	items, err := f.Items(ctx, n.ID)
	require.NoError(t, err)
	require.Len(t, items, 2)
	require.Equal(t, n.Items[1], items[1].Ref)
	require.Equal(t, []string{"A boy looks for his dog."}, f.Rows(`SELECT synopsis FROM synopsis`))

	_, err = f.Task(ctx, "other", n.ID)
	recordstest.RequireCode(t, core.CodeNotFound, err)
	_, err = f.Item(ctx, n.ID, 2)
	recordstest.RequireCode(t, core.CodeNotFound, err)
}

func TestCreateTaskRefusesNonsense(t *testing.T) {
	f := open(t)
	for name, spoil := range map[string]func(*records.NewTask){
		"no items":        func(n *records.NewTask) { n.Items = nil },
		"id":              func(n *records.NewTask) { n.ID = "a b" },
		"tenant":          func(n *records.NewTask) { n.Tenant = "" },
		"kind":            func(n *records.NewTask) { n.Kind = "A kind" },
		"options":         func(n *records.NewTask) { n.Options = json.RawMessage(`[]`) },
		"priority":        func(n *records.NewTask) { n.Priority = 6 },
		"details":         func(n *records.NewTask) { n.Details = []records.Statement{records.PutSynopsis(n.ID, "")} },
		"NUL in a name":   func(n *records.NewTask) { n.Items[0].Name = "a\x00b" },
		"dangling file":   func(n *records.NewTask) { n.Files = []records.File{{Role: records.RoleArchive, Name: "x"}} },
		"one index twice": func(n *records.NewTask) { n.Items[1].Index = 0 },
	} {
		n := newTask(2)
		spoil(&n)
		_, _, err := f.CreateTask(t.Context(), n)
		require.Contains(t, []core.Code{core.CodeInvalidInput, core.CodeConflict}, core.CodeOf(err), name)
	}
	require.Empty(t, f.Rows(`SELECT id FROM task`))
	require.Empty(t, f.Rows(`SELECT name FROM item`))
}

// Twenty callers with one key, from two processes: one task.
func TestCreateTaskOnceUnderRace(t *testing.T) {
	f := open(t)
	other := recordstest.Join(t, f.URL)
	ids := make([]string, 20)
	made := make([]bool, 20)
	var group errgroup.Group
	for i := range ids {
		store := f.Store
		if i%2 == 1 {
			store = other
		}
		group.Go(func() error {
			n := newTask(3)
			n.IdempotencyKey, n.RequestHash = "key", "hash"
			task, created, err := store.CreateTask(t.Context(), n)
			ids[i], made[i] = task.ID, created
			return err
		})
	}
	require.NoError(t, group.Wait())
	var count int
	for i := range ids {
		require.Equal(t, ids[0], ids[i])
		if made[i] {
			count++
		}
	}
	require.Equal(t, 1, count)
	require.Equal(t, []string{"1 3"}, f.Rows(`SELECT (SELECT count(*) FROM task), (SELECT count(*) FROM item)`))

	n := newTask(1)
	n.IdempotencyKey, n.RequestHash = "key", "another"
	_, _, err := f.CreateTask(t.Context(), n)
	recordstest.RequireCode(t, core.CodeConflict, err)
	n.Tenant = "other"
	_, created, err := f.CreateTask(t.Context(), n)
	require.NoError(t, err)
	require.True(t, created, "keys of tenants are apart")
}

func TestListTasks(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	var ids []string
	for i := range 5 {
		n := newTask(1)
		f.Create(n)
		ids = append([]string{n.ID}, ids...)
		if i >= 3 { // of equal age: their ids decide
			f.SQL(`UPDATE task SET created_at = '2030-01-01' WHERE id = $1`, n.ID)
		}
	}
	foreign := newTask(1)
	foreign.Tenant = "other"
	f.Create(foreign)
	if ids[0] < ids[1] {
		ids[0], ids[1] = ids[1], ids[0]
	}

	var got []string
	var cursor records.Cursor
	for range 10 {
		list, next, err := f.ListTasks(ctx, tenant, records.TaskFilter{}, 2, cursor)
		require.NoError(t, err)
		for _, task := range list {
			got = append(got, task.ID)
		}
		if next.IsZero() {
			break
		}
		cursor, err = records.ParseCursor(next.String())
		require.NoError(t, err)
	}
	require.Equal(t, ids, got)

	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: ids[2]}))
	list, _, err := f.ListTasks(ctx, tenant, records.TaskFilter{Status: core.StatusRunning}, 10, records.Cursor{})
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestParseCursorRefuses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"x", "!!!!", "MTIz", "YWJjLg", records.Cursor{At: time.Now(), ID: "a;b"}.String()} {
		_, err := records.ParseCursor(s)
		recordstest.RequireCode(t, core.CodeInvalidInput, err)
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add("")
	f.Add("MTIz")
	f.Add(records.Cursor{At: time.UnixMicro(1_700_000_000_000_000), ID: uuid.NewString()}.String())
	f.Fuzz(func(t *testing.T, s string) {
		cursor, err := records.ParseCursor(s)
		if err != nil {
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
			return
		}
		again, err := records.ParseCursor(cursor.String())
		require.NoError(t, err)
		require.Equal(t, cursor, again)
	})
}

// modes are those of n items that succeeded.
func modes(n int) map[core.Mode]int {
	if n == 0 {
		return map[core.Mode]int{}
	}
	return map[core.Mode]int{once: n}
}

func TestLifecycle(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	for name, test := range map[string]struct {
		succeed, fail int
		canceled      bool
		want          core.TaskResult
		failure       core.Code
	}{
		"all":              {succeed: 3, want: core.TaskResult{Status: core.StatusSuccess, TotalCount: 3, SuccessCount: 3, Modes: modes(3)}},
		"some":             {succeed: 2, fail: 1, want: core.TaskResult{Status: core.StatusPartial, TotalCount: 3, SuccessCount: 2, FailedCount: 1, Modes: modes(2)}},
		"none":             {fail: 3, want: core.TaskResult{Status: core.StatusError, TotalCount: 3, FailedCount: 3, Modes: modes(0)}, failure: core.CodeDevice},
		"lost by workflow": {succeed: 1, want: core.TaskResult{Status: core.StatusPartial, TotalCount: 3, SuccessCount: 1, FailedCount: 2, Modes: modes(1)}},
		"canceled":         {succeed: 1, canceled: true, want: core.TaskResult{Status: core.StatusCanceled, TotalCount: 3, SuccessCount: 1, FailedCount: 2, Modes: modes(1)}, failure: core.CodeCanceled},
	} {
		n := f.running(3)
		require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID}), name)
		for i := range test.succeed {
			f.finish(n.Items[i])
		}
		for i := range test.fail {
			require.NoError(t, f.FailItem(ctx, n.Items[test.succeed+i], once, core.Failure{Stage: first, Code: core.CodeDevice, Message: "x"}))
		}
		for range 2 {
			got, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID, Canceled: test.canceled})
			require.NoError(t, err, name)
			require.Equal(t, test.want, got, name)
		}
		// A late cancel does not change how it ended.
		got, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID, Canceled: true})
		require.NoError(t, err, name)
		require.Equal(t, test.want, got, name)
		task := f.TaskOf(n.ID)
		test.want.Modes = nil
		require.Equal(t, test.want, task.Result(), name)
		if test.failure == "" {
			require.Nil(t, task.Failure, name)
		} else {
			require.Equal(t, test.failure, task.Failure.Code, name)
		}
		recordstest.RequireCode(t, core.CodeConflict, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID}))
		_, err = f.RequestCancel(ctx, tenant, n.ID)
		recordstest.RequireCode(t, core.CodeConflict, err)
	}
	_, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: "absent"})
	recordstest.RequireCode(t, core.CodeNotFound, err)
	recordstest.RequireCode(t, core.CodeNotFound, f.StartTask(ctx, core.StartTaskInput{TaskID: "absent"}))
	_, err = f.RequestCancel(ctx, tenant, "absent")
	recordstest.RequireCode(t, core.CodeNotFound, err)
}

func TestRequestCancel(t *testing.T) {
	f := open(t)
	n := f.running(1)
	first, err := f.RequestCancel(t.Context(), tenant, n.ID)
	require.NoError(t, err)
	again, err := f.RequestCancel(t.Context(), tenant, n.ID)
	require.NoError(t, err)
	require.Equal(t, first.CancelRequestedAt, again.CancelRequestedAt)
	require.Equal(t, core.StatusRunning, again.Status)
}

// Pages of one task end at once while it is ended, from two processes: nothing is counted twice or lost, and nobody
// deadlocks.
func TestCountsUnderRace(t *testing.T) {
	f := open(t)
	other := recordstest.Join(t, f.URL)
	const pages, rounds = 6, 20
	for round := range rounds {
		n := f.running(pages)
		start := make(chan struct{})
		var group errgroup.Group
		for i, page := range n.Items {
			run := runOf(page, third, 1)
			f.Begin(run)
			store := []*records.Store{f.Store, other}[i%2]
			group.Go(func() error {
				<-start
				err := store.FinishItem(t.Context(), run, resultOf(page))
				if core.CodeOf(err) == core.CodeConflict {
					return nil
				}
				return err
			})
		}
		group.Go(func() error {
			<-start
			for range round % 4 { // some rounds end later than others
				if err := other.Ping(t.Context()); err != nil {
					return err
				}
			}
			_, err := other.FinishTask(t.Context(), core.FinishTaskInput{TaskID: n.ID, Canceled: true})
			return err
		})
		close(start)
		require.NoError(t, group.Wait())
		task := f.TaskOf(n.ID)
		require.Equal(t, pages, task.SuccessCount+task.FailedCount)
		require.Equal(t, []string{fmt.Sprint(task.SuccessCount)}, f.Rows(`SELECT count(*) FROM item WHERE status = 'success' AND task_id = $1`, n.ID))
		require.Empty(t, f.Rows(`SELECT 1 FROM stage_run WHERE outcome = 'running'`))
	}
}
