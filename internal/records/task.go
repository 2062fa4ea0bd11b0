package records

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
)

// Task is what a client asked for, and how it stands.
type Task struct {
	ID, Tenant    string
	Kind          core.Kind
	Title         string
	Options       comic.Options
	Status        core.Status
	TotalCount    int
	SuccessCount  int
	FailedCount   int
	FallbackCount int
	// Failure says why no page succeeded, or that the task was canceled or terminated.
	Failure *core.Failure
	// RetryCount is how often the failed pages were asked for again, and PauseRevision how often the task was paused or
	// resumed.
	RetryCount, PauseRevision             int
	IdempotencyKey, RequestHash           string
	CreatedAt, UpdatedAt                  time.Time
	StartedAt, EndedAt, CancelRequestedAt *time.Time
	// FilesRemovedAt is when retention took the images and results of the task.
	FilesRemovedAt *time.Time
}

// Result is the status and the counts; those of a task that has not ended do not add up yet.
func (t Task) Result() core.TaskResult {
	return core.TaskResult{
		Status: t.Status, TotalCount: t.TotalCount, SuccessCount: t.SuccessCount, FailedCount: t.FailedCount,
		FallbackCount: t.FallbackCount,
	}
}

const taskColumns = `id, tenant, kind, title, options, status, total_count, success_count, failed_count, fallback_count,
	coalesce(failure_stage, ''), coalesce(failure_code, ''), coalesce(failure_message, ''),
	coalesce(idempotency_key, ''), request_hash, created_at, updated_at, started_at, ended_at, cancel_requested_at,
	retry_count, pause_revision, files_removed_at`

func scanTask(row pgx.CollectableRow) (Task, error) {
	var t Task
	var failure core.Failure
	err := row.Scan(&t.ID, &t.Tenant, &t.Kind, &t.Title, &t.Options, &t.Status,
		&t.TotalCount, &t.SuccessCount, &t.FailedCount, &t.FallbackCount,
		&failure.Stage, &failure.Code, &failure.Message,
		&t.IdempotencyKey, &t.RequestHash, &t.CreatedAt, &t.UpdatedAt, &t.StartedAt, &t.EndedAt, &t.CancelRequestedAt,
		&t.RetryCount, &t.PauseRevision, &t.FilesRemovedAt)
	if failure.Code != "" {
		t.Failure = &failure
	}
	return t, err
}

// queryTask runs sql, which returns task columns, and takes its one row. ErrNoRows stays as it is.
func (s *Store) queryTask(ctx context.Context, sql string, args pgx.NamedArgs) (Task, error) {
	rows, err := s.pool.Query(ctx, sql, args)
	if err != nil {
		return Task{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanTask)
}

// Task reads a task of the tenant. It fails with [core.CodeNotFound], also for a task of another tenant.
func (s *Store) Task(ctx context.Context, tenant, id string) (Task, error) {
	t, err := s.queryTask(ctx, `SELECT `+taskColumns+` FROM task WHERE tenant = @tenant AND id = @id`,
		pgx.NamedArgs{"tenant": tenant, "id": id})
	if errors.Is(err, pgx.ErrNoRows) {
		return Task{}, notFound("task", id)
	}
	return t, wrap(err, "read a task")
}

// maxListed bounds one page of a listing.
const maxListed = 200

// ListTasks lists the tenant's tasks, the newest first: at most limit (1..200) after the cursor, of the given status or of
// any when it is empty. The returned cursor continues the list; it is zero at the end.
func (s *Store) ListTasks(ctx context.Context, tenant string, status core.Status, limit int, after Cursor) ([]Task, Cursor, error) {
	limit = min(max(limit, 1), maxListed)
	if after.IsZero() {
		after = Cursor{At: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}
	}
	ofStatus := ""
	if status != "" { // a condition of its own: the plan that a connection keeps finds few among many by its index
		ofStatus = "AND status = @status"
	}
	rows, err := s.pool.Query(ctx, `SELECT `+taskColumns+` FROM task
		WHERE tenant = @tenant `+ofStatus+` AND (created_at, id) < (@at, @id)
		ORDER BY created_at DESC, id DESC LIMIT @limit`,
		pgx.NamedArgs{"tenant": tenant, "status": string(status), "at": after.At, "id": after.ID, "limit": limit})
	if err != nil {
		return nil, Cursor{}, wrap(err, "list tasks")
	}
	return collectPage(rows, limit)
}

// collectPage reads the tasks of one page of a listing; a full one has a next.
func collectPage(rows pgx.Rows, limit int) ([]Task, Cursor, error) {
	list, err := pgx.CollectRows(rows, scanTask)
	if err != nil {
		return nil, Cursor{}, wrap(err, "list tasks")
	}
	if len(list) < limit {
		return list, Cursor{}, nil
	}
	last := list[len(list)-1]
	return list, Cursor{At: last.CreatedAt, ID: last.ID}, nil
}

// Entry is a file of the archive that a task came in.
type Entry struct {
	// Position is its place in the archive, from 0.
	Position int          `json:"position"`
	Name     string       `json:"name"`
	Blob     core.BlobRef `json:"blob,omitempty"` // empty for a page
	// PageIndex is the page, for a file that is one.
	PageIndex *int `json:"page_index,omitempty"`
}

// Entries lists the files of the archive in their order; none when the task came as images.
func (s *Store) Entries(ctx context.Context, taskID string) ([]Entry, error) {
	rows, err := s.pool.Query(ctx, `SELECT position, name, coalesce(blob, ''), page_index FROM task_entry
		WHERE task_id = $1 ORDER BY position`, taskID)
	if err != nil {
		return nil, wrap(err, "list entries")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Entry])
	return list, wrap(err, "list entries")
}
