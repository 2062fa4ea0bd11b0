package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// Progress is how far a task has come.
type Progress struct {
	Status core.Status
	// Total is the number of items; Done of them have ended, as Succeeded or Failed.
	Total, Done, Succeeded, Failed int
	// Trouble is the failure that an item of the task waits for a retry of; nil when none does.
	Trouble *Trouble
	// QueuePosition is the place among all queued tasks, from 1, by tier, turn and priority; 0 for a task that is not queued.
	QueuePosition int
	// EstimatedStart is when a queued task will start, at the pace of the tasks of its kind that ended last; nil while there is none.
	EstimatedStart *time.Time
	// Elapsed is the time since the task started to work, until its end.
	Elapsed time.Duration
	// Remaining is the estimated time left, at the rate of the items done; nil while there is none.
	Remaining *time.Duration
}

// Trouble is the last failure of a step that will be retried.
type Trouble struct {
	Item    int        `json:"item_index"`
	Stage   core.Stage `json:"stage"`
	Code    core.Code  `json:"code"`
	Message string     `json:"message"`
	Since   time.Time  `json:"ended_at"`
}

// Progress reads the progress of a task. It fails with [core.CodeNotFound].
func (s *Store) Progress(ctx context.Context, taskID string) (Progress, error) {
	found, err := s.Progresses(ctx, []string{taskID})
	if err != nil {
		return Progress{}, err
	}
	p, ok := found[taskID]
	if !ok {
		return Progress{}, notFound("task", taskID)
	}
	return p, nil
}

// ShareColumns are the columns of a [Share], of tenant_share as s that is joined to the left. A tenant that is not in the records has the
// defaults of Temporal, with which its workflows start.
const ShareColumns = `coalesce(s.priority_key, 3) AS priority_key, coalesce(s.fairness_weight, 1) AS fairness_weight`

// The items of an ended task are not read. Nothing of the queue is read when no task is queued.
//
// The position is where the task is if every tenant with queued tasks takes its turns, as the function tasks_before counts them. Tasks of
// several tenants can have one position.
//
// A tenant whose running tasks are limited waits for places of its own. The others wait for the tasks before them, of which as many run at
// once as do now. Tasks of a kind take as long as the median of the 50 that ended last.
const selectProgress = `
WITH asked AS MATERIALIZED (
	SELECT DISTINCT tenant, ` + ShareColumns + `, s.running_tasks AS places FROM task t LEFT JOIN tenant_share s USING (tenant)
	WHERE t.id = ANY (@ids) AND t.status = 'queued'
), waiting AS MATERIALIZED (
	SELECT tenant, q.tasks, ` + ShareColumns + `
	FROM (SELECT tenant, count(*) AS tasks FROM task WHERE status = 'queued' AND EXISTS (SELECT FROM asked) GROUP BY tenant) q
	LEFT JOIN tenant_share s USING (tenant)
), ranked AS MATERIALIZED (
	SELECT id, tenant, kind, row_number() OVER (PARTITION BY tenant ORDER BY priority, created_at, id) AS rank
	FROM task WHERE status = 'queued' AND tenant IN (SELECT tenant FROM asked)
), queue AS MATERIALIZED (
	SELECT id, tenant, kind, rank, places, rank + coalesce((
		SELECT sum(tasks_before(rank, a.priority_key, a.fairness_weight, w.tasks, w.priority_key, w.fairness_weight))
		FROM waiting w WHERE w.tenant <> a.tenant
	), 0) AS position
	FROM ranked JOIN asked a USING (tenant) WHERE id = ANY (@ids)
), taken AS MATERIALIZED (
	SELECT tenant, (SELECT count(*) FROM task t WHERE t.tenant = a.tenant AND dispatched_at IS NOT NULL AND ended_at IS NULL
		AND status <> 'queued') AS tasks
	FROM asked a WHERE places IS NOT NULL
), running AS MATERIALIZED (
	SELECT nullif(count(*), 0) AS tasks FROM task WHERE status = 'running' AND EXISTS (SELECT FROM asked WHERE places IS NULL)
), pace AS MATERIALIZED (
	SELECT kind, (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended_at - started_at)) FROM (
		SELECT ended_at, started_at FROM task t WHERE t.kind = k.kind AND status IN ('success', 'partial') ORDER BY ended_at DESC LIMIT 50
	) ended) AS seconds
	FROM (SELECT DISTINCT kind FROM queue) k
), estimate AS MATERIALIZED (
	SELECT id, now() + make_interval(secs => seconds * CASE
		WHEN places IS NOT NULL THEN greatest(rank + taken.tasks - places, 0)::float8 / places
		ELSE position::float8 / running.tasks
	END) AS start
	FROM queue JOIN pace USING (kind) LEFT JOIN taken USING (tenant) CROSS JOIN running
)
SELECT t.id, t.status, t.total_count, t.success_count, t.failed_count,
	coalesce(queue.position, 0), estimate.start,
	-- A statement may begin before the task that it sees begun.
	greatest(coalesce(extract(epoch FROM coalesce(t.ended_at, now()) - t.started_at), 0), 0)::double precision,
	trouble.last, ended.since
FROM task t
LEFT JOIN queue USING (id)
LEFT JOIN estimate USING (id)
CROSS JOIN LATERAL (
	-- Of a task that was retried, most may have ended before.
	SELECT count(*) FILTER (WHERE ended_at >= t.started_at) AS since FROM item WHERE task_id = t.id AND t.ended_at IS NULL
) ended
LEFT JOIN LATERAL (
	SELECT jsonb_build_object('item_index', r.item_index, 'stage', r.stage, 'code', r.code, 'message', coalesce(r.message, ''),
		'ended_at', r.ended_at) AS last
	FROM stage_run r JOIN item i USING (task_id, item_index)
	WHERE r.task_id = t.id AND t.ended_at IS NULL AND i.ended_at IS NULL AND r.outcome = 'failure' AND r.code NOT IN ('PAUSED', 'OUT_OF_TURN')
		AND NOT EXISTS (SELECT FROM stage_run n WHERE n.task_id = r.task_id AND n.item_index = r.item_index AND n.started_at > r.started_at)
	ORDER BY r.ended_at DESC LIMIT 1
) trouble ON true
WHERE t.id = ANY (@ids)`

// Progresses reads the progress of several tasks in one query, by id; a task that does not exist has none.
func (s *Store) Progresses(ctx context.Context, taskIDs []string) (map[string]Progress, error) {
	rows, err := s.pool.Query(ctx, selectProgress, pgx.NamedArgs{"ids": taskIDs})
	if err != nil {
		return nil, Wrap(err, "read progress")
	}
	found := make(map[string]Progress, len(taskIDs))
	_, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (struct{}, error) {
		id, p, err := scanProgress(row)
		found[id] = p
		return struct{}{}, err
	})
	return found, Wrap(err, "read progress")
}

func scanProgress(row pgx.CollectableRow) (id string, p Progress, err error) {
	var seconds float64
	var since int
	err = row.Scan(&id, &p.Status, &p.Total, &p.Succeeded, &p.Failed, &p.QueuePosition, &p.EstimatedStart, &seconds, &p.Trouble, &since)
	p.Elapsed = time.Duration(seconds * float64(time.Second))
	p.Done = p.Succeeded + p.Failed
	if since > 0 && p.Status == core.StatusRunning {
		left := time.Duration(float64(p.Elapsed) / float64(since) * float64(p.Total-p.Done))
		p.Remaining = &left
	}
	return id, p, err
}
