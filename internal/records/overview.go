package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// MaxBusyTenants is the largest number of tenants in an [Overview].
const MaxBusyTenants = 100

// Overview is what an installation does now. Rates count the minute before.
type Overview struct {
	At time.Time
	// Hosts are the processes that are not [Host.Gone].
	Hosts []Host
	Work  []Work
	// Tenants are those with tasks that have not ended or items that ended within the minute, those with the most first.
	Tenants []BusyTenant
}

// Work are the tasks of a kind.
type Work struct {
	Kind                    core.Kind
	Queued, Running, Paused int64
	// OldestQueued is how long the oldest queued task has waited; 0 when none is.
	OldestQueued time.Duration
	// Succeeded and Failed are the items that ended within the minute.
	Succeeded, Failed int64
}

// BusyTenant is a tenant with what it uses and what ended of it.
type BusyTenant struct {
	Name, Tier string
	// Running includes paused tasks.
	Running, Waiting int64
	// Items are those that ended within the minute.
	Items int64
	// Requests and Tokens are those within the minute; 0 where the tier does not limit them.
	Requests, Tokens int64
}

const (
	work = `
WITH unended AS (
	SELECT kind, count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
		count(*) FILTER (WHERE status = 'paused') AS paused,
		coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE status = 'queued')), 0) AS oldest
	FROM task WHERE status IN ('queued', 'running', 'paused') GROUP BY kind
), ended AS (
	SELECT t.kind, count(*) FILTER (WHERE i.status = 'success') AS succeeded, count(*) FILTER (WHERE i.status <> 'success') AS failed
	FROM item i JOIN task t ON t.id = i.task_id WHERE i.ended_at > now() - interval '1 minute' GROUP BY t.kind
)
SELECT kind, coalesce(queued, 0), coalesce(running, 0), coalesce(paused, 0), coalesce(oldest, 0)::double precision,
	coalesce(succeeded, 0), coalesce(failed, 0)
FROM unended FULL JOIN ended USING (kind) ORDER BY kind`

	busyTenants = `
WITH unended AS (
	SELECT tenant, count(*) FILTER (WHERE status = 'queued') AS waiting, count(*) FILTER (WHERE status <> 'queued') AS running
	FROM task WHERE status IN ('queued', 'running', 'paused') GROUP BY tenant
), ended AS (
	SELECT t.tenant, count(*) AS items FROM item i JOIN task t ON t.id = i.task_id
	WHERE i.ended_at > now() - interval '1 minute' GROUP BY t.tenant
), busy AS (
	SELECT tenant, coalesce(running, 0) AS running, coalesce(waiting, 0) AS waiting, coalesce(items, 0) AS items
	FROM unended FULL JOIN ended USING (tenant) ORDER BY running + waiting DESC NULLS LAST, items DESC, tenant LIMIT @most
)
SELECT busy.tenant, t.tier, busy.running, busy.waiting, busy.items, coalesce(requests.total, 0), coalesce(tokens.total, 0)
FROM busy JOIN tenant t ON t.name = busy.tenant JOIN tier ON tier.name = t.tier
CROSS JOIN LATERAL charge_rate(t.name, 'requests', 0, requests_per_minute) requests
CROSS JOIN LATERAL charge_rate(t.name, 'tokens', 0, tokens_per_minute) tokens
ORDER BY busy.running + busy.waiting DESC, busy.items DESC, busy.tenant`
)

// Work reads the tasks of each kind.
func (s *Store) Work(ctx context.Context) (list []Work, err error) {
	err = s.Read(ctx, readWork(&list))
	return list, Wrap(err, "count tasks")
}

func readWork(list *[]Work) Statement {
	return Statement{SQL: work, Read: All(list, func(row pgx.CollectableRow) (w Work, err error) {
		var oldest float64
		err = row.Scan(&w.Kind, &w.Queued, &w.Running, &w.Paused, &oldest, &w.Succeeded, &w.Failed)
		w.OldestQueued = time.Duration(oldest * float64(time.Second))
		return w, err
	})}
}

// Overview reads what the installation does.
func (s *Store) Overview(ctx context.Context) (o Overview, err error) {
	hosts, err := s.Hosts(ctx)
	if err != nil {
		return o, err
	}
	err = s.Read(ctx,
		Statement{SQL: `SELECT now()`, Read: One(&o.At, pgx.RowTo[time.Time])},
		readWork(&o.Work),
		Statement{SQL: busyTenants, Args: pgx.NamedArgs{"most": MaxBusyTenants}, Read: All(&o.Tenants, pgx.RowToStructByPos[BusyTenant])})
	for _, h := range hosts {
		if !h.Gone(o.At) {
			o.Hosts = append(o.Hosts, h)
		}
	}
	return o, Wrap(err, "read what the installation does")
}
