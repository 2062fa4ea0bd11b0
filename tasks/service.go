package tasks

import (
	"context"
	"io"
	"log/slog"
	"sync"

	"go.temporal.io/sdk/client"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/records"
)

// Kind is what tasks of a kind need besides what all tasks share. Name and WriteResult are required.
type Kind struct {
	Name core.Kind
	// WriteResult writes what a task that has ended has made; at least one item has succeeded. It fails before the first byte
	// with BLOB_MISSING.
	WriteResult func(ctx context.Context, w io.Writer, t records.Task) error
	// Deleting are statements that are run before the rows of a task are deleted.
	Deleting func(tenant, taskID string) []records.Statement
	// FilesInUse is the SQL condition on a task t that keeps its files from retention.
	FilesInUse string
	// Sweep applies edits that wait although nobody works on them, and returns their number.
	Sweep func(ctx context.Context) (edited int, err error)
}

// Deps are what a service works with.
type Deps struct {
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	// Kinds are the kinds of the tasks.
	Kinds []Kind
	// Window is the number of items of a task in flight. Defaults to that of the workflow.
	Window int
	// Retention is kept by the sweeper.
	Retention Retention
	Log       *slog.Logger
	// Metrics may be nil.
	Metrics *Metrics
}

// Service accepts tasks of every kind and sees them through. It is safe for concurrent use, and several processes may have one
// each.
type Service struct {
	records  *records.Store
	blobs    blob.Store
	temporal client.Client
	kinds    map[core.Kind]Kind
	window   int
	// retention is that of Deps, with its defaults.
	retention Retention
	log       *slog.Logger
	metrics   *Metrics

	// sweeping keeps sweeps of this process apart, and guards where the last one stopped.
	sweeping         sync.Mutex
	unstarted, stale records.Cursor
}

// New makes a service.
func New(d Deps) *Service {
	s := &Service{
		records: d.Records, blobs: d.Blobs, temporal: d.Temporal, kinds: map[core.Kind]Kind{}, window: d.Window, log: d.Log,
		retention: d.Retention, metrics: d.Metrics,
	}
	for _, k := range d.Kinds {
		s.kinds[k.Name] = k
	}
	if s.retention.Uploads <= 0 {
		s.retention.Uploads = defaultUploads
	}
	return s
}
