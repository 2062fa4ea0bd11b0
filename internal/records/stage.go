package records

import (
	"cmp"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// StageRun names one attempt at one stage of one item; item, stage and attempt are its key.
type StageRun struct {
	Item  core.Item
	Stage core.Stage
	// Rank is the place of the stage in the order of its kind, 0 or more: a later stage supersedes the earlier ones.
	Rank int
	// Attempt counts from 1, and continues the count of the attempts before the last retry of the task.
	Attempt int
	Mode    core.Mode
	// FailureStage is the name of the stage in failures; Stage when empty.
	FailureStage core.Stage
	// Host is where it runs.
	Host string
}

// Args are the named arguments of statements about the run: task, item, before (attempts before the last retry), stage, rank,
// attempt, mode, failure_stage and host.
func (r StageRun) Args() pgx.NamedArgs {
	return pgx.NamedArgs{
		"task": r.Item.TaskID, "item": r.Item.Index, "before": r.Item.Attempts, "stage": r.Stage, "rank": r.Rank, "attempt": r.Attempt,
		"mode": r.Mode, "failure_stage": cmp.Or(r.FailureStage, r.Stage), "host": Clean(r.Host),
	}
}

const (
	// beginStage also closes the runs that this one supersedes: earlier attempts, and earlier stages. An attempt that
	// begins late, after a later one, closes nothing.
	beginStage = `
WITH open AS (
	UPDATE item SET status = 'running', stage = @stage, mode = @mode, percent = CASE WHEN item.stage IS NULL THEN 0 ELSE percent END, started_at = coalesce(item.started_at, now())
	FROM task WHERE task.id = @task AND task.ended_at IS NULL
		AND item.task_id = @task AND item.item_index = @item AND item.ended_at IS NULL AND item.attempts_before = @before
	RETURNING item.task_id, item.item_index
), lost AS (
	UPDATE stage_run r SET outcome = 'superseded', code = 'HOST_LOST', ended_at = now()
	FROM open WHERE r.task_id = open.task_id AND r.item_index = open.item_index AND r.outcome = 'running'
		AND (r.rank, r.attempt) < (@rank::integer, @attempt::integer)
), run AS (
	INSERT INTO stage_run (task_id, item_index, stage, attempt, rank, failure_stage, mode, host)
	SELECT task_id, item_index, @stage::text, @attempt::integer, @rank::integer, @failure_stage::text, @mode::text, @host::text FROM open
	ON CONFLICT (task_id, item_index, stage, attempt) DO UPDATE SET rank = excluded.rank, failure_stage = excluded.failure_stage,
		mode = excluded.mode, host = excluded.host, outcome = 'running',
		code = NULL, message = NULL, elapsed_ms = '{}', started_at = now(), ended_at = NULL
)
UPDATE task SET updated_at = now() FROM open WHERE task.id = open.task_id`

	// stageFailures counts the failed runs of the stage of an item by their codes. A run whose worker was lost, so that a later
	// one superseded it, has core.CodeHostLost. Those before the last retry of the task do not count.
	stageFailures = `SELECT code, count(*) FROM stage_run
	WHERE task_id = @task AND item_index = @item AND stage = @stage AND attempt > @before AND code IS NOT NULL GROUP BY code`
)

// Begun is an item as it stands when a run begins, and the failures of the earlier runs of the stage by their codes.
type Begun struct {
	Item
	Failures map[core.Code]int
}

// BeginStage opens a run, and returns the item as it then stands; details are statements of the kind that read more of it. For
// an item that has ended nothing is written: the step has nothing left to do, and an item that succeeded says what it made. It
// fails with [core.CodeNotFound] when the task was deleted, and with [core.CodeConflict] when the task was retried since.
func (s *Store) BeginStage(ctx context.Context, run StageRun, details ...Statement) (b Begun, err error) {
	args := run.Args()
	_, err = s.Write(ctx, run.Item.TaskID, append([]Statement{
		{SQL: beginStage, Args: args},
		{SQL: items.OfOne(), Args: args, Read: One(&b.Item, scanItem)},
		{SQL: stageFailures, Args: args, Read: func(rows pgx.Rows) (err error) {
			b.Failures, err = collectCounts[core.Code](rows)
			return err
		}},
	}, details...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return Begun{}, items.missing(run.Item.TaskID, run.Item.Index)
	}
	if err == nil && b.Ref.Attempts != run.Item.Attempts {
		return Begun{}, core.Errorf(core.CodeConflict, "%s was retried", run.Item)
	}
	return b, Wrap(err, "begin a stage")
}

// SavePercent writes how far the run is, from 0 to 100, for those who follow the task. It fails with [core.CodeConflict] as Save does.
func (s *Store) SavePercent(ctx context.Context, run StageRun, percent int) error {
	args := run.Args()
	args["percent"] = min(max(percent, 0), 100)
	return s.Save(ctx, run, Statement{SQL: `UPDATE item SET percent = @percent WHERE task_id = @task AND item_index = @item`, Args: args})
}

// EndStage closes a run that failed with code and a sentence about it, or that ended (code empty) without making anything
// that is saved. Runs that save what they made are closed by [StageRun.Close] or [Store.FinishItem].
func (s *Store) EndStage(ctx context.Context, run StageRun, code core.Code, message string, elapsed core.ElapsedMS) error {
	args := run.Args()
	args["code"], args["message"], args["elapsed"] = string(code), Clean(message), elapsedOf(elapsed)
	_, err := s.pool.Exec(ctx, `
		UPDATE stage_run SET outcome = CASE WHEN @code = '' THEN 'success' ELSE 'failure' END, code = nullif(@code, ''),
			message = nullif(@message, ''), elapsed_ms = @elapsed, ended_at = now()
		WHERE task_id = @task AND item_index = @item AND stage = @stage AND attempt = @attempt AND outcome = 'running'`, args)
	return Wrap(err, "end a stage")
}

// Close is the statement that closes the run as a success, for [Store.Save].
func (r StageRun) Close(elapsed core.ElapsedMS) Statement {
	args := r.Args()
	args["elapsed"] = elapsedOf(elapsed)
	return Statement{SQL: `UPDATE stage_run SET outcome = 'success', code = NULL, elapsed_ms = @elapsed, ended_at = now()
		WHERE task_id = @task AND item_index = @item AND stage = @stage AND attempt = @attempt`, Args: args}
}

// elapsedOf keeps a nil map from becoming a JSON null.
func elapsedOf(e core.ElapsedMS) core.ElapsedMS {
	if e == nil {
		return core.ElapsedMS{}
	}
	return e
}

// Save runs statements of a kind that write what a run made. They are one transaction, and take effect only while the run may
// write: its item is running, its task has not ended, and no later run has superseded it. Otherwise it fails with
// [core.CodeConflict].
func (s *Store) Save(ctx context.Context, run StageRun, statements ...Statement) error {
	_, err := s.Write(ctx, run.Item.TaskID, run.guarded(statements,
		Statement{SQL: `UPDATE task SET updated_at = now() WHERE id = @task`, Args: run.Args()})...)
	return err
}

// guarded are the statements after one that fails, and ends their transaction, unless the run may write.
func (r StageRun) guarded(statements []Statement, last Statement) []Statement {
	guard := Statement{SQL: `SELECT require_run(@task, @item, @before, @stage, @attempt)`, Args: r.Args()}
	return append(append([]Statement{guard}, statements...), last)
}

// Finished is how an item succeeded.
type Finished struct {
	Mode    core.Mode
	Result  core.BlobRef
	Elapsed core.ElapsedMS
}

// finishItem also closes what earlier attempts left open, and counts the item in its task.
const finishItem = `
WITH written AS (
	UPDATE item SET status = 'success', mode = @mode, percent = CASE percent WHEN 0 THEN 0 ELSE 100 END, result_blob = @result, elapsed_ms = @elapsed, ended_at = now()
	WHERE task_id = @task AND item_index = @item RETURNING task_id, item_index
), run AS (
	UPDATE stage_run r SET outcome = 'success', code = NULL, elapsed_ms = @elapsed, ended_at = now()
	FROM written w WHERE r.task_id = w.task_id AND r.item_index = w.item_index AND r.stage = @stage AND r.attempt = @attempt
), lost AS (
	UPDATE stage_run r SET outcome = 'superseded', code = 'HOST_LOST', ended_at = now()
	FROM written w WHERE r.task_id = w.task_id AND r.item_index = w.item_index AND r.outcome = 'running'
		AND (r.stage, r.attempt) <> (@stage, @attempt)
), named AS (
	DELETE FROM blob_lease l USING written w WHERE l.blob = @result AND l.holder = w.task_id
)
UPDATE task SET success_count = success_count + 1, updated_at = now() FROM written WHERE task.id = written.task_id`

// FinishItem ends an item with its result, closes the run, and releases the hold on the result; details are statements of the
// kind in the same transaction. Finishing an item again with the same result changes nothing; otherwise it fails with
// [core.CodeConflict] when the item has ended or the run was superseded.
func (s *Store) FinishItem(ctx context.Context, run StageRun, out Finished, details ...Statement) error {
	args := run.Args()
	args["mode"], args["result"], args["elapsed"] = out.Mode, out.Result, elapsedOf(out.Elapsed)
	_, err := s.Write(ctx, run.Item.TaskID, run.guarded(details, Statement{SQL: finishItem, Args: args})...)
	if errors.Is(err, core.NewError(core.CodeConflict, "")) {
		if i, readErr := s.Item(ctx, run.Item.TaskID, run.Item.Index); readErr == nil && i.Result == out.Result {
			return nil
		}
	}
	return Wrap(err, "finish an item")
}

const failItem = `
WITH written AS (
	UPDATE item SET status = CASE WHEN @code = 'CANCELED' THEN 'canceled' ELSE 'error' END, mode = coalesce(nullif(@mode, ''), mode),
		failure_stage = nullif(@failed_in, ''), failure_code = @code, failure_message = @message, ended_at = now()
	WHERE task_id = @task AND item_index = @item AND ended_at IS NULL AND attempts_before = @before
		AND EXISTS (SELECT FROM task WHERE id = @task AND ended_at IS NULL)
	RETURNING task_id, item_index
), run AS (
	UPDATE stage_run r SET outcome = 'failure', code = @code, ended_at = now()
	FROM written w WHERE r.task_id = w.task_id AND r.item_index = w.item_index AND r.outcome = 'running'
)
UPDATE task SET failed_count = failed_count + 1, updated_at = now() FROM written WHERE task.id = written.task_id`

// FailItem ends an item as failed, and closes its open runs. An item that has ended stays as it is: one that succeeded after it
// was given up keeps its result. So does one that was retried since.
func (s *Store) FailItem(ctx context.Context, item core.Item, mode core.Mode, failure core.Failure) error {
	args := StageRun{Item: item, Mode: mode}.Args()
	args["failed_in"], args["code"], args["message"] = string(failure.Stage), string(failure.Code), Clean(failure.Message)
	_, err := s.Write(ctx, item.TaskID, Statement{SQL: failItem, Args: args})
	return Wrap(err, "fail an item")
}

// BetterTaskWaits reports whether another task of the same tenant has a better priority and could use a worker: it runs, is not
// paused, and no item of it is worked on. A task whose last run of a stage failed waits for its own retry and does not count.
func (s *Store) BetterTaskWaits(ctx context.Context, id string) (waits bool, err error) {
	err = s.pool.QueryRow(ctx, `SELECT EXISTS (
		SELECT FROM task t JOIN task better ON better.tenant = t.tenant AND better.priority < t.priority
		WHERE t.id = $1 AND better.status = 'running' AND better.cancel_requested_at IS NULL
			AND NOT EXISTS (SELECT FROM stage_run r WHERE r.task_id = better.id AND r.outcome = 'running')
			AND coalesce((SELECT r.code IS NULL FROM stage_run r WHERE r.task_id = better.id ORDER BY r.started_at DESC LIMIT 1), true))`,
		id).Scan(&waits)
	return waits, Wrap(err, "look for a task of a better priority")
}
