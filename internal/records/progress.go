package records

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/pipeline"
)

// Progress is how far a task has come.
type Progress struct {
	Status pipeline.Status
	// Total is the number of pages; Done of them have ended, as Succeeded or Failed. Fallbacks are those of Succeeded that
	// were done again as a whole.
	Total, Done, Succeeded, Failed, Fallbacks int
	// Stages are the numbers of pages that have begun each stage last, and have not ended.
	Stages map[pipeline.Stage]int
	// QueuePosition is the place among all queued tasks, from 1; 0 for a task that is not queued.
	QueuePosition int
	// Elapsed is the time since the task began to work, until its end.
	Elapsed time.Duration
	// Remaining is the estimate of the time left, at the pace of the pages done; nil while there is none.
	Remaining *time.Duration
}

// Progress reads the progress of a task in one query. It fails with [pipeline.CodeNotFound].
func (s *Store) Progress(ctx context.Context, taskID string) (Progress, error) {
	var p Progress
	var seconds float64
	err := s.pool.QueryRow(ctx, `
		SELECT t.status, t.total_count, t.success_count, t.failed_count, t.fallback_count,
			(SELECT coalesce(jsonb_object_agg(stage, n), '{}') FROM (
				SELECT stage, count(*) AS n FROM page WHERE task_id = t.id AND status = 'running' GROUP BY stage) running),
			CASE WHEN t.status = 'queued' THEN 1 + (
				SELECT count(*) FROM task q WHERE q.status = 'queued' AND (q.created_at, q.id) < (t.created_at, t.id)) ELSE 0 END,
			coalesce(extract(epoch FROM coalesce(t.ended_at, now()) - t.started_at), 0)::double precision
		FROM task t WHERE t.id = @id`, pgx.NamedArgs{"id": taskID}).
		Scan(&p.Status, &p.Total, &p.Succeeded, &p.Failed, &p.Fallbacks, &p.Stages, &p.QueuePosition, &seconds)
	if errors.Is(err, pgx.ErrNoRows) {
		return Progress{}, notFound("task", taskID)
	}
	if err != nil {
		return Progress{}, wrap(err, "read progress")
	}
	p.Elapsed = time.Duration(seconds * float64(time.Second))
	p.Done = p.Succeeded + p.Failed
	if p.Done > 0 && p.Status == pipeline.StatusRunning {
		left := time.Duration(float64(p.Elapsed) / float64(p.Done) * float64(p.Total-p.Done))
		p.Remaining = &left
	}
	return p, nil
}
