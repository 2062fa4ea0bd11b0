// Package comicrecords stores what only comics have: the pages of a chapter, their regions, and edits of their translations. It adds
// its statements to the transactions of package records, which stores the items.
package comicrecords

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// Store keeps chapters of comics, with everything that tasks of all kinds share.
type Store struct{ *records.Store }

// New makes a store of chapters.
func New(s *records.Store) Store { return Store{Store: s} }

// Page is a page of a chapter and its state.
type Page struct {
	records.Item
	// Width and Height are those of the upright image in pixels; 0 before detect.
	Width, Height int
	FromLang      string
	Regions       int
	// Untranslated is the number of its regions without an acceptable translation.
	Untranslated    int
	Provider, Model string
	OutputChanged   bool
	NoChangeReason  comic.NoChangeReason
	// Missing are the characters that no font has; the result has its texts without them.
	Missing string
	// Edit is nil for a page that nobody edited.
	Edit *PageEdit
}

// Output is the output of a page that succeeded.
func (p Page) Output() comic.PageOutput {
	return comic.PageOutput{
		Result: p.Result, Mode: p.Mode, OutputChanged: p.OutputChanged, NoChangeReason: p.NoChangeReason, Regions: p.Regions,
		Missing: p.Missing, Elapsed: p.Elapsed,
	}
}

// untranslated is true for a region r without an acceptable translation. An edit of the region makes it false.
const untranslated = `r.untranslated IS NOT NULL AND r.translation = '' AND NOT r.absent`

const selectPages = `SELECT ` + records.ItemColumns + `,
	coalesce(p.width, 0), coalesce(p.height, 0), coalesce(p.from_lang, ''), coalesce(p.region_count, 0),
	(SELECT count(*) FROM comic_region r WHERE r.task_id = i.task_id AND r.item_index = i.item_index AND ` + untranslated + `),
	coalesce(p.provider, ''), coalesce(p.model, ''), coalesce(p.output_changed, false), coalesce(p.no_change_reason, ''),
	coalesce(p.missing_characters, ''),
	p.edited_at, coalesce(p.edit_revision, 0), coalesce(p.rendered_revision, 0),
	coalesce(p.edit_failure_code, ''), coalesce(p.edit_failure_message, '')
	FROM item i JOIN task t ON t.id = i.task_id LEFT JOIN comic_page p USING (task_id, item_index) WHERE i.task_id = @task`

func scanPage(row pgx.CollectableRow) (p Page, err error) {
	var failure core.Failure
	var edit PageEdit
	var editedAt *time.Time
	err = row.Scan(append(p.Targets(),
		&p.Width, &p.Height, &p.FromLang, &p.Regions, &p.Untranslated,
		&p.Provider, &p.Model, &p.OutputChanged, &p.NoChangeReason, &p.Missing,
		&editedAt, &edit.Revision, &edit.Rendered, &failure.Code, &failure.Message)...)
	if editedAt != nil {
		edit.At, p.Edit = *editedAt, &edit
	}
	if failure.Code != "" {
		edit.Failure = &failure
	}
	return p, err
}

// pages reads pages.
var pages = records.ItemSelect[Page]{Noun: "page", SQL: selectPages, Scan: scanPage}

// Pages lists the pages of a task in their order.
func (s Store) Pages(ctx context.Context, taskID string) ([]Page, error) {
	return pages.List(ctx, s.Store, taskID)
}

// Page reads one page. It fails with [core.CodeNotFound].
func (s Store) Page(ctx context.Context, taskID string, index int) (Page, error) {
	return pages.One(ctx, s.Store, taskID, index)
}

// ReadPage is the statement that reads a page.
func ReadPage(of core.Item, p *Page) records.Statement { return pages.Statement(of, p) }

// Counts are the numbers of pages and regions of a chapter by how far they have come.
type Counts struct {
	// Detected and Translated are the numbers of pages that are past these stages. A page that has ended is, and so is one that is
	// processed again as a whole with its translations kept.
	Detected, Translated int
	// Fallbacks are the successful pages that were processed again as a whole.
	Fallbacks int
	// Untranslated are the regions, so far, without an acceptable translation.
	Untranslated int
}

// Every page of an ended task is past every stage, so its items are not counted.
const selectCounts = `
SELECT t.id,
	CASE WHEN t.ended_at IS NULL THEN passed.detected ELSE t.total_count END,
	CASE WHEN t.ended_at IS NULL THEN passed.translated ELSE t.total_count END,
	(SELECT count(*) FROM item i WHERE i.task_id = t.id AND i.mode = 'fallback_to_unified' AND i.status = 'success'),
	(SELECT count(*) FROM comic_region r WHERE r.task_id = t.id AND ` + untranslated + `)
FROM task t CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE i.ended_at IS NOT NULL OR p.region_count IS NOT NULL) AS detected,
		count(*) FILTER (WHERE i.ended_at IS NOT NULL OR p.provider IS NOT NULL) AS translated
	FROM item i LEFT JOIN comic_page p USING (task_id, item_index) WHERE i.task_id = t.id AND t.ended_at IS NULL
) passed
WHERE t.id = ANY (@ids)`

// Counts reads the counts of several chapters in one query, by task id; a task that does not exist has none.
func (s Store) Counts(ctx context.Context, taskIDs ...string) (map[string]Counts, error) {
	found := make(map[string]Counts, len(taskIDs))
	err := s.Read(ctx, records.Statement{SQL: selectCounts, Args: pgx.NamedArgs{"ids": taskIDs}, Read: func(rows pgx.Rows) error {
		var id string
		var c Counts
		_, err := pgx.ForEachRow(rows, []any{&id, &c.Detected, &c.Translated, &c.Fallbacks, &c.Untranslated}, func() error {
			found[id] = c
			return nil
		})
		return err
	}})
	return found, records.Wrap(err, "count pages")
}
