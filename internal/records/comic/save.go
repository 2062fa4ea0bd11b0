package comicrecords

import (
	"context"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
	"plait/internal/records"
)

const (
	saveFound = `
INSERT INTO comic_page (task_id, item_index, width, height, from_lang, region_count)
VALUES (@task, @item, nullif(@width, 0), nullif(@height, 0), @from_lang, @count)
ON CONFLICT (task_id, item_index) DO UPDATE SET width = excluded.width, height = excluded.height, from_lang = excluded.from_lang,
	region_count = excluded.region_count`

	// A region with the same text keeps its translation, so that detecting a page again does not lose paid translations, and takes what
	// people chose for it earlier on the same image.
	saveRegions = `
WITH gone AS (
	DELETE FROM comic_region WHERE task_id = @task AND item_index = @item AND region_index >= @count
)
INSERT INTO comic_region (task_id, item_index, region_index, kind, source, source_lang, target_lang, x0, y0, x1, y1, lines, texts,
	ruby, unread, direction, alignment, angle, font_size, prob, style, override)
SELECT @task::text, @item::integer, r.*, coalesce((
	SELECT e.override FROM comic_edit e JOIN task t ON t.id = @task AND e.tenant = t.tenant AND e.to_lang = t.options ->> 'to'
	JOIN item i ON i.task_id = t.id AND i.item_index = @item AND e.blob = i.blob
	WHERE e.region_index = r.region_index AND e.source = r.source), '{}')
FROM jsonb_to_recordset(@regions) AS r(region_index integer, kind text, source text,
	source_lang text, target_lang text, x0 real, y0 real, x1 real, y1 real, lines jsonb, texts text[],
	ruby jsonb, unread boolean, direction text, alignment text, angle double precision, font_size double precision,
	prob double precision, style jsonb)
ON CONFLICT (task_id, item_index, region_index) DO UPDATE SET
	kind = excluded.kind, source = excluded.source, source_lang = excluded.source_lang, target_lang = excluded.target_lang,
	x0 = excluded.x0, y0 = excluded.y0, x1 = excluded.x1, y1 = excluded.y1, lines = excluded.lines, texts = excluded.texts,
	ruby = excluded.ruby, unread = excluded.unread, direction = excluded.direction, alignment = excluded.alignment,
	angle = excluded.angle, font_size = excluded.font_size, prob = excluded.prob, style = excluded.style, override = excluded.override,
	updated_at = now(),
	translation = CASE WHEN comic_region.source = excluded.source THEN comic_region.translation END,
	untranslated = CASE WHEN comic_region.source = excluded.source THEN comic_region.untranslated END,
	provider = CASE WHEN comic_region.source = excluded.source THEN comic_region.provider END,
	model = CASE WHEN comic_region.source = excluded.source THEN comic_region.model END`
)

// SaveDetect writes the regions, the size and the language of a page, and closes the run when its stage is detect. It
// fails with [core.CodeConflict] when the page has ended or the run was superseded.
func (s Store) SaveDetect(ctx context.Context, run records.StageRun, out comic.DetectOutput) error {
	args := run.Args()
	args["width"], args["height"], args["from_lang"] = out.Width, out.Height, out.FromLang
	args["count"], args["regions"] = len(out.Regions), regionRows(out.Regions)
	statements := []records.Statement{{SQL: saveFound, Args: args}, {SQL: saveRegions, Args: args}}
	if run.Stage == comic.StageDetect {
		statements = append(statements, run.Close(out.Elapsed))
	}
	return records.Wrap(s.Save(ctx, run, statements...), "save the regions of a page")
}

const (
	saveTranslator = `
INSERT INTO comic_page (task_id, item_index, provider, model) VALUES (@task, @item, @provider, @model)
ON CONFLICT (task_id, item_index) DO UPDATE SET provider = excluded.provider, model = excluded.model`

	saveEstimate = `UPDATE item SET estimate = @estimate WHERE task_id = @task AND item_index = @item`

	saveTranslations = `
UPDATE comic_region g SET translation = t.translation, untranslated = nullif(t.untranslated, ''), provider = @provider, model = @model,
	updated_at = now()
FROM jsonb_to_recordset(@translations) AS t(region_index integer, translation text, untranslated text)
WHERE g.task_id = @task AND g.item_index = @item AND g.region_index = t.region_index`
)

// SaveTranslations writes the translations of a page, and closes the run when its stage is translate. It fails with
// [core.CodeConflict] when the page has ended or the run was superseded.
func (s Store) SaveTranslations(ctx context.Context, run records.StageRun, out comic.TranslateOutput) error {
	args := run.Args()
	args["provider"], args["model"], args["translations"] = out.Provider, records.Clean(out.Model), cleaned(out.Translations)
	statements := []records.Statement{{SQL: saveTranslator, Args: args}, {SQL: saveTranslations, Args: args}}
	if out.Estimated != nil {
		args["estimate"] = out.Estimated
		statements = append(statements, records.Statement{SQL: saveEstimate, Args: args})
	}
	if run.Stage == comic.StageTranslate {
		statements = append(statements, run.Close(out.Elapsed))
	}
	return records.Wrap(s.Save(ctx, run, statements...), "save the translations of a page")
}

