package records

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// Task is a request of a client and its state.
type Task struct {
	ID, Tenant string
	Kind       core.Kind
	Title      string
	// Options are those of the kind, as a JSON object.
	Options json.RawMessage
	// Priority is from core.FirstPriority to core.LastPriority.
	Priority     int
	Status       core.Status
	TotalCount   int
	SuccessCount int
	FailedCount  int
	// Failure says why no item succeeded, or that the task was canceled or terminated.
	Failure *core.Failure
	// RetryCount is the number of retries of the failed items, and PauseRevision the number of pauses and resumes.
	RetryCount, PauseRevision             int
	IdempotencyKey, RequestHash           string
	CreatedAt, UpdatedAt                  time.Time
	StartedAt, EndedAt, CancelRequestedAt *time.Time
	// TokensCharged is what the tenant was charged for the task, in the answer of the call that created it.
	TokensCharged int64
	// FilesRemovedAt is when retention removed the files and results of the task.
	FilesRemovedAt *time.Time
	// CallbackURL is told of the end of the task; it may be empty.
	CallbackURL string
}

// Result is the status and the counts, without those by mode. Counts of a task that has not ended do not add up yet.
func (t Task) Result() core.TaskResult {
	return core.TaskResult{Status: t.Status, TotalCount: t.TotalCount, SuccessCount: t.SuccessCount, FailedCount: t.FailedCount}
}

const taskColumns = `id, tenant, kind, title, options, priority, status, total_count, success_count, failed_count,
	coalesce(failure_stage, ''), coalesce(failure_code, ''), coalesce(failure_message, ''),
	coalesce(idempotency_key, ''), request_hash, created_at, updated_at, started_at, ended_at, cancel_requested_at,
	retry_count, pause_revision, files_removed_at, coalesce(callback_url, '')`

func scanTask(row pgx.CollectableRow) (Task, error) {
	var t Task
	var failure core.Failure
	err := row.Scan(&t.ID, &t.Tenant, &t.Kind, &t.Title, &t.Options, &t.Priority, &t.Status,
		&t.TotalCount, &t.SuccessCount, &t.FailedCount,
		&failure.Stage, &failure.Code, &failure.Message,
		&t.IdempotencyKey, &t.RequestHash, &t.CreatedAt, &t.UpdatedAt, &t.StartedAt, &t.EndedAt, &t.CancelRequestedAt,
		&t.RetryCount, &t.PauseRevision, &t.FilesRemovedAt, &t.CallbackURL)
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
	return t, Wrap(err, "read a task")
}

// maxListed bounds one page of a listing.
const maxListed = 200

// TaskFilter selects tasks; an empty field selects all.
type TaskFilter struct {
	Status core.Status
	Kind   core.Kind
}

// ListTasks lists the tenant's tasks that the filter selects, the newest first: at most limit (1..200) after the cursor. The returned
// cursor continues the list; it is zero at the end.
func (s *Store) ListTasks(ctx context.Context, tenant string, f TaskFilter, limit int, after Cursor) ([]Task, Cursor, error) {
	limit = min(max(limit, 1), maxListed)
	if after.IsZero() {
		after = Cursor{At: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}
	}
	// Conditions of their own: the plan that a connection keeps finds few among many by its index.
	conditions := ""
	if f.Status != "" {
		conditions += " AND status = @status"
	}
	if f.Kind != "" {
		conditions += " AND kind = @kind"
	}
	rows, err := s.pool.Query(ctx, `SELECT `+taskColumns+` FROM task
		WHERE tenant = @tenant`+conditions+` AND (created_at, id) < (@at, @id)
		ORDER BY created_at DESC, id DESC LIMIT @limit`,
		pgx.NamedArgs{"tenant": tenant, "status": string(f.Status), "kind": string(f.Kind), "at": after.At, "id": after.ID, "limit": limit})
	if err != nil {
		return nil, Cursor{}, Wrap(err, "list tasks")
	}
	return collectTasks(rows, limit)
}

// collectTasks reads the tasks of one page of a listing; a full one has a next.
func collectTasks(rows pgx.Rows, limit int) ([]Task, Cursor, error) {
	list, err := pgx.CollectRows(rows, scanTask)
	if err != nil {
		return nil, Cursor{}, Wrap(err, "list tasks")
	}
	if len(list) < limit {
		return list, Cursor{}, nil
	}
	last := list[len(list)-1]
	return list, Cursor{At: last.CreatedAt, ID: last.ID}, nil
}

// UnstartedTasks lists at most limit tasks that are queued for longer than olderThan, the oldest first, after the cursor. It omits those
// that wait for a place among the running tasks of their tenant ([Store.WaitingTasks]).
// The returned cursor passes all that were listed, so that tasks which stay as they are do not hide later ones.
func (s *Store) UnstartedTasks(ctx context.Context, olderThan time.Duration, limit int, after Cursor) ([]Task, Cursor, error) {
	return s.sweepable(ctx, `status = 'queued' AND (dispatched_at IS NOT NULL OR cancel_requested_at IS NOT NULL OR NOT EXISTS (
		SELECT FROM tenant JOIN tier ON tier.name = tenant.tier WHERE tenant.name = task.tenant AND running_tasks IS NOT NULL)) AND created_at <= now() - make_interval(secs => @seconds)`, olderThan, limit, after)
}

// StaleTasks lists, in the same way, tasks that are running or paused and have not changed for longer than olderThan.
func (s *Store) StaleTasks(ctx context.Context, olderThan time.Duration, limit int, after Cursor) ([]Task, Cursor, error) {
	return s.sweepable(ctx, `status IN ('running', 'paused') AND updated_at <= now() - make_interval(secs => @seconds)`, olderThan, limit, after)
}

func (s *Store) sweepable(ctx context.Context, condition string, olderThan time.Duration, limit int, after Cursor) ([]Task, Cursor, error) {
	rows, err := s.pool.Query(ctx, `SELECT `+taskColumns+` FROM task
		WHERE `+condition+` AND (created_at, id) > (@at, @id) ORDER BY created_at, id LIMIT @limit`,
		pgx.NamedArgs{"seconds": olderThan.Seconds(), "at": after.At, "id": after.ID, "limit": limit})
	if err != nil {
		return nil, Cursor{}, Wrap(err, "list tasks to sweep")
	}
	return collectTasks(rows, limit)
}
