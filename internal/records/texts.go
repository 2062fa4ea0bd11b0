package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
)

// Translations reads the translations of a page in the order of its regions: nil while any region has none.
func (s *Store) Translations(ctx context.Context, taskID string, page int) ([]core.Translation, error) {
	rows, err := s.pool.Query(ctx, `SELECT region_index, translation, coalesce(untranslated, '') FROM region
		WHERE task_id = $1 AND page_index = $2 ORDER BY region_index`, taskID, page)
	if err != nil {
		return nil, wrap(err, "read translations")
	}
	complete := true
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t core.Translation, err error) {
		var text *string
		if err = row.Scan(&t.Index, &text, &t.Untranslated); err == nil && text != nil {
			t.Text = *text
		}
		complete = complete && text != nil
		return t, err
	})
	if err != nil || !complete {
		return nil, wrap(err, "read translations")
	}
	return list, nil
}

// PageScript is the texts of a page, for a person to fill in or correct.
type PageScript struct {
	Index   int
	Name    string
	Regions []RegionText
}

// RegionText is the text of one region; Translation is empty until there is one.
type RegionText struct {
	Index       int    `json:"region_index"`
	Source      string `json:"source"`
	Translation string `json:"translation"`
}

// Script reads the texts of all pages of a task, also of those without text.
func (s *Store) Script(ctx context.Context, taskID string) ([]PageScript, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT p.page_index, p.name, coalesce((
			SELECT jsonb_agg(jsonb_build_object('region_index', region_index, 'source', source, 'translation', coalesce(translation, ''))
				ORDER BY region_index)
			FROM region r WHERE r.task_id = p.task_id AND r.page_index = p.page_index), '[]')
		FROM page p WHERE p.task_id = $1 ORDER BY p.page_index`, taskID)
	if err != nil {
		return nil, wrap(err, "read a script")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[PageScript])
	return list, wrap(err, "read a script")
}

// Region is a region of a page as a reader wants it: where it is, what it says.
type Region struct {
	Index int
	// Box is the upright rectangle around the lines: x0, y0, x1, y1 in pixels.
	Box       [4]float64
	Direction comic.Direction
	Source    string
	// Translation is empty until there is one, and for a region left as drawn.
	Translation string
	// Untranslated is the reason when no fit translation was had.
	Untranslated core.Untranslated
	// Overflow says that the translation does not fit where the result shows it.
	Overflow bool
	// EditedBy and EditedAt tell who decided on the translation, and when; empty and nil when it was no person.
	EditedBy string
	EditedAt *time.Time
}

// Regions lists the regions of a page in reading order.
func (s *Store) Regions(ctx context.Context, taskID string, page int) ([]Region, error) {
	rows, err := s.pool.Query(ctx, `SELECT r.region_index, r.x0, r.y0, r.x1, r.y1, r.direction, r.source, coalesce(r.translation, ''),
			CASE WHEN r.translation = '' THEN coalesce(r.untranslated, '') ELSE '' END, r.tight, coalesce(e.author, ''), e.edited_at
		FROM region r JOIN page p USING (task_id, page_index) JOIN task t ON t.id = p.task_id
		LEFT JOIN edit e ON e.tenant = t.tenant AND e.blob = p.blob AND e.to_lang = t.to_lang AND e.region_index = r.region_index
			AND e.source = r.source AND e.translation = r.translation
		WHERE r.task_id = $1 AND r.page_index = $2 ORDER BY r.region_index`, taskID, page)
	if err != nil {
		return nil, wrap(err, "list regions")
	}
	list, err := pgx.CollectRows(rows, scanRegion)
	return list, wrap(err, "list regions")
}

func scanRegion(row pgx.CollectableRow) (r Region, err error) {
	err = row.Scan(&r.Index, &r.Box[0], &r.Box[1], &r.Box[2], &r.Box[3], &r.Direction, &r.Source, &r.Translation, &r.Untranslated,
		&r.Overflow, &r.EditedBy, &r.EditedAt)
	return r, err
}
