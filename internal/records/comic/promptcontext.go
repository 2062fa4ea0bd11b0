package comicrecords

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

// PromptContext is what a translator gets of a page besides its texts. All of it belongs to the tenant; all but the glossary and the
// edits belongs to the task.
type PromptContext struct {
	// Before are the texts of earlier pages, in page order.
	Before []PageText
	// Glossary is as [records.Store.Glossary] reads it, and Edits as [Store.Edits].
	Glossary []glossary.Entry
	Edits    []Region
	// Synopsis is the client's description of the chapter; may be empty.
	Synopsis string
}

// PageText is the translated text of a page, as context for the pages after it.
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

// previousTexts are those of the @n nearest pages before @item that have translations. A text that was shortened later is given in
// its first form, so that repeating the translation of a page after a crash sends the same request, and its recorded answer is used.
const previousTexts = `
SELECT i.item_index, i.name, t.sources, t.translations
FROM (
	SELECT item_index, name FROM item WHERE task_id = @task AND item_index < @item
		AND EXISTS (SELECT FROM comic_region r WHERE r.task_id = @task AND r.item_index = item.item_index AND r.translation <> '' AND NOT r.absent)
	ORDER BY item_index DESC LIMIT @n
) i CROSS JOIN LATERAL (
	SELECT array_agg(source ORDER BY place) AS sources, array_agg(coalesce(longer, translation) ORDER BY place) AS translations
	FROM comic_region r WHERE r.task_id = @task AND r.item_index = i.item_index AND r.translation <> '' AND NOT r.absent
) t
ORDER BY i.item_index`

// PromptContext reads, in one round trip, what a translator into a language is told of a page, with the texts of the n nearest
// pages before it that have translations.
func (s Store) PromptContext(ctx context.Context, page core.Item, to string, n int) (c PromptContext, err error) {
	err = s.Read(ctx,
		records.Statement{
			SQL: previousTexts, Args: pgx.NamedArgs{"task": page.TaskID, "item": page.Index, "n": max(n, 0)},
			Read: records.All(&c.Before, scanPageText),
		},
		records.ReadGlossary(page.Tenant, page.TaskID, to, &c.Glossary),
		readEdits(page.Tenant, page.Blob, to, &c.Edits),
		records.ReadSynopsis(page.TaskID, &c.Synopsis),
	)
	return c, records.Wrap(err, "read the context of a prompt")
}

func scanPageText(row pgx.CollectableRow) (p PageText, err error) {
	var sources, translations []string
	if err = row.Scan(&p.Index, &p.Name, &sources, &translations); err != nil {
		return p, err
	}
	p.Pairs = make([]Pair, len(sources))
	for i := range sources {
		p.Pairs[i] = Pair{Source: sources[i], Translation: translations[i]}
	}
	return p, nil
}
