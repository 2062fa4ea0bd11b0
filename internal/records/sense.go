package records

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
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
SELECT p.page_index, p.name, t.sources, t.translations
FROM (
	SELECT page_index, name FROM page WHERE task_id = @task AND page_index < @page
		AND EXISTS (SELECT FROM region r WHERE r.task_id = @task AND r.page_index = page.page_index AND r.translation <> '')
	ORDER BY page_index DESC LIMIT @n
) p CROSS JOIN LATERAL (
	SELECT array_agg(source ORDER BY region_index) AS sources, array_agg(coalesce(longer, translation) ORDER BY region_index) AS translations
	FROM region r WHERE r.task_id = @task AND r.page_index = p.page_index AND r.translation <> ''
) t
ORDER BY p.page_index`

// Sense reads, in one round trip, what a translator into a language should know of a page, with the texts of the n nearest
// pages before it that have translations.
func (s *Store) Sense(ctx context.Context, page core.Item, to string, n int) (Sense, error) {
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

func collectPageTexts(rows pgx.Rows) ([]PageText, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p PageText, err error) {
		var sources, translations []string
		if err = row.Scan(&p.Index, &p.Name, &sources, &translations); err != nil {
			return p, err
		}
		p.Pairs = make([]Pair, len(sources))
		for i := range sources {
			p.Pairs[i] = Pair{Source: sources[i], Translation: translations[i]}
		}
		return p, nil
	})
}
