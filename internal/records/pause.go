package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// A task that has not begun goes back to the queue.
const setPaused = `
UPDATE task SET pause_revision = pause_revision + 1, updated_at = now(),
	status = CASE WHEN @paused THEN 'paused' WHEN started_at IS NULL THEN 'queued' ELSE 'running' END
WHERE tenant = @tenant AND id = @id AND ended_at IS NULL AND (status = 'paused') <> @paused RETURNING ` + taskColumns

// SetPaused pauses a task, or has it go on; one that does so already stays as it is. It fails with
// [core.CodeConflict] when the task has ended, and with [core.CodeNotFound].
func (s *Store) SetPaused(ctx context.Context, tenant, id string, paused bool) (Task, error) {
	t, err := s.queryTask(ctx, setPaused, pgx.NamedArgs{"tenant": tenant, "id": id, "paused": paused})
	if !errors.Is(err, pgx.ErrNoRows) {
		return t, wrap(err, "pause or resume a task")
	}
	if t, err = s.Task(ctx, tenant, id); err == nil && t.Status.Ended() {
		return Task{}, core.Errorf(core.CodeConflict, "task %s has ended", id)
	}
	return t, err
}

// CheckPaused fails with [core.CodePaused] while the task pauses. One that is in no record does not.
func (s *Store) CheckPaused(ctx context.Context, id string) error {
	var paused bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM task WHERE id = $1 AND status = 'paused')`, id).Scan(&paused)
	if err != nil {
		return wrap(err, "read whether a task pauses")
	}
	if paused {
		return core.NewError(core.CodePaused, "the task pauses")
	}
	return nil
}
