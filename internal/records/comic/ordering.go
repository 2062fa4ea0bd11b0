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

// Order says whether the translation of a page may start, given the translations of the earlier pages of its chapter.
type Order int

const (
	// TranslateReady is the order when every earlier page has its translations or has ended.
	TranslateReady Order = iota
	// EarlierRunning is the order when every earlier page without translations is being translated.
	EarlierRunning
	// EarlierPending is the order when an earlier page has no translations and is not being translated.
	EarlierPending
	// TaskPaused is the order while the task is paused: no translation starts.
	TaskPaused
)

// TranslateOrder reports whether the translation of a page may start. A prompt contains the pages before, so their translations come
// first.
func (s Store) TranslateOrder(ctx context.Context, p core.Item) (order Order, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `
SELECT CASE WHEN EXISTS (SELECT FROM task WHERE id = @task AND status = 'paused') THEN @paused::integer
	WHEN count(*) = 0 THEN @ready::integer WHEN bool_and(underway) THEN @running::integer ELSE @pending::integer END
FROM item i LEFT JOIN comic_page p USING (task_id, item_index)
CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM stage_run r
	WHERE r.task_id = i.task_id AND r.item_index = i.item_index AND r.stage = 'translate' AND r.outcome = 'running') AS underway) run
WHERE i.task_id = @task AND i.item_index < @item AND i.ended_at IS NULL AND (p.provider IS NULL OR underway)`,
		Args: pgx.NamedArgs{"task": p.TaskID, "item": p.Index, "ready": TranslateReady, "running": EarlierRunning, "pending": EarlierPending, "paused": TaskPaused},
		Read: records.One(&order, pgx.RowTo[Order]),
	})
	return order, records.Wrap(err, "look for earlier translations")
}
