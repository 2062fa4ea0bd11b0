package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// StartTask marks a queued task as running, and one that was paused before it began as begun; one that runs already stays
// as it is. It fails with [core.CodeConflict] for a task that has ended or was asked for again since, and with
// [core.CodeNotFound] for a deleted one.
func (s *Store) StartTask(ctx context.Context, in core.StartTaskInput) error {
	var before core.Status
	var retry int
	err := s.pool.QueryRow(ctx, `
		WITH started AS (
			UPDATE task SET status = CASE status WHEN 'queued' THEN 'running' ELSE status END, started_at = now(), updated_at = now()
			WHERE id = @id AND retry_count = @retry AND (status = 'queued' OR status = 'paused' AND started_at IS NULL)
		)
		SELECT status, retry_count FROM task WHERE id = @id`, pgx.NamedArgs{"id": in.TaskID, "retry": in.Retry}).Scan(&before, &retry)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return notFound("task", in.TaskID)
	case err != nil:
		return wrap(err, "start a task")
	case before.Ended():
		return core.Errorf(core.CodeConflict, "task %s has ended", in.TaskID)
	case retry != in.Retry:
		return core.Errorf(core.CodeConflict, "task %s was asked for again", in.TaskID)
	}
	return nil
}

// RequestCancel remembers that the client wants the task to stop, so that the wish survives a crash. It fails with
// [core.CodeConflict] when the task has ended.
func (s *Store) RequestCancel(ctx context.Context, tenant, id string) (Task, error) {
	t, err := s.queryTask(ctx, `
		UPDATE task SET cancel_requested_at = coalesce(cancel_requested_at, now()), updated_at = now()
		WHERE tenant = @tenant AND id = @id AND ended_at IS NULL RETURNING `+taskColumns,
		pgx.NamedArgs{"tenant": tenant, "id": id})
	if !errors.Is(err, pgx.ErrNoRows) {
		return t, wrap(err, "cancel a task")
	}
	if _, err := s.Task(ctx, tenant, id); err != nil {
		return Task{}, err
	}
	return Task{}, core.Errorf(core.CodeConflict, "task %s has ended", id)
}

// ending is how a task ends when not all its pages have.
type ending struct {
	// pageStatus and failure are for pages that have not ended.
	pageStatus core.Status
	failure    core.Failure
	// override, when not empty, is the status of the task whatever its pages are.
	override core.Status
	// own says that failure is also the task's, when it cut off any page.
	own bool
	// seen, when not nil, is the state that the task must still be in.
	seen *Task
	// retry is how often the task must have been asked for again.
	retry int
}

const (
	stillSeen = `SELECT FROM task WHERE id = @id AND ended_at IS NULL AND retry_count = @retry
		AND (@status = '' OR (status = @status AND updated_at = @updated))`

	endPages = `
WITH ended AS (
	UPDATE page SET status = @page_status,
		failure_stage = CASE WHEN stage = 'page' AND mode = 'fallback_to_unified' THEN 'fallback' ELSE stage END,
		failure_code = @code, failure_message = @message,
		ended_at = now()
	WHERE task_id = @id AND ended_at IS NULL AND EXISTS (` + stillSeen + `)
	RETURNING task_id, page_index
)
UPDATE stage_run r SET outcome = 'failure', code = @code, ended_at = now()
FROM ended e WHERE r.task_id = e.task_id AND r.page_index = e.page_index AND r.outcome = 'running'`

	endTask = `
UPDATE task SET
	status = CASE WHEN @override <> '' THEN @override WHEN c.failed = 0 THEN 'success' WHEN c.success = 0 THEN 'error' ELSE 'partial' END,
	success_count = c.success, failed_count = c.failed, fallback_count = c.fallback,
	failure_stage = CASE WHEN NOT c.cut THEN f.failure_stage END,
	failure_code = CASE WHEN c.cut THEN @code ELSE f.failure_code END,
	failure_message = CASE WHEN c.cut THEN @message ELSE f.failure_message END,
	ended_at = now(), updated_at = now()
FROM (
	SELECT count(*) FILTER (WHERE status = 'success') AS success, count(*) FILTER (WHERE status <> 'success') AS failed,
		count(*) FILTER (WHERE status = 'success' AND mode = 'fallback_to_unified') AS fallback,
		@own AND bool_or(coalesce(failure_code = @code, false)) AS cut
	FROM page WHERE task_id = @id
) c
LEFT JOIN LATERAL (
	SELECT failure_stage, failure_code, failure_message FROM page
	WHERE task_id = @id AND failure_code IS NOT NULL AND c.success = 0 ORDER BY page_index LIMIT 1
) f ON true
WHERE task.id = @id AND EXISTS (` + stillSeen + `)`
)

