package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	lockTask = `SELECT ` + taskColumns + ` FROM task WHERE tenant = @tenant AND id = @id FOR UPDATE`

	// What a page was read as and what was paid for it stays: the step that comes there finds it. Attempts go on counting,
	// so that no late one of before is taken for one of now.
	reopenPages = `
UPDATE page SET status = 'queued', stage = NULL, mode = NULL, failure_stage = NULL, failure_code = NULL, failure_message = NULL,
	started_at = NULL, ended_at = NULL,
	attempts_before = (SELECT coalesce(max(r.attempt), 1) FROM stage_run r WHERE r.task_id = page.task_id AND r.page_index = page.page_index)
WHERE task_id = @id AND status IN ('error', 'canceled')`

	reopenTask = `
UPDATE task SET status = 'queued', retry_count = retry_count + 1, failed_count = 0, failure_stage = NULL, failure_code = NULL,
	failure_message = NULL, started_at = NULL, ended_at = NULL, cancel_requested_at = NULL, updated_at = now()
WHERE id = @id RETURNING ` + taskColumns
)

// RetryTask queues the failed pages of a task that ended as partial or error once more, and leaves the others as they
// are. A task whose failed pages were asked for again already, and that has not ended since, stays as it is. It fails with
// [core.CodeConflict] for any other task, and with [core.CodeNotFound].
func (s *Store) RetryTask(ctx context.Context, tenant, id string) (t Task, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "id": id}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if t, err = taskOf(ctx, tx, lockTask, args); err != nil {
			return err
		}
		if !t.Status.Ended() && t.RetryCount > 0 {
			return nil
		}
		if err := t.retryable(); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, reopenPages, args); err != nil {
			return err
		}
		t, err = taskOf(ctx, tx, reopenTask, args)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Task{}, notFound("task", id)
	}
	return t, wrap(err, "retry a task")
}

// retryable says why the failed pages of the task cannot be asked for again.
func (t Task) retryable() error {
	switch {
	case !t.Status.Ended():
		return core.Errorf(core.CodeConflict, "task %s has not ended: it is %s", t.ID, t.Status)
	case t.Status == core.StatusSuccess:
		return core.Errorf(core.CodeConflict, "no page of task %s failed", t.ID)
	case t.Status == core.StatusCanceled:
		return core.Errorf(core.CodeConflict, "task %s was canceled: ask for a new one", t.ID)
	case t.FilesRemovedAt != nil:
		return core.Errorf(core.CodeConflict, "the images of task %s are no longer kept", t.ID)
	}
	return nil
}

// taskOf takes the one row of task columns that sql returns.
func taskOf(ctx context.Context, tx pgx.Tx, sql string, args pgx.NamedArgs) (Task, error) {
	rows, err := tx.Query(ctx, sql, args)
	if err != nil {
		return Task{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanTask)
}
