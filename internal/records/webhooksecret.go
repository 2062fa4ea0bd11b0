package records

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// MaxWebhookSecrets is how many secrets of a tenant sign at once: the current one and those that it replaced lately.
const MaxWebhookSecrets = 5

// WebhookSecret is a secret that signs the messages to a tenant.
type WebhookSecret struct {
	// Sealed is the secret, encrypted.
	Sealed    []byte
	CreatedAt time.Time
	// ExpiresAt is until when a secret that was replaced signs; nil for the current one.
	ExpiresAt *time.Time
}

const (
	secretColumns = `sealed, created_at, expires_at`

	validSecrets = `SELECT ` + secretColumns + ` FROM webhook_secret WHERE tenant = @tenant AND coalesce(expires_at, 'infinity') > now() ORDER BY id DESC`
)

// WebhookSecrets returns the secrets of a tenant that sign now, the current one first. A tenant without a secret gets the sealed one that
// is given.
func (s *Store) WebhookSecrets(ctx context.Context, tenant string, sealed []byte) (list []WebhookSecret, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "sealed": sealed}
	read := Statement{SQL: validSecrets, Args: args, Read: All(&list, pgx.RowToStructByPos[WebhookSecret])}
	if err := s.Read(ctx, read); err != nil || len(list) > 0 {
		return list, Wrap(err, "read webhook secrets")
	}
	_, err = s.inTransaction(ctx, Statement{
		SQL:  `INSERT INTO webhook_secret (tenant, sealed) VALUES (@tenant, @sealed) ON CONFLICT (tenant) WHERE expires_at IS NULL DO NOTHING`,
		Args: args,
	})
	if err == nil {
		err = s.Read(ctx, read)
	}
	return list, Wrap(err, "make a webhook secret")
}

// RotateWebhookSecret makes the sealed secret the current one. The one before signs as well until the overlap is over. It returns all that
// sign now, the current one first. It fails with [core.CodeConflict] when [MaxWebhookSecrets] do.
func (s *Store) RotateWebhookSecret(ctx context.Context, tenant string, sealed []byte, overlap time.Duration) (list []WebhookSecret, err error) {
	args := pgx.NamedArgs{"tenant": tenant, "sealed": sealed, "seconds": overlap.Seconds(), "most": MaxWebhookSecrets}
	var made time.Time
	_, err = s.inTransaction(ctx, append(takeEffect(ctx),
		Statement{SQL: lockTenant, Args: args},
		Statement{SQL: `DELETE FROM webhook_secret WHERE tenant = @tenant AND expires_at <= now()`, Args: args},
		Statement{SQL: `UPDATE webhook_secret SET expires_at = now() + make_interval(secs => @seconds) WHERE tenant = @tenant AND expires_at IS NULL
			AND (SELECT count(*) FROM webhook_secret WHERE tenant = @tenant) < @most`, Args: args},
		// When the current one was not replaced, there is no room for another.
		Statement{SQL: `INSERT INTO webhook_secret (tenant, sealed) SELECT @tenant, @sealed
			WHERE NOT EXISTS (SELECT FROM webhook_secret WHERE tenant = @tenant AND expires_at IS NULL) RETURNING created_at`,
			Args: args, Read: One(&made, pgx.RowTo[time.Time])},
		Statement{SQL: validSecrets, Args: args, Read: All(&list, pgx.RowToStructByPos[WebhookSecret])})...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, core.Errorf(core.CodeConflict, "%d secrets sign already, which is the most: wait until one expires", MaxWebhookSecrets)
	}
	return list, Wrap(err, "rotate a webhook secret")
}

// SealedSecret is a secret with its place in the table and its tenant.
type SealedSecret struct {
	ID     int64
	Tenant string
	Sealed []byte
}

// SealedSecrets lists at most limit secrets of all tenants, after an id.
func (s *Store) SealedSecrets(ctx context.Context, after int64, limit int) (list []SealedSecret, err error) {
	err = s.Read(ctx, Statement{
		SQL:  `SELECT id, tenant, sealed FROM webhook_secret WHERE id > @after ORDER BY id LIMIT @limit`,
		Args: pgx.NamedArgs{"after": after, "limit": limit}, Read: All(&list, pgx.RowToStructByPos[SealedSecret]),
	})
	return list, Wrap(err, "list webhook secrets")
}

// ReplaceSealed replaces the encrypted form of a secret, unless it has been replaced meanwhile.
func (s *Store) ReplaceSealed(ctx context.Context, was SealedSecret, sealed []byte) error {
	_, err := s.pool.Exec(ctx, `UPDATE webhook_secret SET sealed = $3 WHERE id = $1 AND sealed = $2`, was.ID, was.Sealed, sealed)
	return Wrap(err, "replace a webhook secret")
}
