package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// StartTask marks a queued task as running, and one that was paused before it started as started; one that runs already stays
// as it is. It fails with [core.CodeConflict] for a task that has ended or was retried since, and with [core.CodeNotFound]
// for a deleted one.
func (s *Store) StartTask(ctx context.Context, in core.StartTaskInput) error {
	var before core.Status
	var retry int
	err := s.pool.QueryRow(ctx, `
		WITH started AS (
			UPDATE task SET status = CASE status WHEN 'queued' THEN 'running' ELSE status END, started_at = now(), updated_at = now(),
				dispatched_at = coalesce(dispatched_at, now())
			WHERE id = @id AND retry_count = @retry AND (status = 'queued' OR status = 'paused' AND started_at IS NULL)
		)
		SELECT status, retry_count FROM task WHERE id = @id`, pgx.NamedArgs{"id": in.TaskID, "retry": in.Retry}).Scan(&before, &retry)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return notFound("task", in.TaskID)
	case err != nil:
		return Wrap(err, "start a task")
	case before.Ended():
		return core.Errorf(core.CodeConflict, "task %s has ended", in.TaskID)
	case retry != in.Retry:
		return core.Errorf(core.CodeConflict, "task %s was retried", in.TaskID)
	}
	return nil
}

// RequestCancel records that the client cancels the task, so that the request survives a crash. It fails with
// [core.CodeConflict] when the task has ended.
func (s *Store) RequestCancel(ctx context.Context, tenant, id string) (Task, error) {
	t, err := s.queryTask(ctx, `
		UPDATE task SET cancel_requested_at = coalesce(cancel_requested_at, now()), updated_at = now()
		WHERE tenant = @tenant AND id = @id AND ended_at IS NULL RETURNING `+taskColumns,
		pgx.NamedArgs{"tenant": tenant, "id": id})
	if !errors.Is(err, pgx.ErrNoRows) {
		return t, Wrap(err, "cancel a task")
	}
	if _, err := s.Task(ctx, tenant, id); err != nil {
		return Task{}, err
	}
	return Task{}, core.Errorf(core.CodeConflict, "task %s has ended", id)
}

// ending is how a task ends when not all its items have ended.
type ending struct {
	// itemStatus and failure are for items that have not ended.
	itemStatus core.Status
	failure    core.Failure
	// override, when not empty, is the status of the task whatever its items are.
	override core.Status
	// own says that failure is also the task's, when it cut off any item.
	own bool
	// result, when not nil, is why the task has no result although its items have ended.
	result *core.Failure
	// seen, when not nil, is the state that the task must still be in.
	seen *Task
	// retry is the retry count that the task must have.
	retry int
}

const (
	stillSeen = `SELECT FROM task WHERE id = @id AND ended_at IS NULL AND retry_count = @retry
		AND (@status = '' OR (status = @status AND updated_at = @updated))`

	endItems = `
WITH ended AS (
	UPDATE item SET status = @item_status, failure_code = @code, failure_message = @message, ended_at = now(),
		failure_stage = (SELECT r.failure_stage FROM stage_run r
			WHERE r.task_id = item.task_id AND r.item_index = item.item_index AND r.stage = item.stage ORDER BY r.attempt DESC LIMIT 1)
	WHERE task_id = @id AND ended_at IS NULL AND EXISTS (` + stillSeen + `)
	RETURNING task_id, item_index
)
UPDATE stage_run r SET outcome = 'failure', code = @code, ended_at = now()
FROM ended e WHERE r.task_id = e.task_id AND r.item_index = e.item_index AND r.outcome = 'running'`

	endTask = `
UPDATE task SET
	status = CASE WHEN @override <> '' THEN @override WHEN c.failed = 0 THEN 'success' WHEN c.success = 0 THEN 'error' ELSE 'partial' END,
	success_count = c.success, failed_count = c.failed,
	failure_stage = CASE WHEN @result_code <> '' THEN @result_stage WHEN NOT c.cut THEN f.failure_stage END,
	failure_code = CASE WHEN @result_code <> '' THEN @result_code WHEN c.cut THEN @code ELSE f.failure_code END,
	failure_message = CASE WHEN @result_code <> '' THEN @result_message WHEN c.cut THEN @message ELSE f.failure_message END,
	ended_at = now(), updated_at = now()
FROM (
	SELECT count(*) FILTER (WHERE status = 'success') AS success, count(*) FILTER (WHERE status <> 'success') AS failed,
		@own AND bool_or(coalesce(failure_code = @code, false)) AS cut
	FROM item WHERE task_id = @id
) c
LEFT JOIN LATERAL (
	SELECT failure_stage, failure_code, failure_message FROM item
	WHERE task_id = @id AND failure_code IS NOT NULL AND c.success = 0 ORDER BY item_index LIMIT 1
) f ON true
WHERE task.id = @id AND EXISTS (` + stillSeen + `)`

	countModes = `SELECT mode, count(*) FROM item WHERE task_id = @id AND status = 'success' AND mode IS NOT NULL GROUP BY mode`
)

