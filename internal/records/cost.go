package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Cost is what the calls of a model took on a day of UTC. Failed calls and those of deleted tasks are included.
type Cost struct {
	Day             time.Time
	Provider, Model string
	// Calls includes FailedCalls, those without an answer.
	Calls, FailedCalls        int64
	InputTokens, OutputTokens int64
	// CostMicros is in millionths of the currency of the price table; 0 for a model without a price.
	CostMicros int64
}

// The view cost_by_model_day has the same rows by tenant. The times of calls are indexed, and its days are not.
const costs = `
SELECT date_trunc('day', started_at, 'UTC'), provider, model, count(*), count(*) FILTER (WHERE outcome <> 'ok'),
	sum(input_tokens), sum(output_tokens), sum(cost_micros)::bigint
FROM model_call
WHERE started_at >= @from AND started_at < @until AND (@tenant = '' OR tenant = @tenant)
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

// Costs reads the costs of a tenant from a moment, inclusive, until another, by day and model. An empty tenant means all tenants together.
func (s *Store) Costs(ctx context.Context, tenant string, from, until time.Time) (list []Cost, err error) {
	err = s.Read(ctx, Statement{
		SQL: costs, Args: pgx.NamedArgs{"tenant": tenant, "from": from, "until": until}, Read: All(&list, pgx.RowToStructByPos[Cost]),
	})
	return list, Wrap(err, "read what models cost")
}
