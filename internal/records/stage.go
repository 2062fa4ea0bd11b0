package records

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// StageRun names one attempt at one stage of one page; page, stage and attempt are its key.
type StageRun struct {
	Page  core.Item
	Stage core.Stage
	// Attempt counts from 1, and goes on where the attempts ended that were made before the page was asked for again.
	Attempt int
	Mode    core.Mode
	// Host is where it runs.
	Host string
}

func (r StageRun) args() pgx.NamedArgs {
	return pgx.NamedArgs{
		"task": r.Page.TaskID, "page": r.Page.Index, "before": r.Page.Attempts, "stage": r.Stage, "attempt": r.Attempt, "mode": r.Mode,
		"host": clean(r.Host),
	}
}

// beginStage also closes the runs whose place this one takes: earlier attempts, and earlier stages. An attempt that
// begins late, after a later one, closes nothing.
const beginStage = `
WITH open AS (
	UPDATE page SET status = 'running', stage = @stage, mode = @mode, started_at = coalesce(page.started_at, now())
	FROM task WHERE task.id = @task AND task.ended_at IS NULL
		AND page.task_id = @task AND page.page_index = @page AND page.ended_at IS NULL AND page.attempts_before = @before
	RETURNING page.task_id, page.page_index
), lost AS (
	UPDATE stage_run r SET outcome = 'superseded', code = 'HOST_LOST', ended_at = now()
	FROM open WHERE r.task_id = open.task_id AND r.page_index = open.page_index AND r.outcome = 'running'
		AND (stage_rank(r.stage), r.attempt) < (stage_rank(@stage), @attempt)
), run AS (
	INSERT INTO stage_run (task_id, page_index, stage, attempt, mode, host)
	SELECT task_id, page_index, @stage::text, @attempt::integer, @mode::text, @host::text FROM open
	ON CONFLICT (task_id, page_index, stage, attempt) DO UPDATE SET mode = excluded.mode, host = excluded.host, outcome = 'running',
		code = NULL, message = NULL, elapsed_ms = '{}', started_at = now(), ended_at = NULL
)
UPDATE task SET updated_at = now() FROM open WHERE task.id = open.task_id`

// Begun is a page as it stands when a run begins, and the failures of the earlier runs of the stage by their codes.
type Begun struct {
	Page
	Failures map[core.Code]int
}

// BeginStage opens a run, and returns the page as it then stands. For a page that has ended nothing is written: the step
// has nothing left to do, and a page that succeeded says what it made. It fails with [core.CodeNotFound] when the
// task was deleted, and with [core.CodeConflict] when the page was asked for again since.
func (s *Store) BeginStage(ctx context.Context, run StageRun) (b Begun, err error) {
	args := run.args()
	page := statement{sql: selectPage, args: args, scan: func(r pgx.BatchResults) error {
		rows, err := r.Query()
		if err != nil {
			return err
		}
		b.Page, err = pgx.CollectExactlyOneRow(rows, scanPage)
		return err
	}}
	failures := statement{sql: stageFailures, args: args, scan: func(r pgx.BatchResults) error {
		rows, err := r.Query()
		if err != nil {
			return err
		}
		b.Failures, err = collectFailures(rows)
		return err
	}}
	_, err = s.write(ctx, run.Page.TaskID, statement{sql: beginStage, args: args}, page, failures)
	if errors.Is(err, pgx.ErrNoRows) {
		return Begun{}, notFound("page", strconv.Itoa(run.Page.Index)+" of task "+run.Page.TaskID)
	}
	if err == nil && b.Ref.Attempts != run.Page.Attempts {
		return Begun{}, core.Errorf(core.CodeConflict, "%s was asked for again", run.Page)
	}
	return b, wrap(err, "begin a stage")
}

// EndStage closes a run that failed with code and a sentence about it, or that ended (code empty) without making anything
// that is saved. The functions that save what a stage made close its run by themselves.
func (s *Store) EndStage(ctx context.Context, run StageRun, code core.Code, message string, elapsed core.ElapsedMS) error {
	args := run.args()
	args["code"], args["message"], args["elapsed"] = string(code), clean(message), elapsedOf(elapsed)
	_, err := s.pool.Exec(ctx, `
		UPDATE stage_run SET outcome = CASE WHEN @code = '' THEN 'success' ELSE 'failure' END, code = nullif(@code, ''),
			message = nullif(@message, ''), elapsed_ms = @elapsed, ended_at = now()
		WHERE task_id = @task AND page_index = @page AND stage = @stage AND attempt = @attempt AND outcome = 'running'`, args)
	return wrap(err, "end a stage")
}

// elapsedOf keeps a nil map from becoming a JSON null.
func elapsedOf(e core.ElapsedMS) core.ElapsedMS {
	if e == nil {
		return core.ElapsedMS{}
	}
	return e
}
