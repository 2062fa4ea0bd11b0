package records

import (
	"context"

	"plait/internal/core"
)

// Overtakes says that an earlier page of the same task has not begun.
func (s *Store) Overtakes(ctx context.Context, p core.Item) (overtakes bool, err error) {
	err = s.pool.QueryRow(ctx, `
SELECT EXISTS (SELECT FROM page WHERE task_id = $1 AND page_index < $2 AND status = 'queued')`, p.TaskID, p.Index).Scan(&overtakes)
	return overtakes, wrap(err, "look for earlier pages")
}
