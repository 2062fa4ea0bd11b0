package videorecords

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/records"
)

// Upscale is what the records have of a video that is enlarged.
type Upscale struct {
	// Mode is the schedule of the devices, and Split the number of blocks of the model on the first; nil until it is known.
	Mode  *string
	Split *int
	// Fallback is set for a video whose devices failed together.
	Fallback bool
	// Progress is where the work stands; nil at its beginning.
	Progress              json.RawMessage
	StartedAt, FinishedAt *time.Time
	// Resumed is the number of frames that earlier attempts had made. Processing is what the last attempt took for the others, and Busy how
	// long each device worked in it, both in milliseconds. All are zero until the end.
	Resumed    int
	Processing int64
	Busy       map[string]int64
}

// The roles of the files of a video that is enlarged: what an engine made, the segments of the result so far, and what else its progress
// needs.
const (
	roleGenerated  = "generated"
	roleSegment    = "segment"
	roleCheckpoint = "checkpoint"
)

const selectUpscales = `SELECT task_id, mode, split, fallback, progress, started_at, finished_at, coalesce(resumed_frames, 0),
	coalesce(processing_ms, 0), busy_ms FROM video_upscale WHERE task_id = ANY (@ids)`

// Upscales reads what is known of the enlarged videos among these tasks.
func (s Store) Upscales(ctx context.Context, taskIDs []string) (map[string]Upscale, error) {
	found := map[string]Upscale{}
	var none []struct{}
	err := s.Read(ctx, records.Statement{
		SQL: selectUpscales, Args: pgx.NamedArgs{"ids": taskIDs},
		Read: records.All(&none, func(row pgx.CollectableRow) (struct{}, error) {
			var id string
			var u Upscale
			err := row.Scan(&id, &u.Mode, &u.Split, &u.Fallback, &u.Progress, &u.StartedAt, &u.FinishedAt, &u.Resumed, &u.Processing, &u.Busy)
			found[id] = u
			return struct{}{}, err
		}),
	})
	return found, records.Wrap(err, "read enlarged videos")
}

// SaveGenerated keeps what an engine made of a video that is then enlarged, and closes the run.
func (s Store) SaveGenerated(ctx context.Context, run records.StageRun, ref core.BlobRef, elapsed core.ElapsedMS) error {
	var left []core.BlobRef // an engine makes a video once
	return s.Save(ctx, run, replace(run, roleGenerated, []core.BlobRef{ref}, &left), run.Close(elapsed))
}

// BeginUpscale writes that a host begins, or goes on, by a schedule; fallback says that devices have failed together.
func (s Store) BeginUpscale(ctx context.Context, run records.StageRun, mode string, fallback bool) error {
	args := run.Args()
	args["schedule"], args["fallback"] = mode, fallback
	return s.Save(ctx, run, records.Statement{
		SQL: `UPDATE video_upscale SET mode = @schedule, fallback = @fallback, started_at = coalesce(started_at, now()) WHERE task_id = @task`, Args: args,
	})
}

// replaceFiles names files of a role, in the place of others, and returns what is not named any more. Those get a hold that has expired, so
// that the sweeper finds what this process does not come to remove.
const replaceFiles = `
WITH given AS (
	SELECT blob, ordinality - 1 AS position FROM unnest(@blobs::text[]) WITH ORDINALITY AS given (blob, ordinality)
), removed AS (
	DELETE FROM task_file f WHERE f.task_id = @task AND f.role = @role AND NOT EXISTS (SELECT FROM given WHERE given.position = f.position)
	RETURNING blob
), replaced AS (
	SELECT f.blob FROM task_file f JOIN given ON given.position = f.position WHERE f.task_id = @task AND f.role = @role AND f.blob <> given.blob
), named AS (
	INSERT INTO task_file (task_id, role, position, name, blob) SELECT @task, @role, position, @role, blob FROM given
	ON CONFLICT (task_id, role, position) DO UPDATE SET blob = excluded.blob WHERE task_file.blob <> excluded.blob
), left_over AS (
	SELECT blob FROM removed UNION SELECT blob FROM replaced
), released AS (
	INSERT INTO blob_lease (blob, holder, expires_at) SELECT blob, @task, now() FROM left_over ORDER BY blob ON CONFLICT (blob) DO NOTHING
)
SELECT blob FROM left_over`

func replace(run records.StageRun, role string, blobs []core.BlobRef, left *[]core.BlobRef) records.Statement {
	args := run.Args()
	args["role"], args["blobs"] = role, append([]core.BlobRef{}, blobs...)
	return records.Statement{SQL: replaceFiles, Args: args, Read: records.All(left, pgx.RowTo[core.BlobRef])}
}

// SaveUpscale writes where the work stands, and names the blobs that this needs: its own, and the segments in order. It returns those of
// before that are not needed any more, for [records.Store.ReleaseBlobs].
func (s Store) SaveUpscale(ctx context.Context, run records.StageRun, progress any, own, segments []core.BlobRef) ([]core.BlobRef, error) {
	args := run.Args()
	args["progress"] = progress
	var checkpoints, parts []core.BlobRef
	err := s.Save(ctx, run,
		records.Statement{SQL: `UPDATE video_upscale SET progress = @progress WHERE task_id = @task`, Args: args},
		replace(run, roleCheckpoint, own, &checkpoints), replace(run, roleSegment, segments, &parts))
	return append(checkpoints, parts...), err
}

// FinishUpscale ends the item with its file, and forgets where the work stood. It returns the blobs that this needed.
func (s Store) FinishUpscale(ctx context.Context, run records.StageRun, out records.Finished, f File, u Upscale) ([]core.BlobRef, error) {
	args := run.Args()
	args["split"], args["resumed"], args["processing"], args["busy"] = u.Split, u.Resumed, u.Processing, u.Busy
	var generated, checkpoints, parts []core.BlobRef
	err := s.Finish(ctx, run, out, f,
		records.Statement{SQL: `UPDATE video_upscale SET progress = NULL, split = @split, finished_at = now(), resumed_frames = @resumed,
			processing_ms = @processing, busy_ms = @busy WHERE task_id = @task`, Args: args},
		replace(run, roleGenerated, nil, &generated), replace(run, roleCheckpoint, nil, &checkpoints), replace(run, roleSegment, nil, &parts))
	return slices.Concat(generated, checkpoints, parts), err
}
