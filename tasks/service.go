package tasks

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"golang.org/x/sync/semaphore"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/records"
)

// Kind is what a kind adds to the tasks of all kinds. Name and WriteResult are required.
type Kind struct {
	Name core.Kind
	// WriteResult writes the result.
	WriteResult WriteResult
	// Formats write the result in another form, by its name; nil means that there is none.
	Formats map[string]WriteResult
	// Deleting returns statements that are run before the rows of a task are deleted.
	Deleting func(tenant, taskID string) []records.Statement
	// Lifetime is how long an ended task of the kind is kept, where the retention of tasks keeps it longer; 0 means as long as that.
	Lifetime time.Duration
	// FilesInUse is an SQL condition on a task t; while it holds, retention keeps the task's files.
	FilesInUse string
	// Sweep applies waiting edits that no workflow processes, and returns their number.
	Sweep func(ctx context.Context) (edited int, err error)
}

// WriteResult writes the result of an ended task in which at least one item has succeeded. It fails with BLOB_MISSING, before the first
// byte.
type WriteResult func(ctx context.Context, w io.Writer, t records.Task) error

// Deps are the dependencies of a service.
type Deps struct {
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	// Kinds are the kinds of the tasks.
	Kinds []Kind
	// Window is the number of items of a task in flight. Defaults to that of the workflow.
	Window int
	// Retention is enforced by the sweeper.
	Retention Retention
	// Webhooks says how long a message to a webhook is tried.
	Webhooks core.WebhookSchedule
	Log      *slog.Logger
	// Metrics may be nil.
	Metrics *Metrics
}

// maxCreating bounds the tasks that are written at once. More would only wait for database connections, and keep others waiting with them:
// the keys of further requests would not be looked up in time.
const maxCreating = 8

// Service accepts tasks of every kind and manages them to their end. It is safe for concurrent use, and several processes may each have
// one.
type Service struct {
	records  *records.Store
	blobs    blob.Store
	temporal client.Client
	kinds    map[core.Kind]Kind
	window   int
	// retention is the one of Deps with defaults.
	retention Retention
	webhooks  core.WebhookSchedule
	log       *slog.Logger
	metrics   *Metrics

	// creating bounds the tasks that are written at once.
	creating *semaphore.Weighted
	// sweeping allows one sweep at a time in this process, and guards the position where the last one stopped.
	sweeping         sync.Mutex
	unstarted, stale records.Cursor
}

// New makes a service.
func New(d Deps) *Service {
	s := &Service{
		records: d.Records, blobs: d.Blobs, temporal: d.Temporal, kinds: map[core.Kind]Kind{}, window: d.Window, log: d.Log,
		retention: d.Retention, webhooks: d.Webhooks, metrics: d.Metrics,
		creating: semaphore.NewWeighted(maxCreating),
	}
	for _, k := range d.Kinds {
		s.kinds[k.Name] = k
	}
	if s.retention.Uploads <= 0 {
		s.retention.Uploads = defaultUploads
	}
	return s
}
