package records

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// MaxEndpoints is the largest number of endpoints of a tenant. Each gets a message of every task.
const MaxEndpoints = 20

// Endpoint is a URL that is told of the end of every task of a tenant.
type Endpoint struct {
	ID, Tenant, URL string
	CreatedAt       time.Time
	// PausedAt is since when the endpoint receives nothing; nil while it does. PauseReason is one sentence.
	PausedAt    *time.Time
	PauseReason string
}

const endpointColumns = `id, tenant, url, created_at, paused_at, coalesce(pause_reason, '')`

// lockTenant lets one transaction at a time change the number of what a tenant has.
const lockTenant = `SELECT pg_advisory_xact_lock(hashtextextended('webhook ' || @tenant, 0))`

// addEndpoint adds nothing beyond @most.
const addEndpoint = `
WITH new AS (
	INSERT INTO webhook_endpoint (tenant, url)
	SELECT @tenant, @url WHERE (SELECT count(*) FROM webhook_endpoint WHERE tenant = @tenant) < @most
	ON CONFLICT (tenant, url) DO NOTHING RETURNING ` + endpointColumns + `
)
SELECT *, true FROM new
UNION ALL SELECT ` + endpointColumns + `, false FROM webhook_endpoint WHERE tenant = @tenant AND url = @url`

// AddEndpoint adds an endpoint. One of the same URL is returned as it is, and added is false. It fails with [core.CodeConflict] when the
// tenant has [MaxEndpoints].
func (s *Store) AddEndpoint(ctx context.Context, tenant, url string) (e Endpoint, added bool, err error) {
	type row struct {
		Endpoint
		Added bool
	}
	var found row
	args := pgx.NamedArgs{"tenant": tenant, "url": url, "most": MaxEndpoints}
	_, err = s.inTransaction(ctx,
		Statement{SQL: lockTenant, Args: args}, Statement{SQL: addEndpoint, Args: args, Read: One(&found, pgx.RowToStructByPos[row])})
	if errors.Is(err, pgx.ErrNoRows) {
		return Endpoint{}, false, core.Errorf(core.CodeConflict, "the tenant has %d endpoints, which is the most", MaxEndpoints)
	}
	return found.Endpoint, found.Added, Wrap(err, "add an endpoint")
}

// Endpoints lists the endpoints of a tenant, the oldest first.
func (s *Store) Endpoints(ctx context.Context, tenant string) (list []Endpoint, err error) {
	err = s.Read(ctx, Statement{
		SQL:  `SELECT ` + endpointColumns + ` FROM webhook_endpoint WHERE tenant = @tenant ORDER BY created_at, id`,
		Args: pgx.NamedArgs{"tenant": tenant}, Read: All(&list, pgx.RowToStructByPos[Endpoint]),
	})
	return list, Wrap(err, "list endpoints")
}

// Endpoint reads an endpoint of the tenant. It fails with [core.CodeNotFound], also for one of another tenant.
func (s *Store) Endpoint(ctx context.Context, tenant, id string) (e Endpoint, err error) {
	err = s.Read(ctx, Statement{
		SQL:  `SELECT ` + endpointColumns + ` FROM webhook_endpoint WHERE tenant = @tenant AND id = @id`,
		Args: pgx.NamedArgs{"tenant": tenant, "id": id}, Read: One(&e, pgx.RowToStructByPos[Endpoint]),
	})
	return e, endpointError(err, id, "read an endpoint")
}

func endpointError(err error, id, doing string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return notFound("endpoint", id)
	}
	return Wrap(err, doing)
}

// DeleteEndpoint deletes an endpoint, and gives up what waits for it. It fails with [core.CodeNotFound].
func (s *Store) DeleteEndpoint(ctx context.Context, tenant, id string) error {
	args := pgx.NamedArgs{"tenant": tenant, "id": id}
	changed, err := s.inTransaction(ctx,
		Statement{SQL: `DELETE FROM webhook_endpoint WHERE tenant = @tenant AND id = @id`, Args: args},
		Statement{SQL: `UPDATE webhook_delivery SET status = 'failed', ended_at = now(), last_error = 'the endpoint was deleted'
			WHERE tenant = @tenant AND endpoint_id = @id AND status IN ('pending', 'paused')`, Args: args})
	if err == nil && changed[0] == 0 {
		return notFound("endpoint", id)
	}
	return Wrap(err, "delete an endpoint")
}

// ResumeEndpoint ends the pause of an endpoint, and sends what was paused with it. Resuming an endpoint that is not paused changes nothing.
// It fails with [core.CodeNotFound].
func (s *Store) ResumeEndpoint(ctx context.Context, tenant, id string) (e Endpoint, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "id": id}
	_, err = s.inTransaction(ctx,
		Statement{SQL: `UPDATE webhook_endpoint SET paused_at = NULL, pause_reason = NULL WHERE tenant = @tenant AND id = @id RETURNING ` +
			endpointColumns, Args: args, Read: One(&e, pgx.RowToStructByPos[Endpoint])},
		Statement{SQL: `UPDATE webhook_delivery SET status = 'pending', round = round + 1, started_at = NULL
			WHERE tenant = @tenant AND endpoint_id = @id AND status = 'paused'`, Args: args})
	return e, endpointError(err, id, "resume an endpoint")
}
