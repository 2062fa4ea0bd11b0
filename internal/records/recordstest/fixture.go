package recordstest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
)

// Tenant owns the tasks of fixtures.
const Tenant = "acme"

// Fixture is an empty database of a test, with helpers that fail the test on any error.
type Fixture struct {
	T     testing.TB
	URL   string
	store *records.Store
}

// NewFixture opens a store on a database of its own.
func NewFixture(tb testing.TB) (*records.Store, Fixture) {
	tb.Helper()
	store, url := Open(tb)
	return store, Fixture{T: tb, URL: url, store: store}
}

// SQL runs a statement on a connection of its own.
func (f Fixture) SQL(sql string, args ...any) {
	f.T.Helper()
	Exec(f.T, f.URL, sql, args...)
}

// Rows reads the rows of a query as text.
func (f Fixture) Rows(sql string, args ...any) []string {
	f.T.Helper()
	return Rows(f.T, f.URL, sql, args...)
}

// NewTask describes a task of n items whose blobs no other task has.
func NewTask(kind core.Kind, options json.RawMessage, n int) records.NewTask {
	task := records.NewTask{ID: uuid.NewString(), Tenant: Tenant, Kind: kind, Title: "Chapter 1", Options: options}
	for i := range n {
		name := fmt.Sprintf("%03d.png", i+1)
		task.Items = append(task.Items, core.Item{TaskID: task.ID, Tenant: Tenant, Index: i, Name: name, Blob: BlobOf(task.ID + name)})
	}
	return task
}

// Create writes a task, which must be new.
func (f Fixture) Create(task records.NewTask) {
	f.T.Helper()
	_, created, err := f.store.CreateTask(f.T.Context(), task)
	require.NoError(f.T, err)
	require.True(f.T, created)
}

// Running creates a task and starts it.
func (f Fixture) Running(task records.NewTask) records.NewTask {
	f.T.Helper()
	f.Create(task)
	require.NoError(f.T, f.store.StartTask(f.T.Context(), core.StartTaskInput{TaskID: task.ID}))
	return task
}

// TaskOf reads a task.
func (f Fixture) TaskOf(id string) records.Task {
	f.T.Helper()
	task, err := f.store.Task(f.T.Context(), Tenant, id)
	require.NoError(f.T, err)
	return task
}

// Begin begins a run of a stage.
func (f Fixture) Begin(run records.StageRun) {
	f.T.Helper()
	_, err := f.store.BeginStage(f.T.Context(), run)
	require.NoError(f.T, err)
}
