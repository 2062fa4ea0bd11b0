package comicrecords

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

// Region is a region of a page: its place, text and translation.
type Region struct {
	Index int
	// Box is the upright rectangle around the lines: x0, y0, x1, y1 in pixels.
	Box       [4]float64
	Direction comic.Direction
	// Kind is the one that a person chose, or else the one that was found.
	Kind   comic.RegionKind
	Source string
	// Translation is empty until there is one, and for a region left as drawn.
	Translation string
	// Untranslated is why there is no acceptable translation; empty otherwise.
	Untranslated core.Untranslated
	// Overflow is whether the translation does not fit into its place.
	Overflow bool
	// Annotated is whether the region stays as drawn with its translation beside it, because it could not be erased cleanly.
	Annotated bool
	// Override is what a person chose besides the translation.
	Override comic.Override
	// Reading is the state of a region that a person drew; empty for one that was found.
	Reading comic.Reading
	// Alternatives are other translations that a person asked for; nil when nobody has, and when the source is another one since.
	Alternatives *comic.Alternatives
	// EditedBy and EditedAt are the author and time of what a person chose; empty and nil otherwise.
	EditedBy string
	EditedAt *time.Time
}

// Absent is as [comic.Region.Absent].
func (r Region) Absent() bool { return comic.Region{Reading: r.Reading, Override: r.Override}.Absent() }

// Regions lists the regions of a page in reading order.
func (s Store) Regions(ctx context.Context, taskID string, page int) (list []Region, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT r.region_index, r.x0, r.y0, r.x1, r.y1, r.direction, coalesce(r.override ->> 'kind', r.kind), r.source,
			coalesce(r.translation, ''), CASE WHEN r.translation = '' THEN coalesce(r.untranslated, '') ELSE '' END, r.overflow, r.annotated, r.override,
			coalesce(r.reading, ''), CASE WHEN r.alternatives ->> 'source' = r.source THEN r.alternatives END, coalesce(e.author, ''), e.edited_at
		FROM comic_region r JOIN item i USING (task_id, item_index) JOIN task t ON t.id = i.task_id
		LEFT JOIN comic_edit e ON e.tenant = t.tenant AND e.blob = i.blob AND e.to_lang = t.options ->> 'to'
			AND e.region_index = r.region_index AND e.source = r.source AND e.override = r.override - '{place,joined_into,cut}'::text[]
			AND (e.translation = r.translation OR e.translation IS NULL)
		WHERE r.task_id = @task AND r.item_index = @item ORDER BY r.region_index`,
		Args: pgx.NamedArgs{"task": taskID, "item": page}, Read: records.All(&list, scanRegion),
	})
	return list, records.Wrap(err, "list regions")
}

func scanRegion(row pgx.CollectableRow) (r Region, err error) {
	err = row.Scan(&r.Index, &r.Box[0], &r.Box[1], &r.Box[2], &r.Box[3], &r.Direction, &r.Kind, &r.Source, &r.Translation,
		&r.Untranslated, &r.Overflow, &r.Annotated, &r.Override, &r.Reading, &r.Alternatives, &r.EditedBy, &r.EditedAt)
	return r, err
}

// Translations reads the translations of a page in the order of its regions: nil while any region has none.
func (s Store) Translations(ctx context.Context, taskID string, page int) (list []core.Translation, err error) {
	complete := true
	scan := func(row pgx.CollectableRow) (t core.Translation, err error) {
		var text *string
		if err = row.Scan(&t.Index, &text, &t.Untranslated); err == nil && text != nil {
			t.Text = *text
		}
		complete = complete && text != nil
		return t, err
	}
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT region_index, translation, coalesce(untranslated, '') FROM comic_region
			WHERE task_id = @task AND item_index = @item ORDER BY region_index`,
		Args: pgx.NamedArgs{"task": taskID, "item": page}, Read: records.All(&list, scan),
	})
	if err != nil || !complete {
		return nil, records.Wrap(err, "read translations")
	}
	return list, nil
}

// PageScript is the texts of a page, for a person to fill in or to correct.
type PageScript struct {
	Index   int
	Name    string
	Regions []RegionText
}

// RegionText is the text of one region, with tags around what is emphasized; Translation is empty until there is one.
type RegionText struct {
	Index               int
	Source, Translation string
}

// Pairs reads the texts of a task with their translations so far, in reading order, to suggest a glossary from.
func (s Store) Pairs(ctx context.Context, taskID string) (list []glossary.Pair, err error) {
	err = s.Read(ctx, records.Statement{
		SQL:  `SELECT source, coalesce(translation, '') FROM comic_region WHERE task_id = @task AND NOT absent ORDER BY item_index, place`,
		Args: pgx.NamedArgs{"task": taskID}, Read: records.All(&list, pgx.RowToStructByPos[glossary.Pair]),
	})
	return list, records.Wrap(err, "read the texts of a task")
}

// Script reads the texts of all pages of a task, also of those without text.
func (s Store) Script(ctx context.Context, taskID string) (list []PageScript, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT i.item_index, i.name, coalesce((
			SELECT jsonb_agg(jsonb_build_object('region_index', region_index, 'text', source, 'texts', texts, 'emphasized', style->'emphasized',
				'translation', coalesce(translation, '')) ORDER BY place)
			FROM comic_region r WHERE r.task_id = i.task_id AND r.item_index = i.item_index AND NOT r.absent), '[]')
		FROM item i WHERE i.task_id = @task ORDER BY i.item_index`,
		Args: pgx.NamedArgs{"task": taskID}, Read: records.All(&list, scanScript),
	})
	return list, records.Wrap(err, "read a script")
}

func scanScript(row pgx.CollectableRow) (p PageScript, err error) {
	var regions []struct {
		comic.Region
		Translation string `json:"translation"`
	}
	if err = row.Scan(&p.Index, &p.Name, &regions); err != nil {
		return p, err
	}
	for _, r := range regions {
		p.Regions = append(p.Regions, RegionText{Index: r.Index, Source: r.Tagged(), Translation: r.Translation})
	}
	return p, nil
}