// end ends a task as e says, and returns it with the number of its successful items by mode; changed is false when it had ended,
// or changed since it was seen.
func (s *Store) end(ctx context.Context, id string, e ending) (t Task, modes map[core.Mode]int, changed bool, err error) {
	args := pgx.NamedArgs{
		"id": id, "item_status": e.itemStatus, "code": e.failure.Code, "message": e.failure.Message,
		"override": string(e.override), "own": e.own, "retry": e.retry, "status": "", "updated": nil,
		"result_stage": "", "result_code": "", "result_message": "",
	}
	if e.result != nil {
		args["result_stage"], args["result_code"], args["result_message"] = string(e.result.Stage), string(e.result.Code), Clean(e.result.Message)
	}
	if e.seen != nil {
		args["status"], args["updated"] = string(e.seen.Status), e.seen.UpdatedAt
	}
	rows, err := s.Write(ctx, id,
		Statement{SQL: endItems, Args: args},
		Statement{SQL: endTask, Args: args},
		Statement{SQL: `SELECT ` + taskColumns + ` FROM task WHERE id = @id`, Args: args, Read: One(&t, scanTask)},
		Statement{SQL: countModes, Args: args, Read: func(rows pgx.Rows) (err error) {
			modes, err = collectCounts[core.Mode](rows)
			return err
		}},
	)
	if errors.Is(err, pgx.ErrNoRows) {
		return Task{}, nil, false, notFound("task", id)
	}
	if err != nil {
		return Task{}, nil, false, Wrap(err, "end a task")
	}
	return t, modes, rows[1] > 0, nil
}

// FinishTask ends a task: the counts and the status come from its items, and Canceled or Failure overrides the status. Items that
// have not ended become failed, as canceled or, when the workflow lost them, as an internal fault. An ended task
// stays as it is, and the same result is returned; so does one that was retried since.
func (s *Store) FinishTask(ctx context.Context, in core.FinishTaskInput) (core.TaskResult, error) {
	e := ending{
		itemStatus: core.StatusError,
		failure:    core.Failure{Code: core.CodeInternal, Message: "the task ended without this item"},
		retry:      in.Retry,
	}
	if in.Failure != nil {
		e.override, e.result = core.StatusError, in.Failure
	}
	if in.Canceled {
		e = ending{
			itemStatus: core.StatusCanceled,
			failure:    core.Failure{Code: core.CodeCanceled, Message: "canceled"},
			override:   core.StatusCanceled,
			own:        true,
			retry:      in.Retry,
		}
	}
	t, modes, _, err := s.end(ctx, in.TaskID, e)
	result := t.Result()
	result.Modes = modes
	return result, err
}

// MarkTerminated ends a task whose workflow is gone without having ended it. Its unfinished items fail with
// [core.CodeTerminated], which is also the task's failure; its status follows from its items. Nothing happens, and the
// result is false, when the task is no longer as it was seen.
func (s *Store) MarkTerminated(ctx context.Context, seen Task) (bool, error) {
	_, _, changed, err := s.end(ctx, seen.ID, ending{
		itemStatus: core.StatusError,
		failure:    core.Failure{Code: core.CodeTerminated, Message: "the workflow was terminated"},
		own:        true,
		seen:       &seen,
		retry:      seen.RetryCount,
	})
	return changed, err
}

// collectCounts reads rows of a word and a number.
func collectCounts[K ~string](rows pgx.Rows) (map[K]int, error) {
	counts := make(map[K]int)
	var key K
	var count int
	_, err := pgx.ForEachRow(rows, []any{&key, &count}, func() error {
		counts[key] = count
		return nil
	})
	return counts, err
}

// A task that has not started returns to the queue.
const setPaused = `
UPDATE task SET pause_revision = pause_revision + 1, updated_at = now(),
	status = CASE WHEN @paused THEN 'paused' WHEN started_at IS NULL THEN 'queued' ELSE 'running' END
WHERE tenant = @tenant AND id = @id AND ended_at IS NULL AND (status = 'paused') <> @paused RETURNING ` + taskColumns

// SetPaused pauses or resumes a task; one that is in that state already stays as it is. It fails with [core.CodeConflict] when
// the task has ended, and with [core.CodeNotFound].
func (s *Store) SetPaused(ctx context.Context, tenant, id string, paused bool) (Task, error) {
	t, err := s.queryTask(ctx, setPaused, pgx.NamedArgs{"tenant": tenant, "id": id, "paused": paused})
	if !errors.Is(err, pgx.ErrNoRows) {
		return t, Wrap(err, "pause or resume a task")
	}
	if t, err = s.Task(ctx, tenant, id); err == nil && t.Status.Ended() {
		return Task{}, core.Errorf(core.CodeConflict, "task %s has ended", id)
	}
	return t, err
}

// CheckPaused fails with [core.CodePaused] while the task is paused. A task without a record is not paused.
func (s *Store) CheckPaused(ctx context.Context, id string) error {
	var paused bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM task WHERE id = $1 AND status = 'paused')`, id).Scan(&paused)
	if err != nil {
		return Wrap(err, "read whether a task is paused")
	}
	if paused {
		return core.NewError(core.CodePaused, "the task is paused")
	}
	return nil
}
