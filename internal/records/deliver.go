package records

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

// Round identifies one sending of a delivery. What a superseded round reports changes nothing.
type Round struct {
	DeliveryID string
	// Number is [Delivery.Round].
	Number int
	Tenant string
}

// UnstartedDeliveries lists at most limit rounds that no workflow was started for, the oldest first.
func (s *Store) UnstartedDeliveries(ctx context.Context, limit int) (list []Round, err error) {
	err = s.Read(ctx, Statement{
		SQL:  `SELECT id, round, tenant FROM webhook_delivery WHERE status = 'pending' AND started_at IS NULL ORDER BY created_at, id LIMIT @limit`,
		Args: pgx.NamedArgs{"limit": limit}, Read: All(&list, pgx.RowToStructByPos[Round]),
	})
	return list, Wrap(err, "list deliveries to start")
}

// DeliveryStarted records that the workflow of a round was started.
func (s *Store) DeliveryStarted(ctx context.Context, r Round) error {
	_, err := s.pool.Exec(ctx, `UPDATE webhook_delivery SET started_at = now() WHERE id = $1 AND round = $2 AND started_at IS NULL`, r.DeliveryID, r.Number)
	return Wrap(err, "record the start of a delivery")
}

// PendingDelivery reads the delivery of a round. Found is false when the round has nothing to send any more: it was delivered or given up,
// its endpoint is paused, or another round has begun.
func (s *Store) PendingDelivery(ctx context.Context, r Round) (d Delivery, found bool, err error) {
	err = s.Read(ctx, Statement{
		SQL:  `SELECT ` + deliveryColumns + ` FROM webhook_delivery WHERE id = @id AND round = @round AND status = 'pending'`,
		Args: pgx.NamedArgs{"id": r.DeliveryID, "round": r.Number}, Read: One(&d, pgx.RowToStructByPos[Delivery]),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Delivery{}, false, nil
	}
	return d, err == nil, Wrap(err, "read a delivery")
}

// Attempt is what came of one request of a delivery.
type Attempt struct {
	Delivered bool
	// Status is the HTTP status of the answer; 0 when there was none.
	Status int
	// Error is one sentence; empty for an attempt that delivered.
	Error string
}

// RecordAttempt records an attempt. One that delivered counts even when the endpoint has been paused meanwhile.
func (s *Store) RecordAttempt(ctx context.Context, r Round, a Attempt) error {
	_, err := s.pool.Exec(ctx, `UPDATE webhook_delivery SET attempts = attempts + 1, last_attempt_at = now(), last_status = nullif(@code::int, 0),
			last_error = nullif(@error, ''), status = CASE WHEN @delivered THEN 'delivered' ELSE status END,
			ended_at = CASE WHEN @delivered THEN now() END
		WHERE id = @id AND round = @round AND status IN ('pending', 'paused')`,
		pgx.NamedArgs{"id": r.DeliveryID, "round": r.Number, "code": a.Status, "error": Clean(a.Error), "delivered": a.Delivered})
	return Wrap(err, "record an attempt of a delivery")
}

const (
	// The endpoint is locked before its deliveries, so that two that fail at once do not wait for each other.
	lockEndpoint = `SELECT FROM webhook_endpoint WHERE id = (SELECT endpoint_id FROM webhook_delivery WHERE id = @id) FOR UPDATE`

	failDelivery = `UPDATE webhook_delivery SET status = 'failed', ended_at = now()
		WHERE id = @id AND round = @round AND status = 'pending'`

	pauseDead = `UPDATE webhook_endpoint e SET paused_at = now(), pause_reason = CASE WHEN d.last_status = @gone
			THEN 'it answered 410 Gone' ELSE 'it received nothing for as long as a delivery is tried' END
		FROM webhook_delivery d WHERE d.id = @id AND d.round = @round AND d.status = 'failed' AND e.id = d.endpoint_id AND e.paused_at IS NULL
			AND (d.last_status = @gone OR NOT EXISTS (SELECT FROM webhook_delivery o WHERE o.endpoint_id = e.id AND o.status = 'delivered'
				AND o.ended_at >= d.started_at))`

	pauseDeliveries = `UPDATE webhook_delivery o SET status = 'paused' FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
		WHERE d.id = @id AND e.paused_at IS NOT NULL AND o.endpoint_id = e.id AND o.status = 'pending'`
)

// FailDelivery gives up a delivery. Its endpoint is paused, with what else waits for it, when it answered 410, or when nothing was
// delivered to it since the round was started.
func (s *Store) FailDelivery(ctx context.Context, r Round) error {
	args := pgx.NamedArgs{"id": r.DeliveryID, "round": r.Number, "gone": http.StatusGone}
	_, err := s.inTransaction(ctx,
		Statement{SQL: lockEndpoint, Args: args}, Statement{SQL: failDelivery, Args: args},
		Statement{SQL: pauseDead, Args: args}, Statement{SQL: pauseDeliveries, Args: args})
	return Wrap(err, "give up a delivery")
}

// GiveUpDeliveries gives up at most limit deliveries that were started longer ago than olderThan and are still pending: their workflows
// were terminated. It returns how many.
func (s *Store) GiveUpDeliveries(ctx context.Context, olderThan time.Duration, limit int) (int, error) {
	tag, err := s.pool.Exec(ctx, `UPDATE webhook_delivery SET status = 'failed', ended_at = now(), last_error = 'the delivery was terminated'
		WHERE id IN (SELECT id FROM webhook_delivery WHERE status = 'pending' AND started_at <= now() - make_interval(secs => @seconds)
			LIMIT @limit FOR UPDATE SKIP LOCKED)`, pgx.NamedArgs{"seconds": olderThan.Seconds(), "limit": limit})
	return int(tag.RowsAffected()), Wrap(err, "give up deliveries")
}

// RemoveDeliveries removes at most limit deliveries that ended, or were written to a paused endpoint, longer ago than olderThan. It returns
// how many.
func (s *Store) RemoveDeliveries(ctx context.Context, olderThan time.Duration, limit int) (int, error) {
	tag, err := s.pool.Exec(ctx, `DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery
		WHERE status <> 'pending' AND coalesce(ended_at, created_at) <= now() - make_interval(secs => @seconds)
		ORDER BY coalesce(ended_at, created_at) LIMIT @limit FOR UPDATE SKIP LOCKED)`, pgx.NamedArgs{"seconds": olderThan.Seconds(), "limit": limit})
	return int(tag.RowsAffected()), Wrap(err, "remove old deliveries")
}

// OldestPendingDelivery returns the age of the oldest delivery that is still being tried; 0 when none is.
func (s *Store) OldestPendingDelivery(ctx context.Context) (age time.Duration, err error) {
	var seconds float64
	err = s.Read(ctx, Statement{
		SQL:  `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::double precision FROM webhook_delivery WHERE status = 'pending'`,
		Read: One(&seconds, pgx.RowTo[float64]),
	})
	return time.Duration(seconds * float64(time.Second)), Wrap(err, "read the age of deliveries")
}
