package comicrecords

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// PageEdit is the state of a page that a person edited.
type PageEdit struct {
	// At is the time of the last edit.
	At time.Time
	// Revision counts the edits; Rendered is the revision that the result shows.
	Revision, Rendered int
	// Failure is why the last rendering with edits failed.
	Failure *core.Failure
}

// RegionEdit is what a person chose for a region.
type RegionEdit struct {
	Index int
	// Text is the new translation; an empty one restores the original lettering, and nil keeps the present one.
	Text *string
	// Override is what changes of the region besides.
	Override comic.OverrideEdit
	// Expected is the translation that the person saw; nil means any.
	Expected *string
}

// Pending reports whether the page waits to be rendered again.
func (e *PageEdit) Pending() bool { return e != nil && e.Failure == nil && e.Rendered < e.Revision }

const (
	pending = `p.rendered_revision < p.edit_revision AND p.edit_failure_code IS NULL`

	// FilesInUse is the condition on a task t that keeps its files: a page that waits to be rendered again needs its image.
	FilesInUse = `EXISTS (SELECT FROM comic_page p WHERE p.task_id = t.id AND ` + pending + `)`
)

// What people divide, join and move is not kept for later tasks.
//
// An edit that equals what the region has is no change, unless its rendering failed: then it is rendered again.
const (
	editRegions = `
WITH given AS (
	SELECT g.* FROM jsonb_to_recordset(@edits) AS g(region_index integer, translation text, override jsonb)
), kept AS (
	INSERT INTO comic_edit AS e (tenant, blob, to_lang, region_index, source, x0, y0, x1, y1, translation, override, author)
	SELECT t.tenant, i.blob, t.options ->> 'to', r.region_index, r.source, r.x0, r.y0, r.x1, r.y1, g.translation, g.override - '{place,joined_into,cut}'::text[], @author
	FROM given g JOIN comic_region r USING (region_index) JOIN item i USING (task_id, item_index) JOIN task t ON t.id = i.task_id
	WHERE r.task_id = @task AND r.item_index = @item
	ON CONFLICT (tenant, blob, to_lang, region_index) DO UPDATE SET source = excluded.source,
		x0 = excluded.x0, y0 = excluded.y0, x1 = excluded.x1, y1 = excluded.y1,
		translation = CASE WHEN e.source = excluded.source THEN coalesce(excluded.translation, e.translation) ELSE excluded.translation END,
		override = excluded.override, author = excluded.author, edited_at = now()
	WHERE (e.source, e.override) IS DISTINCT FROM (excluded.source, excluded.override)
		OR excluded.translation IS NOT NULL AND e.translation IS DISTINCT FROM excluded.translation
), changed AS (
	UPDATE comic_region r SET override = g.override, updated_at = now(), translation = coalesce(g.translation, r.translation),
		longer = CASE WHEN g.translation IS NULL OR g.translation = r.translation THEN r.longer END,
		untranslated = CASE WHEN g.translation IS NULL OR g.translation = r.translation THEN r.untranslated END,
		reading = CASE WHEN r.reading = 'translating' AND g.translation IS NOT NULL THEN 'done' ELSE r.reading END,
		provider = CASE WHEN g.translation IS NULL OR g.translation = r.translation THEN r.provider ELSE 'edit' END,
		model = CASE WHEN g.translation IS NULL OR g.translation = r.translation THEN r.model END
	FROM given g WHERE r.task_id = @task AND r.item_index = @item AND r.region_index = g.region_index
		AND (r.override <> g.override OR g.translation IS NOT NULL AND r.translation IS DISTINCT FROM g.translation)
	RETURNING r.region_index
)
UPDATE comic_page SET edited_at = now(), edit_revision = edit_revision + 1, edit_failure_code = NULL, edit_failure_message = NULL
WHERE task_id = @task AND item_index = @item AND (EXISTS (SELECT FROM changed) OR edit_failure_code IS NOT NULL)`

	editable = `SELECT i.status, t.files_removed_at IS NOT NULL, coalesce(p.width, 0), coalesce(p.height, 0),
		ARRAY(SELECT coalesce(r.translation, '') FROM comic_region r
			WHERE r.task_id = i.task_id AND r.item_index = i.item_index ORDER BY r.region_index),
		ARRAY(SELECT r.override FROM comic_region r WHERE r.task_id = i.task_id AND r.item_index = i.item_index ORDER BY r.region_index)
	FROM item i JOIN task t ON t.id = i.task_id LEFT JOIN comic_page p USING (task_id, item_index)
	WHERE t.tenant = @tenant AND i.task_id = @task AND i.item_index = @item FOR NO KEY UPDATE OF t`
)

