package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// UnstartedTasks lists at most limit tasks that are queued for longer than olderThan, the oldest first, after the cursor.
// The returned cursor passes all that were listed, so that tasks which stay as they are do not hide later ones.
func (s *Store) UnstartedTasks(ctx context.Context, olderThan time.Duration, limit int, after Cursor) ([]Task, Cursor, error) {
	return s.sweepable(ctx, `status = 'queued' AND created_at <= now() - make_interval(secs => @seconds)`, olderThan, limit, after)
}

// StaleTasks lists, in the same way, tasks that are running or paused and have not changed for longer than olderThan.
func (s *Store) StaleTasks(ctx context.Context, olderThan time.Duration, limit int, after Cursor) ([]Task, Cursor, error) {
	return s.sweepable(ctx, `status IN ('running', 'paused') AND updated_at <= now() - make_interval(secs => @seconds)`, olderThan, limit, after)
}

func (s *Store) sweepable(ctx context.Context, condition string, olderThan time.Duration, limit int, after Cursor) ([]Task, Cursor, error) {
	rows, err := s.pool.Query(ctx, `SELECT `+taskColumns+` FROM task
		WHERE `+condition+` AND (created_at, id) > (@at, @id) ORDER BY created_at, id LIMIT @limit`,
		pgx.NamedArgs{"seconds": olderThan.Seconds(), "at": after.At, "id": after.ID, "limit": limit})
	if err != nil {
		return nil, Cursor{}, wrap(err, "list tasks to sweep")
	}
	return collectPage(rows, limit)
}
