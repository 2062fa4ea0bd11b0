package records

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	// RequestLifetime is how long an idempotency key names its request.
	RequestLifetime = 24 * time.Hour
	// MaxIdempotencyKeys is the largest number of requests with an idempotency key that a tenant has within RequestLifetime, besides
	// those that create tasks.
	MaxIdempotencyKeys = 50_000
	// claimedRetry is when to ask again for the answer of a request that is under way.
	claimedRetry = time.Second
)

// IdempotentRequest names a request. Route is its route, without the values of parameters.
type IdempotentRequest struct{ Tenant, Route, Key string }

// Answer is the recorded answer of a request.
type Answer struct {
	// Fingerprint tells the request from others with the same key.
	Fingerprint []byte
	// Status is the HTTP status.
	Status int
	// Sealed are headers and body, encrypted.
	Sealed []byte
}

// Claim is the right to carry out a request. It ends with [Store.RecordAnswer] or [Store.ReleaseRequest], or after its time.
type Claim struct{ id uuid.UUID }

const (
	// A request without an answer is claimed again when its time is over, unless it has taken effect.
	claimRequest = `
INSERT INTO idempotent_request AS r (tenant, route, key, claim, claimed_until, expires_at)
SELECT @tenant, @route, @key, @claim, now() + make_interval(secs => @seconds), now() + make_interval(secs => @lifetime)
WHERE (SELECT count(*) FROM (SELECT FROM idempotent_request WHERE tenant = @tenant LIMIT @most) held) < @most
	OR EXISTS (SELECT FROM idempotent_request WHERE tenant = @tenant AND route = @route AND key = @key)
ON CONFLICT (tenant, route, key) DO UPDATE SET
	claim = excluded.claim, claimed_until = excluded.claimed_until, expires_at = excluded.expires_at,
	took_effect = false, fingerprint = NULL, status = NULL, answer = NULL
WHERE r.expires_at <= now() OR r.status IS NULL AND NOT r.took_effect AND r.claimed_until <= now()`

	claimedRequest = `
SELECT claim, took_effect AND claimed_until <= now(), coalesce(fingerprint, ''), coalesce(status, 0), coalesce(answer, '') FROM idempotent_request
WHERE tenant = @tenant AND route = @route AND key = @key`
)

// ClaimRequest claims a request for a time, or returns its recorded answer. It fails with [core.CodeConflict] while another attempt has
// the claim, and when one broke off after it took effect; and with [core.CodeRateLimited] beyond [MaxIdempotencyKeys].
func (s *Store) ClaimRequest(ctx context.Context, r IdempotentRequest, within time.Duration) (Claim, *Answer, error) {
	mine := Claim{uuid.New()}
	args := pgx.NamedArgs{
		"tenant": r.Tenant, "route": r.Route, "key": r.Key, "claim": mine.id, "seconds": within.Seconds(),
		"lifetime": RequestLifetime.Seconds(), "most": MaxIdempotencyKeys,
	}
	type claimed struct {
		Claim uuid.UUID
		// BrokeOff says that it took effect, and that its attempt is not waited for any more.
		BrokeOff bool
		Answer
	}
	var found claimed
	_, err := s.inTransaction(ctx,
		Statement{SQL: claimRequest, Args: args},
		Statement{SQL: claimedRequest, Args: args, Read: One(&found, func(row pgx.CollectableRow) (c claimed, err error) {
			err = row.Scan(&c.Claim, &c.BrokeOff, &c.Fingerprint, &c.Status, &c.Sealed)
			return c, err
		})})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Claim{}, nil, core.Errorf(core.CodeRateLimited, "the tenant has %d requests with an idempotency key within a day, which is the most", MaxIdempotencyKeys)
	case err != nil:
		return Claim{}, nil, Wrap(err, "claim a request")
	case found.Claim == mine.id:
		return mine, nil, nil
	case found.Status != 0:
		return Claim{}, &found.Answer, nil
	case found.BrokeOff:
		return Claim{}, nil, core.NewError(core.CodeConflict,
			"a request with this idempotency key broke off after it took effect: see what it changed, and use another key")
	default:
		return Claim{}, nil, core.NewError(core.CodeConflict, "a request with this idempotency key is under way").WithRetryAfter(claimedRetry)
	}
}

// RecordAnswer records the answer of a claimed request, unless the claim has passed to another attempt.
func (s *Store) RecordAnswer(ctx context.Context, c Claim, a Answer) error {
	_, err := s.pool.Exec(ctx, `UPDATE idempotent_request SET fingerprint = $2, status = $3, answer = $4 WHERE claim = $1`,
		c.id, a.Fingerprint, a.Status, a.Sealed)
	return Wrap(err, "record an answer")
}

// ReleaseRequest lets the next attempt carry the request out at once. Unless the request was refused, and so had no effect, one that took
// effect stays claimed.
func (s *Store) ReleaseRequest(ctx context.Context, c Claim, refused bool) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM idempotent_request WHERE claim = $1 AND status IS NULL AND ($2 OR NOT took_effect)`, c.id, refused)
	return Wrap(err, "release a request")
}

// RemoveRequests removes at most limit requests whose time is over, and returns how many.
func (s *Store) RemoveRequests(ctx context.Context, limit int) (int, error) {
	tag, err := s.pool.Exec(ctx, `DELETE FROM idempotent_request WHERE (tenant, route, key) IN (
		SELECT tenant, route, key FROM idempotent_request WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
	return int(tag.RowsAffected()), Wrap(err, "remove old requests")
}

type claimKey struct{}

// WithClaim returns a context for what must not happen twice in a claimed request: new keys and secrets, and replays. In one transaction
// with them it is recorded that the request took effect, so that no other attempt repeats them.
func WithClaim(ctx context.Context, c Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, c)
}

// takeEffect is the statement that records it, which fails with [core.CodeConflict] when the claim has passed to another attempt. There is
// none without a claim.
func takeEffect(ctx context.Context) []Statement {
	c, found := ctx.Value(claimKey{}).(Claim)
	if !found {
		return nil
	}
	return []Statement{{SQL: `SELECT take_effect(@claim)`, Args: pgx.NamedArgs{"claim": c.id}}}
}
