package records_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/internal/comic"
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

func (f fixture) connect() *pgx.Conn {
	f.t.Helper()
	config, err := pgx.ParseConfig(f.url)
	require.NoError(f.t, err)
	config.RuntimeParams["timezone"] = "UTC"
	conn, err := pgx.ConnectConfig(f.t.Context(), config)
	require.NoError(f.t, err)
	return conn
}

// sql runs statements on a connection of its own.
func (f fixture) sql(sql string, args ...any) {
	f.t.Helper()
	conn := f.connect()
	defer func() { _ = conn.Close(context.Background()) }()
	_, err := conn.Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

// rows reads the rows of a query as text, without nulls, for comparing.
func (f fixture) rows(sql string, args ...any) []string {
	f.t.Helper()
	conn := f.connect()
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(f.t.Context(), sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	require.NoError(f.t, err)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var words []string
		for _, value := range row.RawValues() {
			if value != nil {
				words = append(words, string(value))
			}
		}
		return strings.Join(words, " "), nil
	})
	require.NoError(f.t, err)
	return list
}

// blobOf names a blob by a word.
func blobOf(content string) core.BlobRef {
	return core.NewBlobRef(sha256.Sum256([]byte(content)))
}

// newTask describes a task of n pages whose blobs nobody else has.
func newTask(n int) records.NewTask {
	id := uuid.NewString()
	task := records.NewTask{
		ID: id, Tenant: tenant, Kind: comic.Kind, Title: "Chapter 1",
		Options: comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit},
	}
	for i := range n {
		name := fmt.Sprintf("%03d.png", i+1)
		task.Pages = append(task.Pages, core.Item{TaskID: id, Tenant: tenant, Index: i, Name: name, Blob: blobOf(id + name)})
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

func (f fixture) page(ref core.Item) records.Page {
	f.t.Helper()
	page, err := f.Page(f.t.Context(), ref.TaskID, ref.Index)
	require.NoError(f.t, err)
	return page
}

func runOf(page core.Item, stage core.Stage, attempt int) records.StageRun {
	return records.StageRun{Page: page, Stage: stage, Attempt: attempt, Mode: comic.ModeSplit, Host: "gpu-1"}
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

// requireCode demands an error of the code.
func requireCode(tb testing.TB, code core.Code, err error) {
	tb.Helper()
	require.Error(tb, err)
	require.Equal(tb, code, core.CodeOf(err), "error: %v", err)
}
