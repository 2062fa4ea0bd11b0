package comicrecords

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
	"plait/internal/records"
)

// Lettering is what a page is lettered with.
type Lettering struct {
	// Regions are those of the page in reading order, as detect found them, with what people chose for them.
	Regions []comic.Region
	// Translations has one for each region; its text is empty where the region stays as drawn.
	Translations []core.Translation
}

// Lettering reads the regions of a page with their translations.
func (s Store) Lettering(ctx context.Context, taskID string, page int) (l Lettering, err error) {
	scan := func(row pgx.CollectableRow) (r comic.Region, err error) {
		t := core.Translation{}
		var lines, ruby, style []byte
		err = row.Scan(&r.Index, &r.Kind, &r.Text, &r.SourceLang, &r.TargetLang, &lines, &r.Texts, &ruby, &r.Unread, &r.Direction, &r.Alignment,
			&r.Angle, &r.FontSize, &r.Prob, &style, &t.Text, &r.Override, &r.Reading)
		if err != nil {
			return r, err
		}
		t.Index = r.Index
		if r.Override.Kind != "" {
			r.Kind = r.Override.Kind
		}
		l.Translations = append(l.Translations, t)
		return r, setLook(&r, lines, ruby, style)
	}
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT region_index, kind, source, source_lang, target_lang, lines, texts, ruby, unread, direction, alignment, angle, font_size,
			prob, style, coalesce(translation, ''), override, coalesce(reading, '')
		FROM comic_region WHERE task_id = @task AND item_index = @item ORDER BY region_index`,
		Args: pgx.NamedArgs{"task": taskID, "item": page}, Read: records.All(&l.Regions, scan),
	})
	return l, records.Wrap(err, "read the lettering of a page")
}

// Overridden reports whether a person chose anything for the regions besides translations.
func (l Lettering) Overridden() bool {
	return slices.ContainsFunc(l.Regions, func(r comic.Region) bool { return r.Override != (comic.Override{}) })
}

// setLook sets what the records have as JSON.
func setLook(r *comic.Region, lines, ruby, style []byte) error {
	if err := json.Unmarshal(lines, &r.Lines); err != nil {
		return err
	}
	var small []raster.Quad
	if err := json.Unmarshal(ruby, &small); err != nil {
		return err
	}
	if len(small) > 0 {
		r.Ruby = small
	}
	var look regionStyle
	if err := json.Unmarshal(style, &look); err != nil {
		return err
	}
	r.FG, r.BG, r.LineSpacing = look.FG, look.BG, look.LineSpacing
	r.Emphasized = look.Emphasized
	r.StrokeWidth, r.StrokeColorType, r.AdjustBGColor = look.StrokeWidth, look.StrokeColorType, look.AdjustBGColor
	return nil
}
