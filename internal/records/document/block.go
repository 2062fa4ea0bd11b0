package documentrecords

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

// Block is a block with what became of it.
type Block struct {
	document.Block
	// Translation is empty for a block that stays as it is. Reason then says why; both are empty before the translation.
	Translation string
	Reason      string
	// Scale is the size of the translation relative to that of the source; 0 until it is set.
	Scale float64
}

// blockRow is a block as JSON for the statement that writes it.
type blockRow struct {
	Index        int             `json:"block_index"`
	Class        document.Class  `json:"class"`
	Source       string          `json:"source"`
	Tokens       int             `json:"tokens"`
	Untranslated document.Reason `json:"untranslated"`
	Formulas     int             `json:"formulas"`
	Continues    bool            `json:"continues"`
	Table        *int            `json:"table_index"`
	Row          *int            `json:"row_index"`
	Column       *int            `json:"column_index"`
	X0           float64         `json:"x0"`
	Y0           float64         `json:"y0"`
	X1           float64         `json:"x1"`
	Y1           float64         `json:"y1"`
	Size         float64         `json:"font_size"`
	Geometry     document.Block  `json:"geometry"`
}

func blockRows(blocks []document.Block, count func(string) int) []blockRow {
	rows := make([]blockRow, len(blocks))
	for i, b := range blocks {
		b.Text = records.Clean(b.Text)
		rows[i] = blockRow{
			Index: b.Index, Class: b.Class, Source: b.Text, Untranslated: b.Untranslated, Formulas: len(b.Formulas), Continues: b.Continues,
			X0: b.Box.X0, Y0: b.Box.Y0, X1: b.Box.X1, Y1: b.Box.Y1, Size: b.Size, Geometry: b,
		}
		if b.Untranslated == "" {
			rows[i].Tokens = count(b.Text)
		}
		if c := b.Cell; c != nil {
			rows[i].Table, rows[i].Row, rows[i].Column = &c.Table, &c.Row, &c.Column
		}
	}
	return rows
}

const (
	savePage = `
INSERT INTO document_page (task_id, item_index, page_index, label, width, height, rotate, scanned, content_hash)
VALUES (@task, @item, @number, @label, nullif(@width::real, 0), nullif(@height::real, 0), @rotate, @scanned, @hash)
ON CONFLICT (task_id, item_index) DO UPDATE SET page_index = excluded.page_index, label = excluded.label, width = excluded.width,
	height = excluded.height, rotate = excluded.rotate, scanned = excluded.scanned, content_hash = excluded.content_hash`

	// A block with the same text keeps its translation, so that a repeated layout does not lose paid translations.
	saveBlocks = `
WITH gone AS (
	DELETE FROM document_block WHERE task_id = @task AND item_index = @item AND block_index >= @count
)
INSERT INTO document_block (task_id, item_index, block_index, class, source, tokens, untranslated, formulas, continues, table_index,
	row_index, column_index, x0, y0, x1, y1, font_size, geometry)
SELECT @task::text, @item::integer, r.block_index, r.class, r.source, r.tokens, nullif(r.untranslated, ''), r.formulas, r.continues, r.table_index,
	r.row_index, r.column_index, r.x0, r.y0, r.x1, r.y1, r.font_size, r.geometry
FROM jsonb_to_recordset(@blocks) AS r(block_index integer, class text, source text, tokens integer, untranslated text, formulas integer,
	continues boolean, table_index integer, row_index integer, column_index integer, x0 real, y0 real, x1 real, y1 real, font_size real,
	geometry jsonb)
ON CONFLICT (task_id, item_index, block_index) DO UPDATE SET class = excluded.class, source = excluded.source, tokens = excluded.tokens,
	formulas = excluded.formulas, continues = excluded.continues, table_index = excluded.table_index, row_index = excluded.row_index,
	column_index = excluded.column_index, x0 = excluded.x0, y0 = excluded.y0, x1 = excluded.x1, y1 = excluded.y1,
	font_size = excluded.font_size, geometry = excluded.geometry, scale = NULL, updated_at = now(),
	translation = CASE WHEN document_block.source = excluded.source AND excluded.untranslated IS NULL THEN document_block.translation END,
	untranslated = coalesce(excluded.untranslated, CASE WHEN document_block.source = excluded.source THEN document_block.untranslated END)`
)

