package records

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// holdFor is the lifetime of a hold: far longer than accepting the largest request or finishing a page takes.
const holdFor = time.Hour

// HoldBlobs protects blobs from removal for an hour, by which time a row should refer to them. Callers hold blobs before they store
// them, so a blob need not exist yet. It waits for a running removal of the same blobs. The holder is a task id.
func (s *Store) HoldBlobs(ctx context.Context, holder string, refs []core.BlobRef) error {
	// Every caller inserts in the same order, so that two of them cannot deadlock.
	_, err := s.pool.Exec(ctx, `
		INSERT INTO blob_lease (blob, holder, expires_at)
		SELECT b, @holder, now() + make_interval(secs => @seconds) FROM unnest(@blobs::text[]) b ORDER BY b
		ON CONFLICT (blob) DO UPDATE SET
			holder = CASE WHEN blob_lease.expires_at <= now() THEN excluded.holder
				WHEN blob_lease.holder = excluded.holder THEN excluded.holder ELSE '' END,
			expires_at = greatest(blob_lease.expires_at, excluded.expires_at)`,
		pgx.NamedArgs{"holder": holder, "blobs": distinct(refs), "seconds": holdFor.Seconds()})
	return Wrap(err, "hold blobs")
}

// ReleaseBlobs ends the holds that only this holder has, and returns their blobs for [Store.RemoveBlobs]. A hold that others share
// stays until it expires.
func (s *Store) ReleaseBlobs(ctx context.Context, holder string, refs []core.BlobRef) ([]core.BlobRef, error) {
	released, err := collect[core.BlobRef](ctx, s.pool, `
		UPDATE blob_lease SET expires_at = now() WHERE holder = @holder AND blob = ANY (@blobs) RETURNING blob`,
		pgx.NamedArgs{"holder": holder, "blobs": distinct(refs)})
	return released, Wrap(err, "release blobs")
}

// ExpiredBlobs lists at most limit blobs whose hold has expired, ordered by name and starting behind after.
func (s *Store) ExpiredBlobs(ctx context.Context, limit int, after core.BlobRef) ([]core.BlobRef, error) {
	list, err := collect[core.BlobRef](ctx, s.pool, `
		SELECT blob FROM blob_lease WHERE expires_at <= now() AND blob > @after ORDER BY blob LIMIT @limit`,
		pgx.NamedArgs{"after": string(after), "limit": limit})
	return list, Wrap(err, "list expired blobs")
}

const (
	// removeAtOnce bounds how many blobs one transaction removes, because holders of these blobs wait for it.
	removeAtOnce = 50
	// removeTime bounds the removals of one transaction. It is well below idle_in_transaction_session_timeout, at which the server
	// ends the session: its locks are gone then, and others may hold the blobs again.
	removeTime = 20 * time.Second
)

// RemoveBlobs calls remove for each blob that no row refers to and nobody holds, and returns how many it removed. [Store.HoldBlobs]
// of such a blob waits until it is removed. A blob whose removal fails or runs out of time is left to the next sweep.
func (s *Store) RemoveBlobs(ctx context.Context, refs []core.BlobRef, remove func(context.Context, core.BlobRef) error) (int, error) {
	var removed int
	var failures []error
	for chunk := range slices.Chunk(distinct(refs), removeAtOnce) {
		n, err := s.removeChunk(ctx, chunk, remove)
		removed += n
		if err != nil {
			failures = append(failures, err)
		}
	}
	return removed, errors.Join(failures...)
}

func (s *Store) removeChunk(ctx context.Context, blobs []string, remove func(context.Context, core.BlobRef) error) (int, error) {
	var removed int
	var failures []error
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"blobs": blobs}
		expired, err := collect[string](ctx, tx, `
			SELECT blob FROM blob_lease WHERE blob = ANY (@blobs) AND expires_at <= now() ORDER BY blob FOR UPDATE`, args)
		if err != nil {
			return err
		}
		// A second statement sees the rows that were committed while the first waited for its locks.
		args["expired"] = expired
		unnamed, err := collect[string](ctx, tx, `SELECT b FROM unnest(@expired::text[]) b WHERE NOT `+named, args)
		if err != nil {
			return err
		}
		removing, cancel := context.WithTimeout(ctx, removeTime)
		defer cancel()
		var failed []string
		for i, b := range unnamed {
			if err := removing.Err(); err != nil {
				failed = append(failed, unnamed[i:]...)
				failures = append(failures, err)
				break
			}
			if err := remove(removing, core.BlobRef(b)); err != nil {
				failed = append(failed, b)
				failures = append(failures, err)
				continue
			}
			removed++
		}
		args["settled"] = slices.DeleteFunc(expired, func(b string) bool { return slices.Contains(failed, b) })
		_, err = tx.Exec(ctx, `DELETE FROM blob_lease WHERE blob = ANY (@settled)`, args)
		return err
	})
	return removed, errors.Join(append(failures, Wrap(err, "remove blobs"))...)
}

func distinct(refs []core.BlobRef) []string {
	list := make([]string, len(refs))
	for i, r := range refs {
		list[i] = string(r)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
