package records

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// Turn is how the translation of a page stands to those of the pages before it in its task.
type Turn int

const (
	// TurnCome says that every page before has its translations, or has ended.
	TurnCome Turn = iota
	// TurnNear says that those that have not are being translated.
	TurnNear
	// TurnFar says that one that has not is not being translated.
	TurnFar
	// TurnPaused says that the task pauses, and no translation begins.
	TurnPaused
)

// TranslateTurn tells whether the translation of a page may begin: it is given the pages before.
func (s *Store) TranslateTurn(ctx context.Context, p core.Item) (Turn, error) {
	var turn Turn
	err := s.pool.QueryRow(ctx, `
SELECT CASE WHEN EXISTS (SELECT FROM task WHERE id = @task AND status = 'paused') THEN @paused::integer
	WHEN count(*) = 0 THEN @come::integer WHEN bool_and(underway) THEN @near::integer ELSE @far::integer END
FROM page CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM stage_run r
	WHERE r.task_id = page.task_id AND r.page_index = page.page_index AND r.stage = 'translate' AND r.outcome = 'running') AS underway) run
WHERE task_id = @task AND page_index < @page AND ended_at IS NULL AND (provider IS NULL OR underway)`,
		pgx.NamedArgs{"task": p.TaskID, "page": p.Index, "come": TurnCome, "near": TurnNear, "far": TurnFar, "paused": TurnPaused}).Scan(&turn)
	return turn, wrap(err, "look for earlier translations")
}
