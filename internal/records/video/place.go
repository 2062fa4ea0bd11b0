package videorecords

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/records"
	"plait/internal/video"
)

// Place is where a video is in the queue of its engine.
type Place struct {
	// Position counts from 1.
	Position int
	// Start is when an engine will take the video up, at the pace of the videos that ended last; nil while there is none.
	Start *time.Time
}

// Outlook is when a new video would be made.
type Outlook struct {
	Place
	// Processing is how long the engine would take for it; 0 while there is no video to tell it by.
	Processing time.Duration
}

// mine is a video of the records, and asked is one that a tenant may ask for.
const (
	mine = `
WITH mine AS (
	SELECT v.engine, t.tenant, t.created_at, t.id FROM video v JOIN task t ON t.id = v.task_id WHERE v.task_id = @task
)`
	asked = `
WITH mine AS (
	SELECT @engine::text AS engine, @tenant::text AS tenant, now() AS created_at, '' AS id
)`
)

// queue ranks the videos of a tenant that wait for an engine by age, and counts the turns of the other tenants before them. Videos of an
// engine take as long as the median of the 50 that ended last.
const queue = `, waiting AS (
	SELECT tenant, videos, earlier, ` + records.ShareColumns + ` FROM (
		SELECT t.tenant, count(*) AS videos, count(*) FILTER (WHERE (t.created_at, t.id) < (mine.created_at, mine.id)) AS earlier
		FROM mine, video v JOIN task t ON t.id = v.task_id
		WHERE v.engine = mine.engine AND v.claimed_at IS NULL AND v.withdrawn_at IS NULL AND t.ended_at IS NULL GROUP BY t.tenant
	) q LEFT JOIN tenant_share s USING (tenant)
), own AS (
	SELECT tenant, 1 + coalesce((SELECT earlier FROM waiting w WHERE w.tenant = mine.tenant), 0) AS rank, ` + records.ShareColumns + `
	FROM mine LEFT JOIN tenant_share s USING (tenant)
), ahead AS (
	SELECT own.rank - 1 + coalesce((
		SELECT sum(tasks_before(own.rank, own.priority_key, own.fairness_weight, w.videos, w.priority_key, w.fairness_weight))
		FROM waiting w WHERE w.tenant <> own.tenant
	), 0)::bigint AS videos FROM own
), busy AS (
	SELECT count(*) AS videos FROM mine, video v JOIN task t ON t.id = v.task_id
	WHERE v.engine = mine.engine AND v.claimed_at IS NOT NULL AND t.ended_at IS NULL
), pace AS (
	SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended.ended_at - ended.claimed_at)) AS seconds FROM (
		SELECT t.ended_at, v.claimed_at FROM mine, video v JOIN task t ON t.id = v.task_id
		WHERE v.engine = mine.engine AND t.kind = 'video' AND t.status = 'success' AND v.claimed_at IS NOT NULL
		ORDER BY t.ended_at DESC LIMIT 50
	) ended
)
SELECT ahead.videos + 1, now() + make_interval(secs => pace.seconds * (ahead.videos + 1) / busy.videos)
FROM ahead, pace, (SELECT nullif(videos, 0)::float8 AS videos FROM busy) busy`

func (p *Place) read(of string, args pgx.NamedArgs) records.Statement {
	return records.Statement{
		SQL: of + queue, Args: args,
		Read: records.One(p, func(row pgx.CollectableRow) (p Place, err error) { return p, row.Scan(&p.Position, &p.Start) }),
	}
}

// Place returns the place of a video that waits for its engine.
func (s Store) Place(ctx context.Context, taskID string) (p Place, err error) {
	err = s.Read(ctx, p.read(mine, pgx.NamedArgs{"task": taskID}))
	return p, records.Wrap(err, "read the place of a video")
}

// selectProcessing is the median, over the 50 videos of the model and the resolution that ended last, of the time for a second of video.
const selectProcessing = `
SELECT coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY pace), 0) FROM (
	SELECT extract(epoch FROM t.ended_at - v.claimed_at) * 1000 / v.duration_ms AS pace FROM video v JOIN task t ON t.id = v.task_id
	WHERE v.engine = @engine AND v.model = @model AND t.kind = 'video' AND t.status = 'success' AND v.claimed_at IS NOT NULL
		AND t.options ->> 'resolution' = @resolution
	ORDER BY t.ended_at DESC LIMIT 50
) ended`

// Outlook returns when a new video of so many seconds of a tenant would be made.
func (s Store) Outlook(ctx context.Context, tenant string, m video.Model, r video.Resolution, seconds int) (o Outlook, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "engine": m.Engine, "model": m.Name, "resolution": string(r)}
	var pace float64
	err = s.Read(ctx, o.read(asked, args), records.Statement{SQL: selectProcessing, Args: args, Read: records.One(&pace, pgx.RowTo[float64])})
	o.Processing = time.Duration(pace * float64(seconds) * float64(time.Second)).Round(time.Millisecond)
	return o, records.Wrap(err, "read the queue of an engine")
}
