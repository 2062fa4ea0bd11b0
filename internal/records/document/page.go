// Package documentrecords stores what only documents have: their pages, the blocks of text on them, and the files of their results. It
// adds its statements to the transactions of package records, which stores the items.
package documentrecords

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/records"
)

// Store keeps documents, with everything that tasks of all kinds share.
type Store struct{ *records.Store }

// New makes a store of documents.
func New(s *records.Store) Store { return Store{Store: s} }

// Page is a page of a document and its state.
type Page struct {
	records.Item
	PageInfo
	Provider, Model string
	// Counts are those of its blocks, and Overflow the number of texts that do not fit.
	document.Counts
	Overflow int
}

// PageInfo is what the layout of a page says of the page itself.
type PageInfo struct {
	// Number is the position in the document, from 0.
	Number int
	Label  string
	// Width and Height are those of the crop box in points, before the rotation; 0 before the layout.
	Width, Height float64
	Rotate        int
	// Scanned is set for a page that is a picture of text.
	Scanned bool
	// ContentHash identifies the content that the blocks refer to.
	ContentHash string
}

// countOf are the columns of a [document.Count], over blocks b with the condition.
func countOf(condition string) string {
	return `jsonb_build_object(
		'total', count(b) FILTER (WHERE ` + condition + `),
		'translated', count(b) FILTER (WHERE ` + condition + ` AND b.translation <> ''),
		'skipped_empty', count(b) FILTER (WHERE ` + condition + ` AND b.untranslated = 'empty'),
		'skipped_formula', count(b) FILTER (WHERE ` + condition + ` AND b.untranslated = 'formula'),
		'skipped_no_text', count(b) FILTER (WHERE ` + condition + ` AND b.untranslated = 'no_text'),
		'skipped_failed', count(b) FILTER (WHERE ` + condition + ` AND b.untranslated NOT IN ('empty', 'formula', 'no_text')))`
}

var (
	// The part of a paragraph that continues in another block is not counted again, unless it alone stays untranslated.
	counted = `(NOT b.continues OR b.untranslated IS NOT NULL)`

	selectCounts = `jsonb_build_object('paragraphs', ` + countOf(`b.table_index IS NULL AND `+counted) + `, 'cells', ` + countOf(`b.table_index IS NOT NULL`) + `)`

	selectPages = `SELECT ` + records.ItemColumns + `,
	coalesce(p.page_index, 0), coalesce(p.label, ''), coalesce(p.width, 0), coalesce(p.height, 0), coalesce(p.rotate, 0),
	coalesce(p.scanned, false), coalesce(p.content_hash, ''), coalesce(p.provider, ''), coalesce(p.model, ''), coalesce(p.overflow, 0),
	(SELECT ` + selectCounts + ` FROM document_block b WHERE b.task_id = i.task_id AND b.item_index = i.item_index)
	FROM item i JOIN task t ON t.id = i.task_id LEFT JOIN document_page p USING (task_id, item_index) WHERE i.task_id = @task`
)

func scanPage(row pgx.CollectableRow) (p Page, err error) {
	return p, row.Scan(append(p.Targets(),
		&p.Number, &p.Label, &p.Width, &p.Height, &p.Rotate, &p.Scanned, &p.ContentHash, &p.Provider, &p.Model, &p.Overflow, &p.Counts)...)
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

// Progress is how far the pages of a task have come.
type Progress struct {
	// LaidOut and Translated are the numbers of pages that are past these stages. A page that has ended is.
	LaidOut, Translated int
	// Fallbacks are the pages that were translated serially after their concurrent translation failed.
	Fallbacks int
	document.Counts
	// Overflow is the number of texts that do not fit at the smallest size.
	Overflow int
}

var selectProgress = `
SELECT t.id,
	CASE WHEN t.ended_at IS NULL THEN passed.laid_out ELSE t.total_count END,
	CASE WHEN t.ended_at IS NULL THEN passed.translated ELSE t.total_count END,
	(SELECT count(*) FROM item i WHERE i.task_id = t.id AND i.mode = '` + string(document.ModeFallback) + `' AND i.status = 'success'),
	(SELECT ` + selectCounts + ` FROM document_block b WHERE b.task_id = t.id),
	(SELECT coalesce(sum(p.overflow), 0) FROM document_page p WHERE p.task_id = t.id)
FROM task t CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE i.ended_at IS NOT NULL OR p.task_id IS NOT NULL) AS laid_out,
		count(*) FILTER (WHERE i.ended_at IS NOT NULL OR p.provider IS NOT NULL) AS translated
	FROM item i LEFT JOIN document_page p USING (task_id, item_index) WHERE i.task_id = t.id AND t.ended_at IS NULL
) passed
WHERE t.id = ANY (@ids)`

// Progress reads the progress of several documents in one query, by task id; a task that does not exist has none.
func (s Store) Progress(ctx context.Context, taskIDs ...string) (map[string]Progress, error) {
	found := make(map[string]Progress, len(taskIDs))
	err := s.Read(ctx, records.Statement{SQL: selectProgress, Args: pgx.NamedArgs{"ids": taskIDs}, Read: func(rows pgx.Rows) error {
		var id string
		var p Progress
		_, err := pgx.ForEachRow(rows, []any{&id, &p.LaidOut, &p.Translated, &p.Fallbacks, &p.Counts, &p.Overflow}, func() error {
			found[id] = p
			p.Counts = document.Counts{}
			return nil
		})
		return err
	}})
	return found, records.Wrap(err, "count the blocks of documents")
}
