package records

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
)

// Page is a page of a task, and how it stands.
type Page struct {
	Ref    core.Item
	Status core.Status
	// Stage is the stage that began last; empty before the first.
	Stage core.Stage
	// Mode is how the page goes; empty before its first stage.
	Mode core.Mode
	// Width and Height are those of the upright image in pixels; 0 before detect.
	Width, Height int
	FromLang      string
	Regions       int
	// Untranslated is the number of its regions for which no fit translation was had.
	Untranslated    int
	Provider, Model string
	// Result is the finished image of a page that succeeded.
	Result         core.BlobRef
	OutputChanged  bool
	NoChangeReason comic.NoChangeReason
	// Missing are the characters that no font has, and that the result has its texts without.
	Missing string
	Failure *core.Failure
	// Edit is nil for a page that nobody edited.
	Edit *PageEdit
	// Paused says that the task of the page pauses, and FilesRemoved that retention took its images.
	Paused, FilesRemoved bool
	// Elapsed is that of the stage that made the result.
	Elapsed            core.ElapsedMS
	StartedAt, EndedAt *time.Time
}

// Output is what finished the page; it has a meaning only for a page that succeeded.
func (p Page) Output() comic.PageOutput {
	return comic.PageOutput{
		Result: p.Result, Mode: p.Mode, OutputChanged: p.OutputChanged, NoChangeReason: p.NoChangeReason, Regions: p.Regions,
		Missing: p.Missing, Elapsed: p.Elapsed,
	}
}

// untranslated is true for a region r that no fit translation was had for; an edit that fills it in ends that.
const untranslated = `r.untranslated IS NOT NULL AND r.translation = ''`

const selectPages = `SELECT p.task_id, t.tenant, p.page_index, p.name, p.blob, p.status, coalesce(p.stage, ''), coalesce(p.mode, ''),
	coalesce(p.width, 0), coalesce(p.height, 0), coalesce(p.from_lang, ''), coalesce(p.region_count, 0),
	coalesce(p.provider, ''), coalesce(p.model, ''), coalesce(p.result_blob, ''), coalesce(p.output_changed, false),
	coalesce(p.no_change_reason, ''), coalesce(p.missing_characters, ''), coalesce(p.failure_stage, ''), coalesce(p.failure_code, ''), coalesce(p.failure_message, ''),
	p.elapsed_ms, p.started_at, p.ended_at,
	(SELECT count(*) FROM region r WHERE r.task_id = p.task_id AND r.page_index = p.page_index AND ` + untranslated + `),
	p.edited_at, p.edit_revision, p.rendered_revision, coalesce(p.edit_failure_code, ''), coalesce(p.edit_failure_message, ''),
	p.attempts_before, t.status = 'paused', t.files_removed_at IS NOT NULL
	FROM page p JOIN task t ON t.id = p.task_id WHERE p.task_id = @task`

const selectPage = selectPages + ` AND p.page_index = @page`

func scanPage(row pgx.CollectableRow) (Page, error) {
	var p Page
	var failure, editFailure core.Failure
	var edit PageEdit
	var editedAt *time.Time
	err := row.Scan(&p.Ref.TaskID, &p.Ref.Tenant, &p.Ref.Index, &p.Ref.Name, &p.Ref.Blob, &p.Status, &p.Stage, &p.Mode,
		&p.Width, &p.Height, &p.FromLang, &p.Regions,
		&p.Provider, &p.Model, &p.Result, &p.OutputChanged,
		&p.NoChangeReason, &p.Missing, &failure.Stage, &failure.Code, &failure.Message,
		&p.Elapsed, &p.StartedAt, &p.EndedAt, &p.Untranslated,
		&editedAt, &edit.Revision, &edit.Rendered, &editFailure.Code, &editFailure.Message, &p.Ref.Attempts, &p.Paused, &p.FilesRemoved)
	if failure.Code != "" {
		p.Failure = &failure
	}
	if editedAt != nil {
		edit.At, p.Edit = *editedAt, &edit
	}
	if editFailure.Code != "" {
		edit.Failure = &editFailure
	}
	return p, err
}

// Pages lists the pages of a task in their order.
func (s *Store) Pages(ctx context.Context, taskID string) ([]Page, error) {
	rows, err := s.pool.Query(ctx, selectPages+` ORDER BY p.page_index`, pgx.NamedArgs{"task": taskID})
	if err != nil {
		return nil, wrap(err, "list pages")
	}
	list, err := pgx.CollectRows(rows, scanPage)
	return list, wrap(err, "list pages")
}

// Page reads one page. It fails with [core.CodeNotFound].
func (s *Store) Page(ctx context.Context, taskID string, index int) (Page, error) {
	rows, err := s.pool.Query(ctx, selectPage, pgx.NamedArgs{"task": taskID, "page": index})
	if err != nil {
		return Page{}, wrap(err, "read a page")
	}
	p, err := pgx.CollectExactlyOneRow(rows, scanPage)
	if errors.Is(err, pgx.ErrNoRows) {
		return Page{}, notFound("page", strconv.Itoa(index)+" of task "+taskID)
	}
	return p, wrap(err, "read a page")
}