// Layout is what was found on a page.
type Layout struct {
	Page   PageInfo
	Blocks []document.Block
	// CountTokens counts the tokens of a text.
	CountTokens func(text string) int
	Elapsed     core.ElapsedMS
}

// SaveLayout writes a page with its blocks, and closes the run if its stage is layout. It fails with [core.CodeConflict] when the page has
// ended or the run was superseded.
func (s Store) SaveLayout(ctx context.Context, run records.StageRun, l Layout) error {
	page := l.Page
	args := run.Args()
	args["number"], args["label"], args["width"], args["height"] = page.Number, records.Clean(page.Label), page.Width, page.Height
	args["rotate"], args["scanned"], args["hash"] = page.Rotate, page.Scanned, page.ContentHash
	args["count"], args["blocks"] = len(l.Blocks), blockRows(l.Blocks, l.CountTokens)
	statements := []records.Statement{{SQL: savePage, Args: args}, {SQL: saveBlocks, Args: args}}
	if run.Stage == document.StageLayout {
		statements = append(statements, run.Close(l.Elapsed))
	}
	return records.Wrap(s.Save(ctx, run, statements...), "save the layout of a page")
}

// Blocks reads the blocks of a page in reading order.
func (s Store) Blocks(ctx context.Context, taskID string, page int) (list []Block, err error) {
	err = s.Read(ctx, ReadBlocks(taskID, page, &list))
	return list, records.Wrap(err, "read the blocks of a page")
}

// ReadBlocks is the statement that reads the blocks of a page.
func ReadBlocks(taskID string, page int, list *[]Block) records.Statement {
	return records.Statement{
		SQL: `SELECT geometry, coalesce(translation, ''), coalesce(untranslated, ''), coalesce(scale, 0) FROM document_block
			WHERE task_id = @task AND item_index = @item ORDER BY block_index`,
		Args: pgx.NamedArgs{"task": taskID, "item": page}, Read: records.All(list, scanBlock),
	}
}

func scanBlock(row pgx.CollectableRow) (b Block, err error) {
	return b, row.Scan(&b.Block, &b.Translation, &b.Reason, &b.Scale)
}

// Pairs reads the texts of a task with their translations, in the order of the document, to suggest a glossary from.
func (s Store) Pairs(ctx context.Context, taskID string) (list []glossary.Pair, err error) {
	err = s.Read(ctx, records.Statement{
		SQL:  `SELECT source, translation FROM document_block WHERE task_id = @task AND translation <> '' ORDER BY item_index, block_index`,
		Args: pgx.NamedArgs{"task": taskID}, Read: records.All(&list, pgx.RowToStructByPos[glossary.Pair]),
	})
	return list, records.Wrap(err, "read the texts of a document")
}

// Scale is how much smaller the texts of one source size and class are set, and Texts how many there are of them.
type Scale struct {
	Class document.Class
	Size  float64
	Scale float64
}

// Scales reads the scales of all texts of a task that are set, in the order of the document.
func (s Store) Scales(ctx context.Context, taskID string) (list []Scale, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT class, font_size::double precision, scale::double precision FROM document_block
			WHERE task_id = @task AND scale IS NOT NULL ORDER BY item_index, block_index`,
		Args: pgx.NamedArgs{"task": taskID}, Read: records.All(&list, pgx.RowToStructByPos[Scale]),
	})
	return list, records.Wrap(err, "read the sizes of a document")
}

// Headings reads the short texts of a task that are translated, in the order of the document.
func (s Store) Headings(ctx context.Context, taskID string) (list []document.Heading, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT source, translation FROM document_block
			WHERE task_id = @task AND translation IS NOT NULL AND formulas = 0 AND table_index IS NULL AND char_length(source) <= @longest
			ORDER BY class <> 'title', item_index, block_index`,
		Args: pgx.NamedArgs{"task": taskID, "longest": document.MaxTitle}, Read: records.All(&list, pgx.RowToStructByPos[document.Heading]),
	})
	return list, records.Wrap(err, "read the headings of a document")
}

