package records_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

const tenant = "acme"

// fixture is a store with a plain connection beside it.
type fixture struct {
	*records.Store
	url string
	t   testing.TB
}

func open(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	store, url := recordstest.Open(t)
	return fixture{Store: store, url: url, t: t}
}

// sql runs statements on a connection of its own.
func (f fixture) sql(sql string, args ...any) {
	f.t.Helper()
	recordstest.Exec(f.t, f.url, sql, args...)
}

// rows reads the rows of a query as text.
func (f fixture) rows(sql string, args ...any) []string {
	f.t.Helper()
	return recordstest.Rows(f.t, f.url, sql, args...)
}

func blobOf(content string) core.BlobRef { return recordstest.BlobOf(content) }

// newTask describes a task of n items whose blobs nobody else has.
func newTask(n int) records.NewTask {
	id := uuid.NewString()
	task := records.NewTask{
		ID: id, Tenant: tenant, Kind: "any", Title: "Chapter 1", Options: json.RawMessage(`{"size": 1}`),
	}
	for i := range n {
		name := fmt.Sprintf("%03d.png", i+1)
		task.Items = append(task.Items, core.Item{TaskID: id, Tenant: tenant, Index: i, Name: name, Blob: blobOf(id + name)})
	}
	return task
}

// running creates a task of n items and starts it.
func (f fixture) running(n int) records.NewTask {
	f.t.Helper()
	task := newTask(n)
	f.create(task)
	require.NoError(f.t, f.StartTask(f.t.Context(), core.StartTaskInput{TaskID: task.ID}))
	return task
}

func (f fixture) create(task records.NewTask) {
	f.t.Helper()
	_, created, err := f.CreateTask(f.t.Context(), task)
	require.NoError(f.t, err)
	require.True(f.t, created)
}

func (f fixture) task(id string) records.Task {
	f.t.Helper()
	task, err := f.Task(f.t.Context(), tenant, id)
	require.NoError(f.t, err)
	return task
}

func (f fixture) item(ref core.Item) records.Item {
	f.t.Helper()
	item, err := f.Item(f.t.Context(), ref.TaskID, ref.Index)
	require.NoError(f.t, err)
	return item
}

// The stages of a kind, in their order, and its modes.
const (
	first, second, third core.Stage = "first", "second", "third"

	once, again core.Mode = "once", "again"
)

func runOf(item core.Item, stage core.Stage, attempt int) records.StageRun {
	rank := map[core.Stage]int{first: 0, second: 1, third: 2}[stage]
	return records.StageRun{Item: item, Stage: stage, Rank: rank, Attempt: attempt, Mode: once, Host: "gpu-1"}
}

func (f fixture) begin(run records.StageRun) {
	f.t.Helper()
	_, err := f.BeginStage(f.t.Context(), run)
	require.NoError(f.t, err)
}

// finish takes an item through its last stage.
func (f fixture) finish(item core.Item) {
	f.t.Helper()
	run := runOf(item, third, 1)
	f.begin(run)
	require.NoError(f.t, f.FinishItem(f.t.Context(), run, resultOf(item)))
}

func resultOf(item core.Item) records.Finished {
	return records.Finished{Mode: once, Result: blobOf("result of " + item.String()), Elapsed: core.ElapsedMS{"render": 12, "total": 15}}
}

func requireCode(tb testing.TB, code core.Code, err error) {
	tb.Helper()
	recordstest.RequireCode(tb, code, err)
}
