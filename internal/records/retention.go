package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	// A page that is to be rendered again needs its image.
	giveUpFiles = `
UPDATE task SET files_removed_at = now(), updated_at = now() WHERE id IN (
	SELECT t.id FROM task t WHERE t.ended_at <= now() - make_interval(secs => @seconds) AND t.files_removed_at IS NULL
		AND NOT EXISTS (SELECT FROM page p WHERE p.task_id = t.id AND p.rendered_revision < p.edit_revision AND p.edit_failure_code IS NULL)
	ORDER BY t.ended_at LIMIT @limit FOR UPDATE SKIP LOCKED)
RETURNING id`

	// oldCalls are those whose task does not need them any more.
	oldCalls = `SELECT id FROM model_call m WHERE started_at <= now() - make_interval(secs => @seconds)
	AND NOT EXISTS (SELECT FROM task t WHERE t.id = m.task_id AND t.ended_at IS NULL)`

	lockOldCalls = ` ORDER BY started_at LIMIT @limit FOR UPDATE SKIP LOCKED`
)

// RemoveFiles gives up the images, results and other files of at most limit tasks that ended longer ago than olderThan, and
// returns how many tasks they were. Their rows and texts stay. The blobs that nothing else names are left to the sweeper.
func (s *Store) RemoveFiles(ctx context.Context, olderThan time.Duration, limit int) (int, error) {
	var ids []string
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		args := pgx.NamedArgs{"seconds": olderThan.Seconds(), "limit": limit}
		if ids, err = collect[string](ctx, tx, giveUpFiles, args); err != nil || len(ids) == 0 {
			return err
		}
		args["ids"] = ids
		if args["blobs"], err = collect[string](ctx, tx, taskBlobs, args); err != nil {
			return err
		}
		_, err = collect[core.BlobRef](ctx, tx, releaseBlobs, args)
		return err
	})
	return len(ids), wrap(err, "remove the files of old tasks")
}

// TaskName names a task of a tenant.
type TaskName struct{ Tenant, ID string }

// ExpiredTasks lists at most limit tasks that ended longer ago than olderThan, the oldest first.
func (s *Store) ExpiredTasks(ctx context.Context, olderThan time.Duration, limit int) ([]TaskName, error) {
	rows, err := s.pool.Query(ctx, `SELECT tenant, id FROM task
		WHERE ended_at <= now() - make_interval(secs => $1) ORDER BY ended_at, id LIMIT $2`, olderThan.Seconds(), limit)
	if err != nil {
		return nil, wrap(err, "list old tasks")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[TaskName])
	return list, wrap(err, "list old tasks")
}

// EraseAnswers erases the texts of at most limit model answers older than olderThan, and returns how many. What was asked of
// whom and what it cost stays; a request that is made again is paid for again. Tasks that run keep theirs.
func (s *Store) EraseAnswers(ctx context.Context, olderThan time.Duration, limit int) (int, error) {
	return s.old(ctx, `UPDATE model_call SET answer = NULL WHERE id IN (`+oldCalls+` AND answer IS NOT NULL`+lockOldCalls+`)`, olderThan, limit)
}

// DeleteCalls deletes at most limit model calls older than olderThan from the ledger, and returns how many. Tasks that run
// keep theirs.
func (s *Store) DeleteCalls(ctx context.Context, olderThan time.Duration, limit int) (int, error) {
	return s.old(ctx, `DELETE FROM model_call WHERE id IN (`+oldCalls+lockOldCalls+`)`, olderThan, limit)
}

func (s *Store) old(ctx context.Context, sql string, olderThan time.Duration, limit int) (int, error) {
	tag, err := s.pool.Exec(ctx, sql, pgx.NamedArgs{"seconds": olderThan.Seconds(), "limit": limit})
	return int(tag.RowsAffected()), wrap(err, "forget old model calls")
}
