package comicrecords

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// maxRegions bounds the regions of a page: small print has a few hundred, and people draw some more.
const maxRegions = 2000

// Until its text is read, the outline of the region is its only line.
const drawRegion = `
WITH drawn AS (
	INSERT INTO comic_region (task_id, item_index, region_index, source, target_lang, x0, y0, x1, y1, lines, texts, unread, direction, reading)
	SELECT @task, @item, @index, '', t.options ->> 'to', (@area::real[])[1], (@area::real[])[2], (@area::real[])[3], (@area::real[])[4],
		@lines, '{""}', true, 'h', 'running'
	FROM task t WHERE t.id = @task
)
UPDATE comic_page SET region_count = @index + 1, edited_at = now(), edit_revision = edit_revision + 1,
	edit_failure_code = NULL, edit_failure_message = NULL
WHERE task_id = @task AND item_index = @item`

// DrawRegion adds a region whose text is not read yet to a page that has a result, and marks the page for rendering. Its index is the number
// of regions before. It returns the page after that, and fails as [Store.EditPage] does.
func (s Store) DrawRegion(ctx context.Context, tenant, taskID string, page int, area comic.Area) (p Page, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "item": page, "area": area[:], "lines": []any{area.Quad()}}
	err = s.Transact(ctx, func(tx pgx.Tx) error {
		before, err := readEditable(ctx, tx, args)
		if err != nil {
			return err
		}
		args["index"] = len(before.translations)
		switch {
		case before.width > 0 && !area.Within(before.width, before.height):
			return core.Errorf(core.CodeInvalidInput, "the area is beyond the page, which has %d x %d pixels", before.width, before.height)
		case len(before.translations) >= maxRegions:
			return core.Errorf(core.CodeInvalidInput, "the page has %d regions already", len(before.translations))
		}
		if _, err := tx.Exec(ctx, drawRegion, args); err != nil {
			return err
		}
		p, err = readEdited(ctx, tx, args)
		return err
	})
	return p, records.Wrap(err, "draw a region")
}

// A region without a text, and one that a person has translated meanwhile, needs no model.
const saveReadings = `
UPDATE comic_region g SET kind = r.kind, source = r.source, source_lang = r.source_lang, x0 = r.x0, y0 = r.y0, x1 = r.x1, y1 = r.y1,
	lines = r.lines, texts = r.texts, ruby = r.ruby, unread = r.unread, direction = r.direction, alignment = r.alignment, angle = r.angle,
	font_size = r.font_size, prob = r.prob, style = r.style, updated_at = now(),
	reading = CASE WHEN r.source = '' OR g.translation IS NOT NULL THEN 'done' ELSE 'translating' END
FROM jsonb_to_recordset(@regions) AS r(region_index integer, kind text, source text, source_lang text, x0 real, y0 real, x1 real, y1 real,
	lines jsonb, texts text[], ruby jsonb, unread boolean, direction text, alignment text, angle double precision,
	font_size double precision, prob double precision, style jsonb)
WHERE g.task_id = @task AND g.item_index = @item AND g.region_index = r.region_index AND g.reading = 'running'`

// SaveReadings records what was read of regions that people drew. A region that was read before keeps that.
func (s Store) SaveReadings(ctx context.Context, page core.Item, regions []comic.Region) error {
	_, err := s.Write(ctx, page.TaskID, records.Statement{SQL: saveReadings, Args: pgx.NamedArgs{
		"task": page.TaskID, "item": page.Index, "regions": regionRows(regions),
	}})
	return records.Wrap(err, "save the readings of regions")
}

// Untranslated are the regions that people drew on a page and that wait for a model, in reading order: their indices, texts, kinds and
// languages.
func (s Store) Untranslated(ctx context.Context, page core.Item) (list []comic.Region, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT region_index, source, coalesce(override ->> 'kind', kind), source_lang, target_lang FROM comic_region
			WHERE task_id = @task AND item_index = @item AND reading = 'translating' AND NOT absent ORDER BY region_index`,
		Args: pgx.NamedArgs{"task": page.TaskID, "item": page.Index},
		Read: records.All(&list, func(row pgx.CollectableRow) (r comic.Region, err error) {
			err = row.Scan(&r.Index, &r.Text, &r.Kind, &r.SourceLang, &r.TargetLang)
			return r, err
		}),
	})
	return list, records.Wrap(err, "list regions to translate")
}

// The page shows the texts only once it is rendered again.
const saveDrawn = `
WITH changed AS (
	UPDATE comic_region g SET translation = t.translation, untranslated = nullif(t.untranslated, ''), provider = @provider, model = @model,
		reading = 'done', updated_at = now()
	FROM jsonb_to_recordset(@translations) AS t(region_index integer, translation text, untranslated text)
	WHERE g.task_id = @task AND g.item_index = @item AND g.region_index = t.region_index AND g.reading IS NOT NULL AND g.translation IS NULL
	RETURNING g.region_index
)
UPDATE comic_page SET edited_at = now(), edit_revision = edit_revision + 1
WHERE task_id = @task AND item_index = @item AND EXISTS (SELECT FROM changed)`

// SaveDrawn records the translations of regions that people drew, and marks the page for rendering. A translation that a person has
// written meanwhile stays.
func (s Store) SaveDrawn(ctx context.Context, page core.Item, out comic.TranslateOutput) error {
	_, err := s.Write(ctx, page.TaskID, records.Statement{SQL: saveDrawn, Args: pgx.NamedArgs{
		"task": page.TaskID, "item": page.Index, "provider": out.Provider, "model": records.Clean(out.Model),
		"translations": cleaned(out.Translations),
	}})
	return records.Wrap(err, "save the translations of drawn regions")
}
