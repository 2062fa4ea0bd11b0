package records

import "context"

// BetterTaskWaits reports whether another task of the same tenant has a better priority than this one and stands still: it runs and
// does not pause, and none of its items is worked on. A task whose last run of a stage failed waits for its own retry, and nobody
// has to wait for that.
func (s *Store) BetterTaskWaits(ctx context.Context, id string) (waits bool, err error) {
	err = s.pool.QueryRow(ctx, `SELECT EXISTS (
		SELECT FROM task t JOIN task better ON better.tenant = t.tenant AND better.priority < t.priority
		WHERE t.id = $1 AND better.status = 'running' AND better.cancel_requested_at IS NULL
			AND NOT EXISTS (SELECT FROM stage_run r WHERE r.task_id = better.id AND r.outcome = 'running')
			AND coalesce((SELECT r.code IS NULL FROM stage_run r WHERE r.task_id = better.id ORDER BY r.started_at DESC LIMIT 1), true))`,
		id).Scan(&waits)
	return waits, Wrap(err, "look for a task of a better priority")
}
