package documentrecords

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/records"
)

// RoleResult is the role of the files that a task made: its name is that of the file, without a folder.
const RoleResult = "result"

// SaveResult writes the files of the result, in the place of those of an earlier attempt, and releases the hold on them. It writes nothing
// for a task that has ended.
func (s Store) SaveResult(ctx context.Context, taskID string, files []records.File) error {
	args := pgx.NamedArgs{"task": taskID, "role": RoleResult, "files": append([]records.File{}, files...)}
	_, err := s.Write(ctx, taskID,
		records.Statement{SQL: `DELETE FROM task_file WHERE task_id = @task AND role = @role
			AND EXISTS (SELECT FROM task WHERE id = @task AND ended_at IS NULL)`, Args: args},
		records.Statement{SQL: `
			WITH named AS (
				INSERT INTO task_file (task_id, role, position, name, blob)
				SELECT @task, @role, f.position, f.name, f.blob FROM jsonb_to_recordset(@files) AS f(position integer, name text, blob text)
				WHERE EXISTS (SELECT FROM task WHERE id = @task AND ended_at IS NULL)
				RETURNING blob
			)
			DELETE FROM blob_lease l USING named n WHERE l.blob = n.blob AND l.holder = @task`, Args: args},
	)
	return records.Wrap(err, "save the result of a document")
}
