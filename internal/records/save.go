package records

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
)

// writable is true for the page of a run while the page and its task have not ended and no later run has taken the
// run's place.
const writable = `page.task_id = @task AND page.page_index = @page AND page.status = 'running' AND page.attempts_before = @before
	AND EXISTS (SELECT FROM task WHERE id = @task AND ended_at IS NULL)
	AND EXISTS (SELECT FROM stage_run WHERE task_id = @task AND page_index = @page AND stage = @stage AND attempt = @attempt
		AND outcome IN ('running', 'success'))`

// endRun closes the run of a page that was written.
const endRun = `UPDATE stage_run r SET outcome = 'success', code = NULL, elapsed_ms = @elapsed, ended_at = now()
	FROM written w WHERE r.task_id = w.task_id AND r.page_index = w.page_index AND r.stage = @stage AND r.attempt = @attempt`

const touchTask = `UPDATE task SET updated_at = now() FROM written WHERE task.id = written.task_id`

// save runs sql, whose last part touches the task, and reports a run that may no longer write.
func (s *Store) save(ctx context.Context, run StageRun, sql string, args pgx.NamedArgs, doing string) error {
	changed, err := s.write(ctx, run.Page.TaskID, statement{sql: sql, args: args})
	if err != nil {
		return wrap(err, doing)
	}
	if changed[0] == 0 {
		return core.Errorf(core.CodeConflict, "%s has ended, or a later attempt has taken the place of this one", run.Page)
	}
	return nil
}

// A region that reads as before keeps its translation, so that detecting again loses nothing that was paid for.
const saveDetect = `
WITH written AS (
	UPDATE page SET width = nullif(@width, 0), height = nullif(@height, 0), from_lang = @from_lang, region_count = @count
	WHERE ` + writable + ` RETURNING task_id, page_index
), gone AS (
	DELETE FROM region g USING written w
	WHERE g.task_id = w.task_id AND g.page_index = w.page_index AND g.region_index >= @count
), found AS (
	INSERT INTO region (task_id, page_index, region_index, kind, source, source_lang, target_lang, x0, y0, x1, y1, lines, texts,
		direction, alignment, angle, font_size, prob, style)
	SELECT w.task_id, w.page_index, r.* FROM written w, jsonb_to_recordset(@regions) AS r(region_index integer, kind text, source text,
		source_lang text, target_lang text, x0 real, y0 real, x1 real, y1 real, lines jsonb, texts text[],
		direction text, alignment text, angle real, font_size real, prob real, style jsonb)
	ON CONFLICT (task_id, page_index, region_index) DO UPDATE SET
		kind = excluded.kind, source = excluded.source, source_lang = excluded.source_lang, target_lang = excluded.target_lang,
		x0 = excluded.x0, y0 = excluded.y0, x1 = excluded.x1, y1 = excluded.y1, lines = excluded.lines, texts = excluded.texts,
		direction = excluded.direction, alignment = excluded.alignment, angle = excluded.angle, font_size = excluded.font_size,
		prob = excluded.prob, style = excluded.style, updated_at = now(),
		translation = CASE WHEN region.source = excluded.source THEN region.translation END,
		untranslated = CASE WHEN region.source = excluded.source THEN region.untranslated END,
		provider = CASE WHEN region.source = excluded.source THEN region.provider END,
		model = CASE WHEN region.source = excluded.source THEN region.model END
), run AS (` + endRun + ` AND @stage = 'detect')
` + touchTask

// SaveDetect writes the regions, the size and the language of a page, and closes the run when its stage is detect. It
// fails with [core.CodeConflict] when the page has ended or the run was superseded.
func (s *Store) SaveDetect(ctx context.Context, run StageRun, out comic.DetectOutput) error {
	args := run.args()
	args["width"], args["height"], args["from_lang"] = out.Width, out.Height, out.FromLang
	args["count"], args["regions"], args["elapsed"] = len(out.Regions), regionRows(out.Regions), elapsedOf(out.Elapsed)
	return s.save(ctx, run, saveDetect, args, "save the regions of a page")
}

const saveTranslations = `
WITH written AS (
	UPDATE page SET provider = @provider, model = @model, estimate = coalesce(@estimate, estimate)
	WHERE ` + writable + ` RETURNING task_id, page_index
), translated AS (
	UPDATE region g SET translation = t.translation, untranslated = nullif(t.untranslated, ''), provider = @provider, model = @model, updated_at = now()
	FROM written w, jsonb_to_recordset(@translations) AS t(region_index integer, translation text, untranslated text)
	WHERE g.task_id = w.task_id AND g.page_index = w.page_index AND g.region_index = t.region_index
), run AS (` + endRun + ` AND @stage = 'translate')
` + touchTask

// SaveTranslations writes the translations of a page, and closes the run when its stage is translate. It fails with
// [core.CodeConflict] when the page has ended or the run was superseded.
func (s *Store) SaveTranslations(ctx context.Context, run StageRun, out comic.TranslateOutput) error {
	args := run.args()
	args["provider"], args["model"] = out.Provider, clean(out.Model)
	args["translations"], args["elapsed"], args["estimate"] = cleaned(out.Translations), elapsedOf(out.Elapsed), out.Estimated
	return s.save(ctx, run, saveTranslations, args, "save the translations of a page")
}

// cleaned are translations fit for the table.
func cleaned(translations []core.Translation) []core.Translation {
	list := make([]core.Translation, len(translations))
	for i, t := range translations {
		list[i] = core.Translation{Index: t.Index, Text: clean(t.Text), Untranslated: t.Untranslated}
	}
	return list
}

// regionRow is a region as the table has it.
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
	Direction  string        `json:"direction"`
	Alignment  string        `json:"alignment"`
	Angle      float64       `json:"angle"`
	FontSize   float64       `json:"font_size"`
	Prob       float64       `json:"prob"`
	Style      regionStyle   `json:"style"`
}

// regionStyle is what only lettering reads.
type regionStyle struct {
	FG              raster.RGB `json:"fg_colors"`
	BG              raster.RGB `json:"bg_colors"`
	LineSpacing     float64    `json:"line_spacing"`
	StrokeWidth     float64    `json:"stroke_width"`
	StrokeColorType string     `json:"stroke_color_type"`
	AdjustBGColor   bool       `json:"adjust_bg_color"`
}

func regionRows(regions []comic.Region) []regionRow {
	rows := make([]regionRow, len(regions))
	for i, r := range regions {
		x0, y0, x1, y1 := r.Bounds()
		texts := make([]string, len(r.Texts))
		for j, t := range r.Texts {
			texts[j] = clean(t)
		}
		rows[i] = regionRow{
			Index: r.Index, Kind: string(r.Kind), Source: clean(r.Text), SourceLang: r.SourceLang, TargetLang: r.TargetLang,
			X0: x0, Y0: y0, X1: x1, Y1: y1, Lines: append([]raster.Quad{}, r.Lines...), Texts: texts,
			Direction: string(r.Direction), Alignment: string(r.Alignment), Angle: r.Angle, FontSize: r.FontSize, Prob: r.Prob,
			Style: regionStyle{
				FG: r.FG, BG: r.BG, LineSpacing: r.LineSpacing, StrokeWidth: r.StrokeWidth, StrokeColorType: r.StrokeColorType,
				AdjustBGColor: r.AdjustBGColor,
			},
		}
	}
	return rows
}
