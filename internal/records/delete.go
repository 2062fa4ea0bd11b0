package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	taskBlobs = `
SELECT blob FROM item WHERE task_id = ANY (@ids)
UNION SELECT result_blob FROM item WHERE task_id = ANY (@ids) AND result_blob IS NOT NULL
UNION SELECT blob FROM task_file WHERE task_id = ANY (@ids) AND blob IS NOT NULL`

	// named is true for a blob, in column b, that is named by an upload, or by a row of a task whose files are kept. Each part has
	// an index.
	named = `(EXISTS (SELECT FROM item JOIN task ON task.id = task_id WHERE blob = b AND files_removed_at IS NULL)
	OR EXISTS (SELECT FROM item JOIN task ON task.id = task_id WHERE result_blob = b AND files_removed_at IS NULL)
	OR EXISTS (SELECT FROM task_file JOIN task ON task.id = task_id WHERE blob = b AND files_removed_at IS NULL)
	OR EXISTS (SELECT FROM upload WHERE blob = b))`

	// releaseBlobs leaves to the sweeper what this process does not come to remove, and to its holder what is held.
	releaseBlobs = `INSERT INTO blob_lease (blob, holder, expires_at) SELECT b, '', now() FROM unnest(@blobs::text[]) b WHERE NOT ` + named + `
	ORDER BY b ON CONFLICT (blob) DO NOTHING RETURNING blob`
)

// DeleteTask deletes an ended task of the tenant with its items, files and stage runs, and erases the answers of its model
// calls, whose figures stay. Details are statements of the kind, run before the rows are deleted. It returns the blobs that
// nothing names any more, for [Store.RemoveBlobs]; the sweeper finds them too. It fails with [core.CodeNotFound], and with
// [core.CodeConflict] while the task runs.
func (s *Store) DeleteTask(ctx context.Context, tenant, id string, details ...Statement) ([]core.BlobRef, error) {
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
		statements := append(append([]Statement{}, details...),
			Statement{SQL: `UPDATE model_call SET answer = NULL WHERE task_id = @id AND answer IS NOT NULL`, Args: args},
			Statement{SQL: `DELETE FROM task WHERE id = @id`, Args: args})
		if _, err := run(tx.SendBatch(ctx, batchOf(statements)), statements); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, releaseStored, args); err != nil {
			return err
		}
		orphaned, err = collect[core.BlobRef](ctx, tx, releaseBlobs, args)
		return err
	})
	return orphaned, Wrap(err, "delete a task")
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
