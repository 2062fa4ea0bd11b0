package records

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// DeliveryStatus is the state of a delivery.
type DeliveryStatus string

// The states of deliveries.
const (
	// DeliveryPending: it is being tried.
	DeliveryPending DeliveryStatus = "pending"
	// DeliveryDelivered: the receiver answered with 2xx.
	DeliveryDelivered DeliveryStatus = "delivered"
	// DeliveryFailed: it was given up.
	DeliveryFailed DeliveryStatus = "failed"
	// DeliveryPaused: its endpoint is paused.
	DeliveryPaused DeliveryStatus = "paused"
)

// ParseDeliveryStatus reads a status; empty is any. It fails with [core.CodeInvalidInput].
func ParseDeliveryStatus(text string) (DeliveryStatus, error) {
	if text == "" {
		return "", nil
	}
	return core.OneOf("status", DeliveryStatus(text), DeliveryPending, DeliveryDelivered, DeliveryFailed, DeliveryPaused)
}

// Delivery is a message to a webhook, and what became of it.
type Delivery struct {
	ID, Tenant string
	// EndpointID is empty for the callback URL of the task.
	EndpointID, URL string
	TaskID, Type    string
	// Data is the state of the task, as in [Event].
	Data   json.RawMessage
	Status DeliveryStatus
	// Round is how often sending has begun anew.
	Round int
	// Attempts is the number of requests sent, in all rounds. LastStatus is the HTTP status of the last answer; 0 when it had none.
	Attempts, LastStatus int
	LastError            string
	// CreatedAt is when it happened, LastAttemptAt when the last attempt ended, and EndedAt when it was delivered or given up.
	CreatedAt              time.Time
	LastAttemptAt, EndedAt *time.Time
}

const deliveryColumns = `id, tenant, coalesce(endpoint_id, ''), url, task_id, type, data, status, round, attempts, coalesce(last_status, 0),
	coalesce(last_error, ''), created_at, last_attempt_at, ended_at`

// DeliveryFilter selects deliveries. An empty field matches every delivery.
type DeliveryFilter struct {
	TaskID, EndpointID string
	Status             DeliveryStatus
}

// Deliveries lists the deliveries of a tenant that the filter selects, the newest first: at most limit (1..200) after the cursor. The
// returned cursor continues the list; it is zero at the end.
func (s *Store) Deliveries(ctx context.Context, tenant string, f DeliveryFilter, limit int, after Cursor) (list []Delivery, next Cursor, err error) {
	limit = min(max(limit, 1), maxListed)
	if after.IsZero() {
		after = Cursor{At: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}
	}
	conditions := ""
	if f.TaskID != "" {
		conditions += " AND task_id = @task"
	}
	if f.EndpointID != "" {
		conditions += " AND endpoint_id = @endpoint"
	}
	if f.Status != "" {
		conditions += " AND status = @status"
	}
	err = s.Read(ctx, Statement{
		SQL: `SELECT ` + deliveryColumns + ` FROM webhook_delivery WHERE tenant = @tenant` + conditions + `
			AND (created_at, id) < (@at, @id) ORDER BY created_at DESC, id DESC LIMIT @limit`,
		Args: pgx.NamedArgs{
			"tenant": tenant, "task": f.TaskID, "endpoint": f.EndpointID, "status": string(f.Status), "at": after.At, "id": after.ID, "limit": limit,
		},
		Read: All(&list, pgx.RowToStructByPos[Delivery]),
	})
	if err == nil && len(list) == limit {
		last := list[limit-1]
		next = Cursor{At: last.CreatedAt, ID: last.ID}
	}
	return list, next, Wrap(err, "list deliveries")
}

// Delivery reads a delivery of the tenant. It fails with [core.CodeNotFound], also for one of another tenant.
func (s *Store) Delivery(ctx context.Context, tenant, id string) (d Delivery, err error) {
	err = s.Read(ctx, Statement{
		SQL:  `SELECT ` + deliveryColumns + ` FROM webhook_delivery WHERE tenant = @tenant AND id = @id`,
		Args: pgx.NamedArgs{"tenant": tenant, "id": id}, Read: One(&d, pgx.RowToStructByPos[Delivery]),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Delivery{}, notFound("delivery", id)
	}
	return d, Wrap(err, "read a delivery")
}

// ReplayDelivery sends a delivery once more that was delivered or given up. One that is still being tried stays as it is. It fails with
// [core.CodeNotFound], and with [core.CodeConflict] when the endpoint of the delivery is paused or deleted.
func (s *Store) ReplayDelivery(ctx context.Context, tenant, id string) (Delivery, error) {
	args := pgx.NamedArgs{"tenant": tenant, "id": id}
	endpoint := `SELECT FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id AND d.tenant = e.tenant
		WHERE d.tenant = @tenant AND d.id = @id AND e.paused_at IS NULL`
	_, err := s.inTransaction(ctx, append(takeEffect(ctx),
		Statement{SQL: endpoint + ` FOR SHARE OF e`, Args: args},
		Statement{SQL: `UPDATE webhook_delivery SET status = 'pending', round = round + 1, started_at = NULL, ended_at = NULL
			WHERE tenant = @tenant AND id = @id AND ended_at IS NOT NULL AND (endpoint_id IS NULL OR EXISTS (` + endpoint + `))`, Args: args})...)
	if err != nil {
		return Delivery{}, Wrap(err, "replay a delivery")
	}
	d, err := s.Delivery(ctx, tenant, id)
	if err == nil && d.Status != DeliveryPending && d.EndpointID != "" {
		err = s.checkReachable(ctx, tenant, d.EndpointID)
	}
	return d, err
}

// checkReachable fails with [core.CodeConflict] for an endpoint that gets no messages.
func (s *Store) checkReachable(ctx context.Context, tenant, endpointID string) error {
	e, err := s.Endpoint(ctx, tenant, endpointID)
	if core.CodeOf(err) == core.CodeNotFound {
		return core.NewError(core.CodeConflict, "the endpoint of the delivery was deleted")
	}
	if err == nil && e.PausedAt != nil {
		return core.NewError(core.CodeConflict, "the endpoint of the delivery is paused: resume it first")
	}
	return err
}
