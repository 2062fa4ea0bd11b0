package records

import (
	"context"
	"errors"

	"plait/internal/comic"
	"plait/internal/core"
)

// finishPage also closes what an earlier attempt left open, and counts the page in its task.
const finishPage = `
WITH written AS (
	UPDATE page SET status = 'success', mode = @mode, result_blob = @result, output_changed = @changed,
		no_change_reason = nullif(@reason, ''), missing_characters = nullif(@missing, ''), region_count = @count, elapsed_ms = @elapsed, ended_at = now()
	WHERE ` + writable + ` RETURNING task_id, page_index, mode
), run AS (` + endRun + `
), lost AS (
	UPDATE stage_run r SET outcome = 'superseded', code = 'HOST_LOST', ended_at = now()
	FROM written w WHERE r.task_id = w.task_id AND r.page_index = w.page_index AND r.outcome = 'running'
		AND (r.stage, r.attempt) <> (@stage, @attempt)
), named AS (
	DELETE FROM blob_lease l USING written w WHERE l.blob = @result AND l.holder = w.task_id
), lettered AS (
	UPDATE region g SET tight = g.region_index = ANY (@tight), updated_at = now(),
		longer = CASE WHEN s.translation IS NULL THEN g.longer ELSE g.translation END, translation = coalesce(s.translation, g.translation)
	FROM written w, region o LEFT JOIN jsonb_to_recordset(@shortened) AS s(region_index integer, translation text) USING (region_index)
	WHERE o.task_id = @task AND o.page_index = @page AND (s.translation IS NOT NULL OR o.region_index = ANY (@tight))
		AND g.task_id = w.task_id AND g.page_index = w.page_index AND g.region_index = o.region_index
)
UPDATE task SET success_count = success_count + 1, updated_at = now(),
	fallback_count = fallback_count + CASE WHEN written.mode = 'fallback_to_unified' THEN 1 ELSE 0 END
FROM written WHERE task.id = written.task_id`

// FinishPage ends a page with its result, keeps the texts that took the place of longer ones, marks those that do not fit,
// closes the run, and releases the hold on the result. Finishing a page again with the same result changes nothing; otherwise
// it fails with [core.CodeConflict] when the page has ended or the run was superseded.
func (s *Store) FinishPage(ctx context.Context, run StageRun, out comic.PageOutput) error {
	args := run.args()
	args["mode"], args["result"], args["changed"] = out.Mode, out.Result, out.OutputChanged
	args["reason"], args["count"], args["elapsed"] = string(out.NoChangeReason), out.Regions, elapsedOf(out.Elapsed)
	args["tight"], args["shortened"], args["missing"] = append([]int{}, out.Overflow...), cleaned(out.Shortened), clean(out.Missing)
	err := s.save(ctx, run, finishPage, args, "finish a page")
	if !errors.Is(err, core.NewError(core.CodeConflict, "")) {
		return err
	}
	if p, readErr := s.Page(ctx, run.Page.TaskID, run.Page.Index); readErr == nil && p.Result == out.Result {
		return nil
	}
	return err
}

const failPage = `
WITH written AS (
	UPDATE page SET status = CASE WHEN @code = 'CANCELED' THEN 'canceled' ELSE 'error' END, mode = coalesce(nullif(@mode, ''), mode),
		failure_stage = nullif(@failure_stage, ''), failure_code = @code, failure_message = @message, ended_at = now()
	WHERE task_id = @task AND page_index = @page AND ended_at IS NULL AND attempts_before = @before
		AND EXISTS (SELECT FROM task WHERE id = @task AND ended_at IS NULL)
	RETURNING task_id, page_index
), run AS (
	UPDATE stage_run r SET outcome = 'failure', code = @code, ended_at = now()
	FROM written w WHERE r.task_id = w.task_id AND r.page_index = w.page_index AND r.outcome = 'running'
)
UPDATE task SET failed_count = failed_count + 1, updated_at = now() FROM written WHERE task.id = written.task_id`

// FailPage ends a page as failed, and closes what runs of it are open. A page that has ended stays as it is: one that
// succeeded after it was given up keeps its result. So does one that was asked for again since.
func (s *Store) FailPage(ctx context.Context, page core.Item, mode core.Mode, failure core.Failure) error {
	args := StageRun{Page: page, Mode: mode}.args()
	args["failure_stage"], args["code"], args["message"] = string(failure.Stage), string(failure.Code), clean(failure.Message)
	_, err := s.write(ctx, page.TaskID, statement{sql: failPage, args: args})
	return wrap(err, "fail a page")
}
