package records

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	// %s are conditions on a task t.
	giveUpFiles = `
UPDATE task SET files_removed_at = now(), updated_at = now() WHERE id IN (
	SELECT t.id FROM task t WHERE t.ended_at <= now() - make_interval(secs => @seconds) AND t.files_removed_at IS NULL%s
	ORDER BY t.ended_at LIMIT @limit FOR UPDATE SKIP LOCKED)
RETURNING id`

	// oldCalls are those that no running task needs.
	oldCalls = `SELECT id FROM model_call m WHERE started_at <= now() - make_interval(secs => @seconds)
	AND NOT EXISTS (SELECT FROM task t WHERE t.id = m.task_id AND t.ended_at IS NULL)`

	lockOldCalls = ` ORDER BY started_at LIMIT @limit FOR UPDATE SKIP LOCKED`
)

// RemoveFiles gives up the inputs, results and other files of at most limit tasks that ended longer ago than olderThan, and
// returns how many tasks they were. Their rows and texts stay. The blobs that nothing else names are left to the sweeper. Each
// of inUse is an SQL condition of a kind on a task t whose files are in use and stay.
func (s *Store) RemoveFiles(ctx context.Context, olderThan time.Duration, limit int, inUse ...string) (int, error) {
	var keep strings.Builder
	for _, condition := range inUse {
		keep.WriteString(" AND NOT (" + condition + ")")
	}
	var ids []string
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		args := pgx.NamedArgs{"seconds": olderThan.Seconds(), "limit": limit}
		if ids, err = collect[string](ctx, tx, fmt.Sprintf(giveUpFiles, keep.String()), args); err != nil || len(ids) == 0 {
			return err
		}
		args["ids"] = ids
		if args["blobs"], err = collect[string](ctx, tx, taskBlobs, args); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, releaseStored, args); err != nil {
			return err
		}
		_, err = collect[core.BlobRef](ctx, tx, releaseBlobs, args)
		return err
	})
	return len(ids), Wrap(err, "remove the files of old tasks")
}

// TaskName names a task of a tenant.
type TaskName struct{ Tenant, ID string }

// ExpiredTasks lists at most limit tasks of a kind that ended longer ago than olderThan, the oldest first. An empty kind is every kind.
func (s *Store) ExpiredTasks(ctx context.Context, kind core.Kind, olderThan time.Duration, limit int) ([]TaskName, error) {
	rows, err := s.pool.Query(ctx, `SELECT tenant, id FROM task
		WHERE ended_at <= now() - make_interval(secs => $1) AND $3 IN ('', kind) ORDER BY ended_at, id LIMIT $2`, olderThan.Seconds(), limit, string(kind))
	if err != nil {
		return nil, Wrap(err, "list old tasks")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[TaskName])
	return list, Wrap(err, "list old tasks")
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
	return int(tag.RowsAffected()), Wrap(err, "forget old model calls")
}
