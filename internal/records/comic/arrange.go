package comicrecords

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
	"plait/internal/records"
)

// ownText is what a region has of its own when it also has the text of others, or only a part of it: the column own.
type ownText struct {
	Text  string        `json:"text"`
	Lines []raster.Quad `json:"lines"`
	Texts []string      `json:"texts"`
	Ruby  []raster.Quad `json:"ruby"`
}

func (o ownText) of(r comic.Region) comic.Region {
	r.Text, r.Lines, r.Texts, r.Ruby = o.Text, o.Lines, o.Texts, o.Ruby
	return r
}

func ownOf(r comic.Region) ownText { return ownText{r.Text, r.Lines, r.Texts, r.Ruby} }

// arrangedPage are the regions of a page as they are, and as they were found or drawn.
type arrangedPage struct{ now, own []comic.Region }

func readArranged(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) (p arrangedPage, err error) {
	rows, err := tx.Query(ctx, `SELECT region_index, source, lines, texts, ruby, own, override, coalesce(reading, ''), direction, font_size, unread
		FROM comic_region WHERE task_id = @task AND item_index = @item ORDER BY region_index`, args)
	if err != nil {
		return p, err
	}
	p.now, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (r comic.Region, err error) {
		var own *ownText
		if err = row.Scan(&r.Index, &r.Text, &r.Lines, &r.Texts, &r.Ruby, &own, &r.Override, &r.Reading, &r.Direction, &r.FontSize, &r.Unread); err != nil {
			return r, err
		}
		mine := r
		if own != nil {
			mine = own.of(r)
		}
		p.own = append(p.own, mine)
		return r, nil
	})
	return p, err
}

// arrangedRow is what changes of a region when the page is arranged otherwise.
type arrangedRow struct {
	regionRow
	Own json.RawMessage `json:"own"`
}

const saveArranged = `
UPDATE comic_region g SET source = r.source, x0 = r.x0, y0 = r.y0, x1 = r.x1, y1 = r.y1, lines = r.lines, texts = r.texts, ruby = r.ruby,
	own = nullif(r.own, 'null'), style = CASE WHEN g.texts = r.texts THEN g.style ELSE g.style - 'emphasized' END, updated_at = now()
FROM jsonb_to_recordset(@arranged) AS r(region_index integer, source text, x0 real, y0 real, x1 real, y1 real, lines jsonb, texts text[],
	ruby jsonb, own jsonb)
WHERE g.task_id = @task AND g.item_index = @item AND g.region_index = r.region_index`

// arrange gives the regions of a page the lines and texts that they have after edits. It fails with [core.CodeConflict] for a region that is
// still being read.
func arrange(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs, edits []editRow) error {
	p, err := readArranged(ctx, tx, args)
	if err != nil {
		return err
	}
	for _, e := range edits {
		if p.now[e.Index].Reading == comic.ReadingRunning {
			return core.Errorf(core.CodeConflict, "region_index %d is still being read", e.Index)
		}
		p.own[e.Index].Override = e.Override
	}
	after, err := comic.Arrange(p.own)
	if err != nil {
		return err
	}
	var changed []arrangedRow
	for i, r := range after {
		if reflect.DeepEqual(ownOf(r), ownOf(p.now[i])) {
			continue
		}
		row := arrangedRow{regionRow: regionRows([]comic.Region{r})[0]}
		if !reflect.DeepEqual(ownOf(r), ownOf(p.own[i])) {
			if row.Own, err = json.Marshal(ownOf(p.own[i])); err != nil {
				return err
			}
		}
		changed = append(changed, row)
	}
	if len(changed) == 0 {
		return nil
	}
	args["arranged"] = changed
	_, err = tx.Exec(ctx, saveArranged, args)
	return err
}

// RegionSplit is where a person divides a region.
type RegionSplit struct {
	Index int
	// At is the number of characters of the source before the cut, and TranslationAt that of the translation; nil for the same share of it.
	At            *int
	TranslationAt *int
	// Expected is the translation that the person saw.
	Expected string
}

// The second part looks like the first one, and is read after it.
const splitRegion = `
WITH part AS (
	INSERT INTO comic_region (task_id, item_index, region_index, kind, source, translation, source_lang, target_lang, x0, y0, x1, y1, lines,
		texts, ruby, direction, alignment, angle, font_size, prob, style, override, reading, provider)
	SELECT task_id, item_index, @index, kind, @source, '', source_lang, target_lang, (@box::real[])[1], (@box::real[])[2], (@box::real[])[3],
		(@box::real[])[4], @lines, @texts, @ruby, direction, alignment, angle, font_size, prob, style, @override, 'done', 'edit'
	FROM comic_region WHERE task_id = @task AND item_index = @item AND region_index = @part
)
UPDATE comic_page SET region_count = @index + 1 WHERE task_id = @task AND item_index = @item`

