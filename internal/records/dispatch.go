package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/translate/ledger"
)

// admitTask fails for a queued task beyond the limits of its tenant, after it is written: the transaction then leaves nothing.
// Charged is the number of tokens that the tenant was charged.
func admitTask(id, tenant string, tokens int64, charged *int64) Statement {
	return Statement{
		SQL: `SELECT admit_task(@id, @tenant, @tokens)`, Args: pgx.NamedArgs{"id": id, "tenant": tenant, "tokens": tokens},
		Read: One(charged, pgx.RowTo[int64]),
	}
}

func settleTokens(c ledger.Call) Statement {
	used := int64(c.Answer.InputTokens) + int64(c.Answer.OutputTokens)
	return Statement{SQL: `SELECT settle_tokens(@task, @tenant, @used)`, Args: pgx.NamedArgs{"task": c.TaskID, "tenant": c.Tenant, "used": used}}
}

// Share is how the work of a tenant is served, as [Tier] says. It is zero for a tenant that does not exist.
type Share struct{ Priority, Weight int }

// DispatchTask gives a queued task one of the places that the tier of its tenant allows running tasks, and reports whether it has one. The
// place is free again when the task has ended.
func (s *Store) DispatchTask(ctx context.Context, id string) (dispatched bool, share Share, err error) {
	err = s.pool.QueryRow(ctx, `SELECT dispatched, coalesce(priority, 0), coalesce(weight, 0) FROM dispatch_task($1)`, id).
		Scan(&dispatched, &share.Priority, &share.Weight)
	return dispatched, share, Wrap(err, "dispatch a task")
}

// ShareOf reads the share of a tenant.
func (s *Store) ShareOf(ctx context.Context, tenant string) (share Share, err error) {
	err = s.pool.QueryRow(ctx, `SELECT priority, weight FROM tenant JOIN tier ON tier.name = tenant.tier WHERE tenant.name = $1`, tenant).
		Scan(&share.Priority, &share.Weight)
	if errors.Is(err, pgx.ErrNoRows) {
		return Share{}, nil
	}
	return share, Wrap(err, "read the share of a tenant")
}

const waitingTasks = `
SELECT ` + taskColumns + ` FROM (
	SELECT waiting.* FROM tenant JOIN tier ON tier.name = tenant.tier
	CROSS JOIN LATERAL (SELECT count(*) AS tasks FROM task WHERE tenant = tenant.name AND dispatched_at IS NOT NULL AND ended_at IS NULL) running
	CROSS JOIN LATERAL (
		SELECT * FROM task WHERE tenant = tenant.name AND status = 'queued' AND dispatched_at IS NULL AND cancel_requested_at IS NULL
		ORDER BY priority, created_at, id LIMIT greatest(tier.running_tasks - running.tasks, 0)
	) waiting
	WHERE tier.running_tasks IS NOT NULL
	ORDER BY tier.priority, waiting.priority, waiting.created_at, waiting.id LIMIT @limit
) task`

// WaitingTasks lists at most limit queued tasks for which their tenants have a free place, in the order in which to start them.
func (s *Store) WaitingTasks(ctx context.Context, limit int) (list []Task, err error) {
	err = s.Read(ctx, Statement{SQL: waitingTasks, Args: pgx.NamedArgs{"limit": limit}, Read: All(&list, scanTask)})
	return list, Wrap(err, "list waiting tasks")
}

// WatchWaiting is [Store.Watch] for the places of running tasks: a token says that one may be free.
func (s *Store) WatchWaiting() (freed <-chan struct{}, leave func()) { return s.Watch(waitingKey) }

// waitingKey is what the function release_task sends on the channel plait_waiting. No task has this id.
const waitingKey = "waiting tasks"
