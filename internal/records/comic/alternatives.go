package comicrecords

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// maxAlternatives bounds the texts that are kept of a region.
const maxAlternatives = 40

// SaveAlternatives adds texts, or the reason why there are none, to the alternatives of a region; those of another source, such as before the
// region was divided, are dropped. A request that has ended before changes nothing, and neither does one for a region that is no longer there.
func (s Store) SaveAlternatives(ctx context.Context, in comic.AlternativesInput, texts []string, failure *core.Failure) error {
	args := pgx.NamedArgs{"task": in.Page.TaskID, "item": in.Page.Index, "region": in.Region}
	err := s.Transact(ctx, func(tx pgx.Tx) error {
		source, before, err := readAlternatives(ctx, tx, args)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && before != nil && before.Request == in.Request {
			return nil
		}
		if err != nil {
			return err
		}
		after := comic.Alternatives{Request: in.Request, Source: source, Texts: []string{}, Failure: failure}
		for _, text := range texts {
			after.Texts = append(after.Texts, records.Clean(text))
		}
		if before != nil && before.Source == source {
			for _, text := range before.Texts {
				if !slices.Contains(after.Texts, text) {
					after.Texts = append(after.Texts, text)
				}
			}
		}
		after.Texts = after.Texts[:min(len(after.Texts), maxAlternatives)]
		args["alternatives"] = after
		_, err = tx.Exec(ctx, `UPDATE comic_region SET alternatives = @alternatives, updated_at = now()
			WHERE task_id = @task AND item_index = @item AND region_index = @region`, args)
		return err
	})
	return records.Wrap(err, "save the alternatives of a region")
}

// AlternativesOf is a request for other translations of a region of a page that has a result: page, region and the translations that are
// known. It fails as [Store.EditPage] does, and with [core.CodeConflict] for a region without a text.
func (s Store) AlternativesOf(ctx context.Context, tenant, taskID string, page, region int) (in comic.AlternativesInput, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "item": page, "region": region}
	err = s.Transact(ctx, func(tx pgx.Tx) error {
		before, err := readEditable(ctx, tx, args)
		if err != nil {
			return err
		}
		if region < 0 || region >= len(before.translations) {
			return core.Errorf(core.CodeNotFound, "there is no region %d on the page", region)
		}
		p, err := readEdited(ctx, tx, args)
		if err != nil {
			return err
		}
		source, known, err := readAlternatives(ctx, tx, args)
		if err != nil {
			return err
		}
		if source == "" {
			return core.Errorf(core.CodeConflict, "region %d has no text to translate", region)
		}
		in = comic.AlternativesInput{Page: p.Ref, Region: region, Known: []string{before.translations[region]}}
		if known != nil {
			in.After = known.Request
		}
		if known != nil && known.Source == source {
			in.Known = append(in.Known, known.Texts...)
		}
		return nil
	})
	return in, records.Wrap(err, "find a region")
}

// readAlternatives locks a region and returns its source and its alternatives.
func readAlternatives(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) (source string, alternatives *comic.Alternatives, err error) {
	err = tx.QueryRow(ctx, `SELECT source, alternatives FROM comic_region
		WHERE task_id = @task AND item_index = @item AND region_index = @region FOR UPDATE`, args).Scan(&source, &alternatives)
	return source, alternatives, err
}
