package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// admitTask fails for a queued task beyond the limits of its tenant, after it is written: the transaction then leaves nothing.
// Charged is the number of tokens that the tenant was charged.
func admitTask(id, tenant string, tokens int64, charged *int64) Statement {
	return Statement{
		SQL: `SELECT admit_task(@id, @tenant, @tokens)`, Args: pgx.NamedArgs{"id": id, "tenant": tenant, "tokens": tokens},
		Read: One(charged, pgx.RowTo[int64]),
	}
}

// Share is how the steps of a tenant are served, as the view tenant_share says. It is zero for a tenant that does not exist.
type Share struct {
	// PriorityKey is the priority in Temporal, from 1, which is served first, to 5.
	PriorityKey int
	// FairnessWeight is the share among the tenants of the same PriorityKey.
	FairnessWeight float64
}

// DispatchTask gives a queued task one of the places that the tier of its tenant allows running tasks, and reports whether it has one. The
// place is free again when the task has ended.
func (s *Store) DispatchTask(ctx context.Context, id string) (dispatched bool, share Share, err error) {
	err = s.pool.QueryRow(ctx, `SELECT dispatched, coalesce(priority_key, 0), coalesce(fairness_weight, 0) FROM dispatch_task($1)`, id).
		Scan(&dispatched, &share.PriorityKey, &share.FairnessWeight)
	return dispatched, share, Wrap(err, "dispatch a task")
}

// ShareOf reads the share of a tenant.
func (s *Store) ShareOf(ctx context.Context, tenant string) (share Share, err error) {
	err = s.pool.QueryRow(ctx, `SELECT priority_key, fairness_weight FROM tenant_share WHERE tenant = $1`, tenant).
		Scan(&share.PriorityKey, &share.FairnessWeight)
	if errors.Is(err, pgx.ErrNoRows) {
		return Share{}, nil
	}
	return share, Wrap(err, "read the share of a tenant")
}

// Tenants of the same priority take turns by their weights.
const waitingTasks = `
SELECT ` + taskColumns + ` FROM (
	SELECT waiting.* FROM tenant_share share
	CROSS JOIN LATERAL (SELECT count(*) AS tasks FROM task WHERE tenant = share.tenant AND dispatched_at IS NOT NULL AND ended_at IS NULL) running
	CROSS JOIN LATERAL (
		SELECT *, row_number() OVER (ORDER BY priority, created_at, id) AS rank FROM task
		WHERE tenant = share.tenant AND status = 'queued' AND dispatched_at IS NULL AND cancel_requested_at IS NULL
		ORDER BY priority, created_at, id LIMIT greatest(share.running_tasks - running.tasks, 0)
	) waiting
	WHERE share.running_tasks IS NOT NULL
	ORDER BY share.priority_key, waiting.rank / share.fairness_weight, waiting.created_at, waiting.id LIMIT @limit
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
