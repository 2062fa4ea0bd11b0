package comicrecords_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

const tenant = "acme"

// fixture is a store with a plain connection beside it.
type fixture struct {
	comicrecords.Store
	url string
	t   testing.TB
}

func open(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	store, url := recordstest.Open(t)
	return fixture{Store: comicrecords.New(store), url: url, t: t}
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

// newTask describes a task of n pages whose blobs nobody else has.
func newTask(n int) records.NewTask {
	id := uuid.NewString()
	task := records.NewTask{
		ID: id, Tenant: tenant, Kind: comic.Kind, Title: "Chapter 1",
		Options: comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit}.JSON(),
	}
	for i := range n {
		name := fmt.Sprintf("%03d.png", i+1)
		task.Items = append(task.Items, core.Item{TaskID: id, Tenant: tenant, Index: i, Name: name, Blob: blobOf(id + name)})
	}
	return task
}

// running creates a task of n pages and starts it.
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

func (f fixture) page(ref core.Item) comicrecords.Page {
	f.t.Helper()
	page, err := f.Page(f.t.Context(), ref.TaskID, ref.Index)
	require.NoError(f.t, err)
	return page
}

func runOf(page core.Item, stage core.Stage, attempt int) records.StageRun {
	return records.StageRun{Item: page, Stage: stage, Rank: comic.Rank(stage), Attempt: attempt, Mode: comic.ModeSplit, Host: "gpu-1"}
}

// fallbackOf is the first attempt at the whole of a page that lost its detect context.
func fallbackOf(page core.Item) records.StageRun {
	return records.StageRun{
		Item: page, Stage: comic.StagePage, Rank: comic.Rank(comic.StagePage), FailureStage: comic.StageFallback, Attempt: 1, Mode: comic.ModeFallback,
	}
}

func (f fixture) counts(taskID string) comicrecords.Counts {
	f.t.Helper()
	counts, err := f.Counts(f.t.Context(), taskID)
	require.NoError(f.t, err)
	return counts[taskID]
}

func (f fixture) begin(run records.StageRun) {
	f.t.Helper()
	_, err := f.BeginStage(f.t.Context(), run)
	require.NoError(f.t, err)
}

// finish takes a page through render.
func (f fixture) finish(page core.Item) {
	f.t.Helper()
	run := runOf(page, comic.StageRender, 1)
	f.begin(run)
	require.NoError(f.t, f.FinishPage(f.t.Context(), run, resultOf(page, comic.ModeSplit)))
}

func resultOf(page core.Item, mode core.Mode) comic.PageOutput {
	return comic.PageOutput{
		Result: blobOf("result of " + page.String()), Mode: mode, OutputChanged: true, Regions: 2,
		Missing: "ᚠ", Elapsed: core.ElapsedMS{"render": 12, "total": 15},
	}
}

func requireCode(tb testing.TB, code core.Code, err error) {
	tb.Helper()
	recordstest.RequireCode(tb, code, err)
}