// end ends a task as e says, and returns it; changed is false when it had ended, or changed since it was seen.
func (s *Store) end(ctx context.Context, id string, e ending) (t Task, changed bool, err error) {
	args := pgx.NamedArgs{
		"id": id, "page_status": e.pageStatus, "code": e.failure.Code, "message": e.failure.Message,
		"override": string(e.override), "own": e.own, "retry": e.retry, "status": "", "updated": nil,
	}
	if e.seen != nil {
		args["status"], args["updated"] = string(e.seen.Status), e.seen.UpdatedAt
	}
	read := statement{sql: `SELECT ` + taskColumns + ` FROM task WHERE id = @id`, args: args, scan: func(r pgx.BatchResults) error {
		rows, err := r.Query()
		if err != nil {
			return err
		}
		t, err = pgx.CollectExactlyOneRow(rows, scanTask)
		return err
	}}
	rows, err := s.write(ctx, id, statement{sql: endPages, args: args}, statement{sql: endTask, args: args}, read)
	if errors.Is(err, pgx.ErrNoRows) {
		return Task{}, false, notFound("task", id)
	}
	if err != nil {
		return Task{}, false, wrap(err, "end a task")
	}
	return t, rows[1] > 0, nil
}

// FinishTask ends a task: the counts and the status come from its pages, and Canceled overrides the status. Pages that
// have not ended become failed, as canceled or, when the workflow lost them, as an internal fault. An ended task
// stays as it is, and the same result is returned; so does one that was asked for again since.
func (s *Store) FinishTask(ctx context.Context, in core.FinishTaskInput) (core.TaskResult, error) {
	e := ending{
		pageStatus: core.StatusError,
		failure:    core.Failure{Code: core.CodeInternal, Message: "the task ended without this page"},
		retry:      in.Retry,
	}
	if in.Canceled {
		e = ending{
			pageStatus: core.StatusCanceled,
			failure:    core.Failure{Code: core.CodeCanceled, Message: "canceled"},
			override:   core.StatusCanceled,
			own:        true,
			retry:      in.Retry,
		}
	}
	t, _, err := s.end(ctx, in.TaskID, e)
	if err != nil {
		return core.TaskResult{}, err
	}
	result := t.Result()
	err = s.pool.QueryRow(ctx, `SELECT count(*) FROM region r WHERE r.task_id = $1 AND `+untranslated, in.TaskID).Scan(&result.UntranslatedCount)
	return result, wrap(err, "count the regions left untranslated")
}

// MarkTerminated ends a task whose workflow is gone without having ended it. Its unfinished pages fail with
// [core.CodeTerminated], which is also the task's failure; its status follows from its pages. Nothing happens, and the
// result is false, when the task is no longer as it was seen.
func (s *Store) MarkTerminated(ctx context.Context, seen Task) (bool, error) {
	_, changed, err := s.end(ctx, seen.ID, ending{
		pageStatus: core.StatusError,
		failure:    core.Failure{Code: core.CodeTerminated, Message: "the workflow was terminated"},
		own:        true,
		seen:       &seen,
		retry:      seen.RetryCount,
	})
	return changed, err
}