const saveTranslations = `
WITH given AS (
	SELECT * FROM jsonb_to_recordset(@translations) AS t(region_index integer, translation text, untranslated text)
), page AS (
	UPDATE document_page SET provider = @provider, model = coalesce(nullif(@model, ''), model, '') WHERE task_id = @task AND item_index = @item
)
UPDATE document_block b SET translation = g.translation, untranslated = nullif(g.untranslated, ''), provider = @provider, model = @model,
	continues = b.continues OR b.block_index = ANY (@continuing), updated_at = now()
FROM given g WHERE b.task_id = @task AND b.item_index = @item AND b.block_index = g.region_index`

// Translations are the translations of a page.
type Translations struct {
	// List is one entry for each block that was to be translated, with the index of the block as the index of the region.
	List []core.Translation
	// Continuing are the indexes of blocks that were found to continue a paragraph of the page before.
	Continuing      []int
	Provider, Model string
	// Estimated is the usage estimated for the page; nil if no model was asked.
	Estimated *core.Usage
	Elapsed   core.ElapsedMS
}

// SaveTranslations writes the translations of a page, and closes the run. It fails as [Store.SaveLayout] does.
func (s Store) SaveTranslations(ctx context.Context, run records.StageRun, t Translations) error {
	args := run.Args()
	list := make([]core.Translation, len(t.List))
	for i, one := range t.List {
		list[i] = core.Translation{Index: one.Index, Text: records.Clean(one.Text), Untranslated: one.Untranslated}
	}
	args["provider"], args["model"], args["translations"] = t.Provider, records.Clean(t.Model), list
	args["continuing"] = append([]int{}, t.Continuing...)
	statements := []records.Statement{{SQL: saveTranslations, Args: args}}
	if t.Estimated != nil {
		args["estimate"] = t.Estimated
		statements = append(statements, records.Statement{
			SQL: `UPDATE item SET estimate = @estimate WHERE task_id = @task AND item_index = @item`, Args: args,
		})
	}
	return records.Wrap(s.Save(ctx, run, append(statements, run.Close(t.Elapsed))...), "save the translations of a page")
}

// Set is how the texts of a page were set.
type Set struct {
	Result  core.BlobRef
	Mode    core.Mode
	Scales  []BlockScale
	Unset   []BlockReason
	Elapsed core.ElapsedMS
	// Overflow is the number of texts that do not fit at the smallest size.
	Overflow int
}

// BlockScale is the scale of one block.
type BlockScale struct {
	Index int     `json:"block_index"`
	Scale float64 `json:"scale"`
}

// BlockReason is why a translated block stays as it was.
type BlockReason struct {
	Index  int             `json:"block_index"`
	Reason document.Reason `json:"reason"`
}

const (
	saveScales = `
UPDATE document_block b SET scale = s.scale, updated_at = now()
FROM jsonb_to_recordset(@scales) AS s(block_index integer, scale real)
WHERE b.task_id = @task AND b.item_index = @item AND b.block_index = s.block_index`

	// A text that no font can show is left as it was.
	saveUnset = `
UPDATE document_block b SET translation = NULL, untranslated = u.reason, updated_at = now()
FROM jsonb_to_recordset(@unset) AS u(block_index integer, reason text)
WHERE b.task_id = @task AND b.item_index = @item AND b.block_index = u.block_index`

	saveOverflow = `UPDATE document_page SET overflow = @overflow WHERE task_id = @task AND item_index = @item`
)

// FinishPage ends a page with its edit by the rules of [records.Store.FinishItem].
func (s Store) FinishPage(ctx context.Context, run records.StageRun, set Set) error {
	args := run.Args()
	args["scales"], args["unset"], args["overflow"] = append([]BlockScale{}, set.Scales...), append([]BlockReason{}, set.Unset...), set.Overflow
	return s.FinishItem(ctx, run, records.Finished{Mode: set.Mode, Result: set.Result, Elapsed: set.Elapsed},
		records.Statement{SQL: saveScales, Args: args}, records.Statement{SQL: saveUnset, Args: args}, records.Statement{SQL: saveOverflow, Args: args})
}
