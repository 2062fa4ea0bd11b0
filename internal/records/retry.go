package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	lockTask = `SELECT ` + taskColumns + ` FROM task WHERE tenant = @tenant AND id = @id FOR UPDATE`

	// What earlier stages found and what was paid for stays: the later steps find it. Attempts continue their count, so that no
	// late attempt from before the retry is taken for one after it.
	reopenItems = `
UPDATE item SET status = 'queued', stage = NULL, mode = NULL, failure_stage = NULL, failure_code = NULL, failure_message = NULL,
	started_at = NULL, ended_at = NULL,
	attempts_before = (SELECT coalesce(max(r.attempt), 1) FROM stage_run r WHERE r.task_id = item.task_id AND r.item_index = item.item_index)
WHERE task_id = @id AND status IN ('error', 'canceled')`

	reopenTask = `
UPDATE task SET status = 'queued', retry_count = retry_count + 1, failed_count = 0, failure_stage = NULL, failure_code = NULL,
	failure_message = NULL, started_at = NULL, ended_at = NULL, cancel_requested_at = NULL, updated_at = now()
WHERE id = @id RETURNING ` + taskColumns
)

// RetryTask queues the failed items of a task that ended as partial or error once more, and leaves the others as they
// are. A task that is being retried already stays as it is. It fails with
// [core.CodeConflict] for any other task, with [core.CodeRateLimited] when no more tasks of the tenant may wait, and with
// [core.CodeNotFound].
func (s *Store) RetryTask(ctx context.Context, tenant, id string) (t Task, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "id": id}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		// The locks are taken in the order of [Store.DispatchTask].
		if _, err := tx.Exec(ctx, `SELECT FROM tenant WHERE name = @tenant FOR NO KEY UPDATE`, args); err != nil {
			return err
		}
		if t, err = taskOf(ctx, tx, lockTask, args); err != nil {
			return err
		}
		if !t.Status.Ended() && t.RetryCount > 0 {
			return nil
		}
		if err := t.retryable(); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, reopenItems, args); err != nil {
			return err
		}
		if t, err = taskOf(ctx, tx, reopenTask, args); err != nil {
			return err
		}
		admit := []Statement{admitTask(id, tenant, 0, &t.TokensCharged)}
		_, err = run(tx.SendBatch(ctx, batchOf(admit)), admit)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Task{}, notFound("task", id)
	}
	return t, Wrap(err, "retry a task")
}

// retryable says why the task cannot be retried.
func (t Task) retryable() error {
	switch {
	case !t.Status.Ended():
		return core.Errorf(core.CodeConflict, "task %s has not ended: it is %s", t.ID, t.Status)
	case t.Status == core.StatusSuccess:
		return core.Errorf(core.CodeConflict, "no item of task %s failed", t.ID)
	case t.Status == core.StatusCanceled:
		return core.Errorf(core.CodeConflict, "task %s was canceled: create a new one", t.ID)
	case t.FilesRemovedAt != nil:
		return core.Errorf(core.CodeConflict, "the files of task %s are no longer kept", t.ID)
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
