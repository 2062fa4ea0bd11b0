// Package videorecords stores what only videos have: who takes a video up, the job at a server that makes it, and the properties of the
// file. It adds its statements to the transactions of package records, which stores the items.
package videorecords

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/video"
)

// Store keeps videos, with everything that tasks of all kinds share.
type Store struct{ *records.Store }

// New makes a store of videos.
func New(s *records.Store) Store { return Store{Store: s} }

// Video is what the records have of a video beside its task.
type Video struct {
	// ActualPrompt is what a language model wrote in the place of the client's prompt; nil when the client's is used.
	ActualPrompt *string
	// ClaimedAt is when an engine took the video up, and WithdrawnAt when the client withdrew it before; nil until then.
	ClaimedAt, WithdrawnAt *time.Time
	Job                    video.ServerJob
	// Generated is what an engine made of a video that is then enlarged; empty until it is there, and again at the end.
	Generated core.BlobRef
	// Percent is how far the video is, from 0 to 100.
	Percent int
	// PriceMicros is the price in millionths of the currency; 0 for a model without a price.
	PriceMicros int64
}

// File describes the file of a video.
type File struct {
	Width, Height, Frames int
	Duration              time.Duration
}

// Create are the statements that write the rows of a new task.
func Create(taskID string, o video.Options) []records.Statement {
	list := []records.Statement{{
		SQL: `WITH estimated AS (
			UPDATE item SET estimate = jsonb_build_object('calls', 1, 'cost_micros', @price::bigint) WHERE task_id = @task AND @price::bigint > 0
		) INSERT INTO video (task_id, model, engine, type, price_micros) VALUES (@task, @model, @engine, @type, @price)`,
		Args: pgx.NamedArgs{"task": taskID, "model": o.Model, "engine": o.Engine, "type": o.Type, "price": o.PriceMicros},
	}}
	if o.Scale > 0 {
		list = append(list, records.Statement{
			SQL: `INSERT INTO video_upscale (task_id, scale) VALUES (@task, @scale)`, Args: pgx.NamedArgs{"task": taskID, "scale": o.Scale},
		})
	}
	return list
}

const videoColumns = `v.actual_prompt, v.claimed_at, v.withdrawn_at, coalesce(v.server, ''), v.asked_at, coalesce(v.job, ''), v.price_micros,
	coalesce((SELECT blob FROM task_file f WHERE f.task_id = v.task_id AND f.role = 'generated'), ''),
	coalesce((SELECT percent FROM item i WHERE i.task_id = v.task_id AND i.item_index = 0), 0)
	FROM video v`

const selectVideo = `SELECT ` + videoColumns + ` WHERE v.task_id = @task`

// Videos reads videos by the ids of their tasks.
func (s Store) Videos(ctx context.Context, taskIDs []string) (map[string]Video, error) {
	found := map[string]Video{}
	var none []struct{}
	err := s.Read(ctx, records.Statement{
		SQL:  `SELECT v.task_id, ` + videoColumns + ` WHERE v.task_id = ANY (@ids)`,
		Args: pgx.NamedArgs{"ids": taskIDs},
		Read: records.All(&none, func(row pgx.CollectableRow) (struct{}, error) {
			var id string
			var v Video
			err := row.Scan(append([]any{&id}, v.targets()...)...)
			found[id] = v
			return struct{}{}, err
		}),
	})
	return found, records.Wrap(err, "read videos")
}

func (v *Video) targets() []any {
	return []any{&v.ActualPrompt, &v.ClaimedAt, &v.WithdrawnAt, &v.Job.Server, &v.Job.AskedAt, &v.Job.ID, &v.PriceMicros, &v.Generated, &v.Percent}
}

func scanVideo(row pgx.CollectableRow) (v Video, err error) {
	return v, row.Scan(v.targets()...)
}

// ReadVideo is the statement that reads a video.
func ReadVideo(taskID string, v *Video) records.Statement {
	return records.Statement{SQL: selectVideo, Args: pgx.NamedArgs{"task": taskID}, Read: records.One(v, scanVideo)}
}

// Video reads a video. It fails with [core.CodeNotFound].
func (s Store) Video(ctx context.Context, taskID string) (v Video, err error) {
	err = s.Read(ctx, ReadVideo(taskID, &v))
	if errors.Is(err, pgx.ErrNoRows) {
		return v, core.Errorf(core.CodeNotFound, "there is no video %s", taskID)
	}
	return v, records.Wrap(err, "read a video")
}

