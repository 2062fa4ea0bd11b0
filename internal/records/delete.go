package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	taskBlobs = `
SELECT blob FROM page WHERE task_id = ANY (@ids)
UNION SELECT result_blob FROM page WHERE task_id = ANY (@ids) AND result_blob IS NOT NULL
UNION SELECT blob FROM task_entry WHERE task_id = ANY (@ids) AND blob IS NOT NULL
UNION SELECT script_blob FROM task WHERE id = ANY (@ids) AND script_blob IS NOT NULL`

	// named is true for a blob, in column b, that some row names whose task has its files yet. Each part has an index.
	named = `(EXISTS (SELECT FROM page JOIN task ON task.id = task_id WHERE blob = b AND files_removed_at IS NULL)
	OR EXISTS (SELECT FROM page JOIN task ON task.id = task_id WHERE result_blob = b AND files_removed_at IS NULL)
	OR EXISTS (SELECT FROM task_entry JOIN task ON task.id = task_id WHERE blob = b AND files_removed_at IS NULL)
	OR EXISTS (SELECT FROM task WHERE script_blob = b AND files_removed_at IS NULL)
	OR EXISTS (SELECT FROM upload WHERE blob = b))`

	// deleteEdits leaves what other tasks of the tenant may come to take.
	deleteEdits = `DELETE FROM edit e USING page p WHERE p.task_id = @id AND e.tenant = @tenant AND e.blob = p.blob
	AND NOT EXISTS (SELECT FROM page o JOIN task t ON t.id = o.task_id WHERE o.blob = p.blob AND o.task_id <> @id AND t.tenant = @tenant)`

	// releaseBlobs leaves to the sweeper what this process does not come to remove, and to its holder what is held.
	releaseBlobs = `INSERT INTO blob_lease (blob, holder, expires_at) SELECT b, '', now() FROM unnest(@blobs::text[]) b WHERE NOT ` + named + `
	ORDER BY b ON CONFLICT (blob) DO NOTHING RETURNING blob`
)

// DeleteTask deletes an ended task of the tenant with its pages, regions and stage runs, and the edits of images that the
// tenant has in no other task, and erases the answers of its
// model calls, whose figures stay. It returns the blobs that nothing names any more, for [Store.RemoveBlobs]; the
// sweeper finds them too. It fails with [core.CodeNotFound], and with [core.CodeConflict] while the task runs.
func (s *Store) DeleteTask(ctx context.Context, tenant, id string) ([]core.BlobRef, error) {
	var orphaned []core.BlobRef
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"tenant": tenant, "id": id, "ids": []string{id}}
		var status core.Status
		err := tx.QueryRow(ctx, `SELECT status FROM task WHERE tenant = @tenant AND id = @id FOR UPDATE`, args).Scan(&status)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return notFound("task", id)
		case err != nil:
			return err
		case !status.Ended():
			return core.Errorf(core.CodeConflict, "task %s has not ended: cancel it first", id)
		}
		if args["blobs"], err = collect[string](ctx, tx, taskBlobs, args); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue(`UPDATE model_call SET answer = NULL WHERE task_id = @id AND answer IS NOT NULL`, args)
		batch.Queue(deleteEdits, args)
		batch.Queue(`DELETE FROM task WHERE id = @id`, args)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		orphaned, err = collect[core.BlobRef](ctx, tx, releaseBlobs, args)
		return err
	})
	return orphaned, wrap(err, "delete a task")
}

// collect reads one column.
func collect[T any](ctx context.Context, q interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}, sql string, args pgx.NamedArgs,
) ([]T, error) {
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}