// EditPage changes translations of a page that has a result, and how they are lettered, keeps that for later tasks on the same image, and
// marks the page for rendering unless nothing changes. It returns the page after the edit. It fails with [core.CodeNotFound], with
// [core.CodeConflict] while the page has no result or when a region has another translation than was expected, and with
// [core.CodeInvalidInput] for a region that the page does not have, or an area beyond the page.
func (s Store) EditPage(
	ctx context.Context, tenant, taskID string, page int, author string, edits []RegionEdit,
) (p Page, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "item": page, "author": records.Clean(author)}
	err = s.Transact(ctx, func(tx pgx.Tx) error {
		before, err := readEditable(ctx, tx, args)
		if err != nil {
			return err
		}
		p, err = before.edit(ctx, tx, args, edits)
		return err
	})
	return p, records.Wrap(err, "edit a page")
}

// Editable returns the item of a page that can be edited. It fails as [Store.EditPage] does.
func (s Store) Editable(ctx context.Context, tenant, taskID string, page int) (item core.Item, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "item": page}
	err = s.Transact(ctx, func(tx pgx.Tx) error {
		if _, err := readEditable(ctx, tx, args); err != nil {
			return err
		}
		p, err := readEdited(ctx, tx, args)
		item = p.Ref
		return err
	})
	return item, records.Wrap(err, "find a page to edit")
}

// edit makes the edits, and returns the page after them.
func (p editablePage) edit(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs, edits []RegionEdit) (Page, error) {
	rows, err := p.apply(edits)
	if err != nil {
		return Page{}, err
	}
	args["edits"] = rows
	if slices.ContainsFunc(edits, func(e RegionEdit) bool { return e.Override.Rearranges() }) {
		// First, so that what is kept for later tasks names the texts as they are now.
		if err := arrange(ctx, tx, args, rows); err != nil {
			return Page{}, err
		}
	}
	if _, err := tx.Exec(ctx, editRegions, args); err != nil {
		return Page{}, err
	}
	return readEdited(ctx, tx, args)
}

// readEdited reads the page after an edit.
func readEdited(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) (Page, error) {
	rows, err := tx.Query(ctx, pages.OfOne(), args)
	if err != nil {
		return Page{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanPage)
}

// editablePage is a page with a result before an edit.
type editablePage struct {
	// width and height are in pixels, or 0 if they are not known.
	width, height int
	translations  []string
	overrides     []comic.Override
}

func readEditable(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) (p editablePage, err error) {
	var status core.Status
	var removed bool
	err = tx.QueryRow(ctx, editable, args).Scan(&status, &removed, &p.width, &p.height, &p.translations, &p.overrides)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return p, core.Errorf(core.CodeNotFound, "there is no page %v of task %v", args["item"], args["task"])
	case err != nil:
		return p, err
	case removed:
		return p, core.Errorf(core.CodeConflict, "the images of task %v are no longer kept", args["task"])
	case status != core.StatusSuccess:
		return p, core.Errorf(core.CodeConflict, "page %v has no result to edit: it is %s", args["item"], status)
	}
	return p, nil
}

// editRow is a region after an edit; a translation of nil stays as it is.
type editRow struct {
	Index       int            `json:"region_index"`
	Translation *string        `json:"translation"`
	Override    comic.Override `json:"override"`
}

func (p editablePage) apply(edits []RegionEdit) ([]editRow, error) {
	rows := make([]editRow, len(edits))
	for i, e := range edits {
		// The indices of regions run from 0 without gaps.
		if e.Index < 0 || e.Index >= len(p.translations) {
			return nil, core.Errorf(core.CodeInvalidInput, "region_index %d is out of range: the page has %d regions", e.Index, len(p.translations))
		}
		if now := p.translations[e.Index]; e.Expected != nil && e.Text != nil && *e.Expected != now && *e.Text != now {
			return nil, core.Errorf(core.CodeConflict, "region_index %d has another translation by now than the one that was expected", e.Index)
		}
		if a := e.Override.Area; a != nil && p.width > 0 && !a.Within(p.width, p.height) {
			return nil, core.Errorf(core.CodeInvalidInput, "the area of region_index %d is beyond the page, which has %d x %d pixels", e.Index, p.width, p.height)
		}
		rows[i] = editRow{Index: e.Index, Override: p.overrides[e.Index].Edited(e.Override)}
		if e.Text != nil {
			text := records.Clean(*e.Text)
			rows[i].Translation = &text
		}
	}
	return rows, nil
}

// Edits lists the translations that people chose for an image of the tenant in a language, in reading order: the regions as they
// were when they were edited.
func (s Store) Edits(ctx context.Context, tenant string, image core.BlobRef, to string) (list []Region, err error) {
	err = s.Read(ctx, readEdits(tenant, image, to, &list))
	return list, records.Wrap(err, "list edits")
}

func readEdits(tenant string, image core.BlobRef, to string, list *[]Region) records.Statement {
	return records.Statement{
		SQL: `SELECT region_index, x0, y0, x1, y1, '', '', source, translation, '', false AS overflow, false AS annotated, override, '', NULL::jsonb, author, edited_at
			FROM comic_edit WHERE tenant = @tenant AND blob = @image AND to_lang = @to AND translation IS NOT NULL ORDER BY region_index`,
		Args: pgx.NamedArgs{"tenant": tenant, "image": image, "to": to}, Read: records.All(list, scanRegion),
	}
}

