package records

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
)

// PageEdit is how a page stands that a person edited.
type PageEdit struct {
	// At is the time of the last edit.
	At time.Time
	// Revision counts the edits, and Rendered is the one that the result shows.
	Revision, Rendered int
	// Failure says why the page could not be rendered with the last edit.
	Failure *core.Failure
}

// Pending reports whether the page is to be rendered again.
func (e *PageEdit) Pending() bool { return e != nil && e.Failure == nil && e.Rendered < e.Revision }

// A translation that is as it should be is no change; but one whose rendering failed is tried again.
const (
	editRegions = `
WITH given AS (
	SELECT g.* FROM jsonb_to_recordset(@translations) AS g(region_index integer, translation text)
), kept AS (
	INSERT INTO edit (tenant, blob, to_lang, region_index, source, x0, y0, x1, y1, translation, author)
	SELECT t.tenant, p.blob, t.to_lang, r.region_index, r.source, r.x0, r.y0, r.x1, r.y1, g.translation, @author
	FROM given g JOIN region r USING (region_index) JOIN page p USING (task_id, page_index) JOIN task t ON t.id = p.task_id
	WHERE r.task_id = @task AND r.page_index = @page
	ON CONFLICT (tenant, blob, to_lang, region_index) DO UPDATE SET source = excluded.source,
		x0 = excluded.x0, y0 = excluded.y0, x1 = excluded.x1, y1 = excluded.y1,
		translation = excluded.translation, author = excluded.author, edited_at = now()
	WHERE (edit.translation, edit.source) IS DISTINCT FROM (excluded.translation, excluded.source)
), changed AS (
	UPDATE region r SET translation = g.translation, longer = NULL, untranslated = NULL, provider = 'edit', model = NULL, updated_at = now()
	FROM given g WHERE r.task_id = @task AND r.page_index = @page AND r.region_index = g.region_index
		AND r.translation IS DISTINCT FROM g.translation
	RETURNING r.region_index
)
UPDATE page SET edited_at = now(), edit_revision = edit_revision + 1, edit_failure_code = NULL, edit_failure_message = NULL
WHERE task_id = @task AND page_index = @page AND (EXISTS (SELECT FROM changed) OR edit_failure_code IS NOT NULL)`

	editable = `SELECT p.status, t.files_removed_at IS NOT NULL, ARRAY(SELECT r.region_index FROM region r
		WHERE r.task_id = p.task_id AND r.page_index = p.page_index ORDER BY 1)
	FROM page p JOIN task t ON t.id = p.task_id
	WHERE t.tenant = @tenant AND p.task_id = @task AND p.page_index = @page FOR NO KEY UPDATE OF t`
)

// EditPage changes translations of a page that has a result, and remembers them for later tasks on the same image. The
// page is then to be rendered again, unless it says all of this already. It returns the page as it then stands. It fails
// with [core.CodeNotFound], with [core.CodeConflict] while the page has no result, and with
// [core.CodeInvalidInput] for a region that the page does not have.
func (s *Store) EditPage(
	ctx context.Context, tenant, taskID string, page int, author string, translations []core.Translation,
) (p Page, err error) {
	cleaned := make([]core.Translation, len(translations))
	for i, t := range translations {
		cleaned[i] = core.Translation{Index: t.Index, Text: clean(t.Text)}
	}
	args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "page": page, "author": clean(author), "translations": cleaned}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := checkEditable(ctx, tx, args, cleaned); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, editRegions, args); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, selectPage, args)
		if err != nil {
			return err
		}
		p, err = pgx.CollectExactlyOneRow(rows, scanPage)
		return err
	})
	return p, wrap(err, "edit a page")
}

func checkEditable(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs, translations []core.Translation) error {
	var status core.Status
	var removed bool
	var regions []int
	err := tx.QueryRow(ctx, editable, args).Scan(&status, &removed, &regions)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return core.Errorf(core.CodeNotFound, "there is no page %v of task %v", args["page"], args["task"])
	case err != nil:
		return err
	case removed:
		return core.Errorf(core.CodeConflict, "the images of task %v are no longer kept", args["task"])
	case status != core.StatusSuccess:
		return core.Errorf(core.CodeConflict, "page %v has no result that could be changed: it is %s", args["page"], status)
	}
	for _, t := range translations {
		// Regions count from 0 without holes.
		if t.Index < 0 || t.Index >= len(regions) {
			return core.Errorf(core.CodeInvalidInput, "region_index %d is out of range: the page has %d regions", t.Index, len(regions))
		}
	}
	return nil
}