const (
	finishPage = `
INSERT INTO comic_page (task_id, item_index, region_count, output_changed, no_change_reason, missing_characters)
VALUES (@task, @item, @count, @changed, nullif(@reason, ''), nullif(@missing, ''))
ON CONFLICT (task_id, item_index) DO UPDATE SET region_count = excluded.region_count, output_changed = excluded.output_changed,
	no_change_reason = excluded.no_change_reason, missing_characters = excluded.missing_characters`

	finishRegions = `
UPDATE comic_region g SET overflow = g.region_index = ANY (@overflow), annotated = g.region_index = ANY (@annotated), updated_at = now(),
	longer = CASE WHEN s.translation IS NULL THEN g.longer ELSE g.translation END, translation = coalesce(s.translation, g.translation)
FROM comic_region o LEFT JOIN jsonb_to_recordset(@shortened) AS s(region_index integer, translation text) USING (region_index)
WHERE o.task_id = @task AND o.item_index = @item
	AND (s.translation IS NOT NULL OR o.region_index = ANY (@overflow) OR o.region_index = ANY (@annotated))
	AND g.task_id = o.task_id AND g.item_index = o.item_index AND g.region_index = o.region_index`
)

// FinishPage ends a page with its result by the rules of [records.Store.FinishItem], stores the shortened texts, and marks the texts
// that do not fit and those that were set beside their region.
func (s Store) FinishPage(ctx context.Context, run records.StageRun, out comic.PageOutput) error {
	args := run.Args()
	args["changed"], args["reason"], args["count"] = out.OutputChanged, string(out.NoChangeReason), out.Regions
	args["overflow"], args["annotated"] = append([]int{}, out.Overflow...), append([]int{}, out.Annotated...)
	args["shortened"], args["missing"] = cleaned(out.Shortened), records.Clean(out.Missing)
	return s.FinishItem(ctx, run, records.Finished{Mode: out.Mode, Result: out.Result, Elapsed: out.Elapsed},
		records.Statement{SQL: finishPage, Args: args}, records.Statement{SQL: finishRegions, Args: args},
		keepLayers(run.Item, 0, out.Layers))
}

// cleaned are the translations without characters that Postgres refuses.
func cleaned(translations []core.Translation) []core.Translation {
	list := make([]core.Translation, len(translations))
	for i, t := range translations {
		list[i] = core.Translation{Index: t.Index, Text: records.Clean(t.Text), Untranslated: t.Untranslated}
	}
	return list
}

// regionRow is a region as JSON for the statement that writes it.
type regionRow struct {
	Index      int           `json:"region_index"`
	Kind       string        `json:"kind"`
	Source     string        `json:"source"`
	SourceLang string        `json:"source_lang"`
	TargetLang string        `json:"target_lang"`
	X0         float64       `json:"x0"`
	Y0         float64       `json:"y0"`
	X1         float64       `json:"x1"`
	Y1         float64       `json:"y1"`
	Lines      []raster.Quad `json:"lines"`
	Texts      []string      `json:"texts"`
	Ruby       []raster.Quad `json:"ruby"`
	Unread     bool          `json:"unread"`
	Direction  string        `json:"direction"`
	Alignment  string        `json:"alignment"`
	Angle      float64       `json:"angle"`
	FontSize   float64       `json:"font_size"`
	Prob       float64       `json:"prob"`
	Style      regionStyle   `json:"style"`
}

// regionStyle is the part of a region that only lettering reads.
type regionStyle struct {
	FG              raster.RGB `json:"fg_colors"`
	BG              raster.RGB `json:"bg_colors"`
	LineSpacing     float64    `json:"line_spacing"`
	StrokeWidth     float64    `json:"stroke_width"`
	StrokeColorType string     `json:"stroke_color_type"`
	AdjustBGColor   bool       `json:"adjust_bg_color"`
	Emphasized      []int      `json:"emphasized,omitempty"`
}

func regionRows(regions []comic.Region) []regionRow {
	rows := make([]regionRow, len(regions))
	for i, r := range regions {
		x0, y0, x1, y1 := r.Bounds()
		texts := make([]string, len(r.Texts))
		for j, t := range r.Texts {
			texts[j] = records.Clean(t)
		}
		rows[i] = regionRow{
			Index: r.Index, Kind: string(r.Kind), Source: records.Clean(r.Text), SourceLang: r.SourceLang, TargetLang: r.TargetLang,
			X0: x0, Y0: y0, X1: x1, Y1: y1, Lines: append([]raster.Quad{}, r.Lines...), Texts: texts,
			Ruby: append([]raster.Quad{}, r.Ruby...), Unread: r.Unread, Direction: string(r.Direction), Alignment: string(r.Alignment), Angle: r.Angle, FontSize: r.FontSize, Prob: r.Prob,
			Style: regionStyle{
				FG: r.FG, BG: r.BG, LineSpacing: r.LineSpacing, StrokeWidth: r.StrokeWidth, StrokeColorType: r.StrokeColorType,
				AdjustBGColor: r.AdjustBGColor, Emphasized: r.Emphasized,
			},
		}
	}
	return rows
}