// DropEdits is the statement that deletes the edits of a task that is deleted, except those of images that other tasks of the tenant
// use.
func DropEdits(tenant, taskID string) records.Statement {
	return records.Statement{
		SQL: `DELETE FROM comic_edit e USING item i WHERE i.task_id = @task AND e.tenant = @tenant AND e.blob = i.blob
			AND NOT EXISTS (SELECT FROM item o JOIN task t ON t.id = o.task_id WHERE o.blob = i.blob AND o.task_id <> @task AND t.tenant = @tenant)`,
		Args: pgx.NamedArgs{"tenant": tenant, "task": taskID},
	}
}

// The sweeper removes the replaced result once no row refers to it.
const finishEdit = `
WITH before AS (
	SELECT result_blob FROM item WHERE task_id = @task AND item_index = @item
), written AS (
	UPDATE comic_page p SET output_changed = @changed, no_change_reason = CASE WHEN NOT @changed THEN no_change_reason END, rendered_revision = @revision, missing_characters = nullif(@missing, ''),
		edit_failure_code = CASE WHEN edit_revision > @revision THEN edit_failure_code END,
		edit_failure_message = CASE WHEN edit_revision > @revision THEN edit_failure_message END
	FROM item i WHERE p.task_id = @task AND p.item_index = @item AND rendered_revision < @revision
		AND i.task_id = p.task_id AND i.item_index = p.item_index AND i.status = 'success'
	RETURNING p.task_id, p.item_index
), result AS (
	UPDATE item i SET result_blob = @result FROM written w WHERE i.task_id = w.task_id AND i.item_index = w.item_index
), named AS (
	DELETE FROM blob_lease l USING written w WHERE l.blob = @result AND l.holder = w.task_id
), replaced AS (
	INSERT INTO blob_lease (blob, holder, expires_at)
	SELECT before.result_blob, '', now() FROM before, written WHERE before.result_blob <> @result
	ON CONFLICT (blob) DO NOTHING
), lettered AS (
	UPDATE comic_region r SET overflow = r.region_index = ANY (@overflow), annotated = r.region_index = ANY (@annotated) FROM written w
	WHERE r.task_id = w.task_id AND r.item_index = w.item_index
		AND (r.overflow <> (r.region_index = ANY (@overflow)) OR r.annotated <> (r.region_index = ANY (@annotated)))
)
UPDATE task SET updated_at = now() FROM written WHERE task.id = written.task_id`

// FinishEdit replaces the result of a page by one that shows the given revision of its translations. It does nothing when the page
// has a newer revision.
func (s Store) FinishEdit(ctx context.Context, page core.Item, revision int, out comic.PageOutput) error {
	_, err := s.Write(ctx, page.TaskID, keepLayers(page, revision, out.Layers), records.Statement{SQL: finishEdit, Args: pgx.NamedArgs{
		"task": page.TaskID, "item": page.Index, "revision": revision, "result": out.Result, "changed": out.OutputChanged,
		"overflow": append([]int{}, out.Overflow...), "annotated": append([]int{}, out.Annotated...), "missing": records.Clean(out.Missing),
	}})
	return records.Wrap(err, "finish an edit")
}

// FailEdit records why a page could not be rendered with its edits, or the regions that people drew on it not be translated. The next edit, or a late success, clears it.
func (s Store) FailEdit(ctx context.Context, page core.Item, failure core.Failure) error {
	_, err := s.Write(ctx, page.TaskID, records.Statement{SQL: `
		WITH left_to_people AS (
			UPDATE comic_region SET reading = 'done'
			WHERE task_id = @task AND item_index = @item AND reading = 'translating' RETURNING region_index
		)
		UPDATE comic_page SET edit_failure_code = @code, edit_failure_message = @message
		WHERE task_id = @task AND item_index = @item
			AND (rendered_revision < edit_revision OR EXISTS (SELECT FROM left_to_people))`, Args: pgx.NamedArgs{
		"task": page.TaskID, "item": page.Index, "code": failure.Code, "message": records.Clean(failure.Message),
	}})
	return records.Wrap(err, "fail an edit")
}

// UnrenderedEdits lists at most limit pages whose edits have waited for longer than olderThan, the oldest first.
func (s Store) UnrenderedEdits(ctx context.Context, olderThan time.Duration, limit int) (list []core.Item, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT i.task_id, t.tenant, i.item_index, i.name, i.blob, i.attempts_before
		FROM comic_page p JOIN item i USING (task_id, item_index) JOIN task t ON t.id = i.task_id
		WHERE ` + pending + ` AND p.edited_at <= now() - make_interval(secs => @seconds)
		ORDER BY p.edited_at LIMIT @limit`,
		Args: pgx.NamedArgs{"seconds": olderThan.Seconds(), "limit": limit}, Read: records.All(&list, pgx.RowToStructByPos[core.Item]),
	})
	return list, records.Wrap(err, "list edits to render")
}