// Edits lists what people decided on for an image of the tenant in a language, in reading order: the regions as they were
// when they were edited, with their translations.
func (s *Store) Edits(ctx context.Context, tenant string, image core.BlobRef, to string) ([]Region, error) {
	rows, err := s.pool.Query(ctx, selectEdits, pgx.NamedArgs{"tenant": tenant, "image": image, "to": to})
	if err != nil {
		return nil, wrap(err, "list edits")
	}
	list, err := pgx.CollectRows(rows, scanRegion)
	return list, wrap(err, "list edits")
}

const selectEdits = `SELECT region_index, x0, y0, x1, y1, '', source, translation, '', false, author, edited_at FROM edit
	WHERE tenant = @tenant AND blob = @image AND to_lang = @to ORDER BY region_index`

// The result that gives way is left to the sweeper, which removes it when no row names it.
const finishEdit = `
WITH before AS (
	SELECT result_blob FROM page WHERE task_id = @task AND page_index = @page
), written AS (
	UPDATE page SET result_blob = @result, output_changed = @changed, rendered_revision = @revision, missing_characters = nullif(@missing, ''),
		edit_failure_code = CASE WHEN edit_revision > @revision THEN edit_failure_code END,
		edit_failure_message = CASE WHEN edit_revision > @revision THEN edit_failure_message END
	WHERE task_id = @task AND page_index = @page AND status = 'success' AND rendered_revision < @revision
	RETURNING task_id
), named AS (
	DELETE FROM blob_lease l USING written w WHERE l.blob = @result AND l.holder = w.task_id
), replaced AS (
	INSERT INTO blob_lease (blob, holder, expires_at)
	SELECT before.result_blob, '', now() FROM before, written WHERE before.result_blob <> @result
	ON CONFLICT (blob) DO NOTHING
), lettered AS (
	UPDATE region r SET tight = r.region_index = ANY (@tight) FROM written w
	WHERE r.task_id = w.task_id AND r.page_index = @page AND r.tight <> (r.region_index = ANY (@tight))
)
UPDATE task SET updated_at = now() FROM written WHERE task.id = written.task_id`

// FinishEdit replaces the result of a page by one that shows a revision of its translations. A result of an earlier revision
// than the present one is not written.
func (s *Store) FinishEdit(ctx context.Context, page core.Item, revision int, out comic.PageOutput) error {
	_, err := s.write(ctx, page.TaskID, statement{sql: finishEdit, args: pgx.NamedArgs{
		"task": page.TaskID, "page": page.Index, "revision": revision, "result": out.Result, "changed": out.OutputChanged,
		"tight": append([]int{}, out.Overflow...), "missing": clean(out.Missing),
	}})
	return wrap(err, "finish an edit")
}

// FailEdit remembers why a page could not be rendered with its edits. The next edit, or a late success, ends that.
func (s *Store) FailEdit(ctx context.Context, page core.Item, failure core.Failure) error {
	_, err := s.write(ctx, page.TaskID, statement{sql: `
		UPDATE page SET edit_failure_code = @code, edit_failure_message = @message
		WHERE task_id = @task AND page_index = @page AND rendered_revision < edit_revision`, args: pgx.NamedArgs{
		"task": page.TaskID, "page": page.Index, "code": failure.Code, "message": clean(failure.Message),
	}})
	return wrap(err, "fail an edit")
}

// UnrenderedEdits lists at most limit pages whose edits wait for longer than olderThan, the oldest first.
func (s *Store) UnrenderedEdits(ctx context.Context, olderThan time.Duration, limit int) ([]core.Item, error) {
	rows, err := s.pool.Query(ctx, `SELECT p.task_id, t.tenant, p.page_index, p.name, p.blob, p.attempts_before
		FROM page p JOIN task t ON t.id = p.task_id
		WHERE p.rendered_revision < p.edit_revision AND p.edit_failure_code IS NULL
			AND p.edited_at <= now() - make_interval(secs => $1)
		ORDER BY p.edited_at LIMIT $2`, olderThan.Seconds(), limit)
	if err != nil {
		return nil, wrap(err, "list edits to render")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[core.Item])
	return list, wrap(err, "list edits to render")
}