// Claim takes a video up for an engine: from now on the client cannot withdraw it. Taking it up again changes nothing. It fails with
// [core.CodeCanceled] when the client has withdrawn the video, and as [records.Store.Save] does.
func (s Store) Claim(ctx context.Context, run records.StageRun) error {
	var won bool
	err := s.Save(ctx, run, records.Statement{
		SQL: `WITH claimed AS (
			UPDATE video SET claimed_at = coalesce(claimed_at, now()) WHERE task_id = @task AND withdrawn_at IS NULL RETURNING task_id
		) SELECT EXISTS (SELECT FROM claimed)`,
		Args: run.Args(), Read: records.One(&won, pgx.RowTo[bool]),
	})
	if err == nil && !won {
		return core.NewError(core.CodeCanceled, "the video was withdrawn")
	}
	return records.Wrap(err, "claim a video")
}

// Withdraw takes a video back that no engine has taken up, and requests the end of its task. It reports false for a video that an engine
// has, that was withdrawn before, or whose task has ended.
func (s Store) Withdraw(ctx context.Context, tenant, taskID string) (won bool, err error) {
	err = s.Read(ctx, records.Statement{
		// The row of the task is locked first, as all who write both do.
		SQL: `WITH t AS MATERIALIZED (
			SELECT id FROM task WHERE id = @task AND tenant = @tenant AND ended_at IS NULL FOR NO KEY UPDATE
		), withdrawn AS (
			UPDATE video v SET withdrawn_at = now() FROM t
			WHERE v.task_id = t.id AND v.claimed_at IS NULL AND v.withdrawn_at IS NULL
			RETURNING v.task_id
		), requested AS (
			UPDATE task SET cancel_requested_at = coalesce(cancel_requested_at, now()), updated_at = now()
			FROM withdrawn WHERE task.id = withdrawn.task_id AND task.ended_at IS NULL
		) SELECT EXISTS (SELECT FROM withdrawn)`,
		Args: pgx.NamedArgs{"task": taskID, "tenant": tenant}, Read: records.One(&won, pgx.RowTo[bool]),
	})
	return won, records.Wrap(err, "withdraw a video")
}

// SavePrompt writes the prompt of a language model and closes the run; nil keeps the client's prompt.
func (s Store) SavePrompt(ctx context.Context, run records.StageRun, prompt *string, elapsed core.ElapsedMS) error {
	args := run.Args()
	args["prompt"] = prompt
	return s.Save(ctx, run,
		records.Statement{SQL: `UPDATE video SET actual_prompt = @prompt WHERE task_id = @task`, Args: args}, run.Close(elapsed))
}

// SaveJob writes the job of a server.
func (s Store) SaveJob(ctx context.Context, run records.StageRun, j video.ServerJob) error {
	args := run.Args()
	args["server"], args["asked"], args["job"] = j.Server, j.AskedAt, j.ID
	return s.Save(ctx, run, records.Statement{
		SQL: `UPDATE video SET server = nullif(@server, ''), asked_at = @asked, job = nullif(@job, '') WHERE task_id = @task`, Args: args,
	})
}

// Jobs lists which of these jobs of a server belong to videos.
func (s Store) Jobs(ctx context.Context, server string, ids []string) (known []string, err error) {
	err = s.Read(ctx, records.Statement{
		SQL:  `SELECT job FROM video WHERE server = @server AND job = ANY (@ids)`,
		Args: pgx.NamedArgs{"server": server, "ids": ids}, Read: records.All(&known, pgx.RowTo[string]),
	})
	return known, records.Wrap(err, "list the jobs of a server")
}

// recordPrice writes the call of a model with a price into the ledger, when its video is made. It is paid for once: a repeated end of an item
// is refused.
const recordPrice = `
INSERT INTO model_call (request_key, tenant, task_id, provider, model, params, cost_micros, started_at, latency_ms, outcome)
SELECT 'video/' || t.id || '/' || t.retry_count, t.tenant, t.id, v.engine, v.model,
	jsonb_build_object('resolution', t.options -> 'resolution', 'duration', t.options -> 'duration')::text, v.price_micros,
	coalesce(v.claimed_at, now()), extract(epoch FROM now() - coalesce(v.claimed_at, now()))::bigint * 1000, 'ok'
FROM video v JOIN task t ON t.id = v.task_id
WHERE v.task_id = @task AND v.price_micros > 0`

// Finish ends the item with its file, and records what it costs; details are further statements of the same transaction.
func (s Store) Finish(ctx context.Context, run records.StageRun, out records.Finished, f File, details ...records.Statement) error {
	args := run.Args()
	args["width"], args["height"], args["frames"], args["duration"] = f.Width, f.Height, f.Frames, f.Duration.Milliseconds()
	return s.FinishItem(ctx, run, out, append([]records.Statement{{
		SQL:  `UPDATE video SET width = @width, height = @height, frames = @frames, duration_ms = @duration WHERE task_id = @task`,
		Args: args,
	}, {SQL: recordPrice, Args: args}}, details...)...)
}