// SplitRegion divides a region in two, or parts regions that were joined, and divides its translation. It returns the page after that and the
// index of the second one. It fails as [Store.EditPage] does.
func (s Store) SplitRegion(ctx context.Context, tenant, taskID string, page int, author string, split RegionSplit) (p Page, second int, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "item": page, "author": records.Clean(author)}
	err = s.Transact(ctx, func(tx pgx.Tx) error {
		before, err := readEditable(ctx, tx, args)
		if err != nil {
			return err
		}
		regions, err := readArranged(ctx, tx, args)
		if err != nil {
			return err
		}
		edits, err := before.split(ctx, tx, args, regions, split)
		if err != nil {
			return err
		}
		second = edits[1].Index
		if before, err = readEditable(ctx, tx, args); err != nil {
			return err
		}
		p, err = before.edit(ctx, tx, args, edits)
		return err
	})
	return p, second, records.Wrap(err, "split a region")
}

// split adds the second part, where it is a new region, and returns the edits that make the split: first that of the region, then that of
// the second part, then those of the parts after it.
func (p editablePage) split(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs, page arrangedPage, split RegionSplit) ([]RegionEdit, error) {
	if split.Index < 0 || split.Index >= len(page.now) {
		return nil, core.Errorf(core.CodeInvalidInput, "region_index %d is out of range: the page has %d regions", split.Index, len(page.now))
	}
	first, second, at := p.divideText(page.now[split.Index].Text, split)
	where, err := comic.SplitOf(page.own, split.Index, at)
	if err != nil {
		return nil, err
	}
	edits := []RegionEdit{{Index: split.Index, Text: &first, Expected: &split.Expected}, {Index: where.Part, Text: &second}}
	switch {
	case where.At == 0:
		edits[1].Override.JoinedInto = new(-1)
	case len(page.now) >= maxRegions:
		return nil, core.Errorf(core.CodeInvalidInput, "the page has %d regions already", len(page.now))
	default:
		if err := insertPart(ctx, tx, args, page, where); err != nil {
			return nil, err
		}
		edits[1].Index = len(page.now)
		cut := comic.OverrideEdit{Cut: new(where.At)}
		if where.Part == split.Index {
			edits[0].Override = cut
		} else {
			edits = append(edits, RegionEdit{Index: where.Part, Override: cut})
		}
	}
	if p.overrides[split.Index].Area != (comic.Area{}) {
		edits[0].Override.Area = new(comic.Area{}) // a place that was chosen for both is that of neither
	}
	for _, i := range where.After {
		edits = append(edits, RegionEdit{Index: i, Override: comic.OverrideEdit{JoinedInto: new(edits[1].Index)}})
	}
	return edits, nil
}

// divideText divides the translation of a region, and returns where its source is divided.
func (p editablePage) divideText(source string, split RegionSplit) (first, second string, at int) {
	translation := []rune(p.translations[split.Index])
	var cut int
	switch {
	case split.TranslationAt != nil:
		cut = min(max(0, *split.TranslationAt), len(translation))
	case split.At != nil && source != "":
		cut = comic.BreakNear(string(translation), float64(*split.At)/float64(len([]rune(source))))
	}
	switch {
	case split.At != nil:
		at = *split.At
	case len(translation) > 0:
		at = comic.BreakNear(source, float64(cut)/float64(len(translation)))
	}
	return strings.TrimSpace(string(translation[:cut])), strings.TrimSpace(string(translation[cut:])), at
}

// insertPart adds the second part of a region that is cut, between it and the next one in reading order.
func insertPart(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs, page arrangedPage, where comic.Split) error {
	whole := page.own[where.Part]
	if cut := whole.Override.Cut; cut > 0 {
		whole, _ = whole.Divide(cut)
	}
	_, part := whole.Divide(where.At)
	next := whole.Place() + 1
	for _, r := range page.now {
		if place := r.Place(); place > whole.Place() {
			next = min(next, place)
		}
	}
	override := comic.Override{Kind: whole.Override.Kind, Style: whole.Override.Style, Erased: whole.Override.Erased, Place: (whole.Place() + next) / 2}
	row := regionRows([]comic.Region{part})[0]
	args["index"], args["part"], args["source"], args["box"] = len(page.now), where.Part, row.Source, []float64{row.X0, row.Y0, row.X1, row.Y1}
	args["lines"], args["texts"], args["ruby"], args["override"] = row.Lines, row.Texts, row.Ruby, override
	_, err := tx.Exec(ctx, splitRegion, args)
	return err
}
