package documentrecords

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

// PromptContext is what a translator gets of a page besides its texts.
type PromptContext struct {
	// Before are the last paragraphs of the page before, in reading order.
	Before   []string
	Glossary []glossary.Entry
	// Synopsis is the client's description of the document; may be empty.
	Synopsis string
}

// lastParagraphs is how many paragraphs of the page before are read.
const lastParagraphs = 2

// PromptContext reads, in one round trip, what a translator into a language is told of a page.
func (s Store) PromptContext(ctx context.Context, page core.Item, to string) (c PromptContext, err error) {
	err = s.Read(ctx,
		records.Statement{
			SQL: `SELECT source FROM (
					SELECT block_index, source FROM document_block
					WHERE task_id = @task AND item_index = @item - 1 AND class = @class AND table_index IS NULL AND source <> ''
					ORDER BY block_index DESC LIMIT @n
				) last ORDER BY block_index`,
			Args: pgx.NamedArgs{"task": page.TaskID, "item": page.Index, "class": document.ClassText, "n": lastParagraphs},
			Read: records.All(&c.Before, pgx.RowTo[string]),
		},
		records.ReadGlossary(page.Tenant, page.TaskID, to, &c.Glossary),
		records.ReadSynopsis(page.TaskID, &c.Synopsis),
	)
	return c, records.Wrap(err, "read the context of a prompt")
}
