package records

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/pipeline"
	"plait/internal/translate/glossary"
)

// Sense is what a translator should know of a page beside its texts. All of it is the tenant's own, and but for glossary and edits
// the task's.
type Sense struct {
	// Before are the texts of pages before this one, in page order.
	Before []PageText
	// Glossary is as [Store.Glossary] reads it, and Edits as [Store.Edits].
	Glossary []glossary.Entry
	Edits    []Region
	// Synopsis is what the client said of the chapter, empty when nothing.
	Synopsis string
}

// PageText is what was said on a page, as context for the pages after it.
type PageText struct {
	Index int
	Name  string
	Pairs []Pair
}

// Pair is a text and its translation.
type Pair struct {
	Source      string `json:"source"`
	Translation string `json:"translation"`
}

// previousTexts are those of the @n nearest pages before @page that have translations. A text that was shortened later is told as it
// was first: a page that is translated again after a crash is to ask what it asked before, so that it is not paid for twice.
const previousTexts = `
SELECT r.page_index, p.name, r.source, coalesce(r.longer, r.translation)
FROM region r JOIN page p USING (task_id, page_index)
WHERE r.task_id = @task AND r.page_index < @page AND r.translation <> '' AND r.page_index >= (
	SELECT min(page_index) FROM (
		SELECT page_index FROM page said WHERE task_id = @task AND page_index < @page
			AND EXISTS (SELECT FROM region WHERE task_id = @task AND page_index = said.page_index AND translation <> '')
		ORDER BY page_index DESC LIMIT @n
	) nearest)
ORDER BY r.page_index, r.region_index`

// Sense reads, in one round trip, what a translator into a language should know of a page, with the texts of the n nearest
// pages before it that have translations.
func (s *Store) Sense(ctx context.Context, page pipeline.PageRef, to string, n int) (Sense, error) {
	args := pgx.NamedArgs{
		"task": page.TaskID, "page": page.Index, "n": max(n, 0), "tenant": page.Tenant, "image": page.Blob, "to": to,
	}
	var sense Sense
	batch := &pgx.Batch{}
	batch.Queue(previousTexts, args).Query(func(rows pgx.Rows) (err error) {
		sense.Before, err = collectPageTexts(rows)
		return err
	})
	batch.Queue(selectGlossary, args).Query(func(rows pgx.Rows) (err error) {
		sense.Glossary, err = collectGlossary(rows)
		return err
	})
	batch.Queue(selectEdits, args).Query(func(rows pgx.Rows) (err error) {
		sense.Edits, err = pgx.CollectRows(rows, scanRegion)
		return err
	})
	batch.Queue(`SELECT synopsis FROM task WHERE id = @task AND synopsis IS NOT NULL`, args).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&sense.Synopsis}, func() error { return nil })
		return err
	})
	return sense, wrap(s.pool.SendBatch(ctx, batch).Close(), "read what a translator should know")
}

// collectPageTexts reads rows in page order.
func collectPageTexts(rows pgx.Rows) ([]PageText, error) {
	var list []PageText
	var index int
	var name string
	var pair Pair
	_, err := pgx.ForEachRow(rows, []any{&index, &name, &pair.Source, &pair.Translation}, func() error {
		if len(list) == 0 || list[len(list)-1].Index != index {
			list = append(list, PageText{Index: index, Name: name})
		}
		last := &list[len(list)-1]
		last.Pairs = append(last.Pairs, pair)
		return nil
	})
	return list, err
}
