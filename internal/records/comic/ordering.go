package comicrecords

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/records"
)

// Overtakes reports whether an earlier page of the same chapter has not started.
func (s Store) Overtakes(ctx context.Context, p core.Item) (overtakes bool, err error) {
	err = s.Read(ctx, records.Statement{
		SQL:  `SELECT EXISTS (SELECT FROM item WHERE task_id = @task AND item_index < @item AND status = 'queued')`,
		Args: pgx.NamedArgs{"task": p.TaskID, "item": p.Index}, Read: records.One(&overtakes, pgx.RowTo[bool]),
	})
	return overtakes, records.Wrap(err, "look for earlier pages")
}

// Turn is the state of the translations of the pages before a page in its chapter.
type Turn int

const (
	// TurnCome says that every page before has its translations, or has ended.
	TurnCome Turn = iota
	// TurnNear says that those that have not are being translated.
	TurnNear
	// TurnFar says that one that has not is not being translated.
	TurnFar
	// TurnPaused says that the task is paused, and no translation starts.
	TurnPaused
)

// TranslateTurn tells whether the translation of a page may start: it is given the pages before.
func (s Store) TranslateTurn(ctx context.Context, p core.Item) (turn Turn, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `
SELECT CASE WHEN EXISTS (SELECT FROM task WHERE id = @task AND status = 'paused') THEN @paused::integer
	WHEN count(*) = 0 THEN @come::integer WHEN bool_and(underway) THEN @near::integer ELSE @far::integer END
FROM item i LEFT JOIN comic_page p USING (task_id, item_index)
CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM stage_run r
	WHERE r.task_id = i.task_id AND r.item_index = i.item_index AND r.stage = 'translate' AND r.outcome = 'running') AS underway) run
WHERE i.task_id = @task AND i.item_index < @item AND i.ended_at IS NULL AND (p.provider IS NULL OR underway)`,
		Args: pgx.NamedArgs{"task": p.TaskID, "item": p.Index, "come": TurnCome, "near": TurnNear, "far": TurnFar, "paused": TurnPaused},
		Read: records.One(&turn, pgx.RowTo[Turn]),
	})
	return turn, records.Wrap(err, "look for earlier translations")
}
