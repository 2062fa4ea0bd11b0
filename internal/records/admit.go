package records

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/quota"
)

// Admission is a key that was found, the limits of its tenant, and the rates.
type Admission struct {
	Key
	Limits quota.Limits
	Rates
}

// One round trip finds the key, records its use at most once a minute, and charges the request. synchronous_commit is off for this one
// transaction: a crash of the database may forget the last few hundred milliseconds of use, and no client waits for the disk.
// %s is the condition on the key k.
const admit = `
WITH found AS (
	SELECT k.id, k.tenant, k.name, prefix, scope, k.created_at, last_used_at, expires_at, revoked_at, ` + limitColumns + `
	FROM api_key k JOIN tenant t ON t.name = k.tenant JOIN tier ON tier.name = t.tier
	WHERE %s AND revoked_at IS NULL AND coalesce(expires_at, 'infinity') > now() AND disabled_at IS NULL
), used AS (
	UPDATE api_key SET last_used_at = now() FROM found
	WHERE api_key.id = found.id AND coalesce(found.last_used_at, '-infinity') < now() - interval '1 minute'
)
SELECT found.*, requests.*, tokens.*, set_config('synchronous_commit', 'off', true) FROM found
CROSS JOIN LATERAL charge_rate(found.tenant, 'requests', @amount, requests_per_minute) requests
CROSS JOIN LATERAL charge_rate(found.tenant, 'tokens', 0, tokens_per_minute) tokens`

var errUnauthorized = core.NewError(core.CodeUnauthorized, "the API key is missing, wrong, expired or revoked")

// Admit finds a key, records its use at most once a minute, and charges its tenant one request if its tier limits requests. The caller
// refuses a request that [Rates] do not allow. It fails with [core.CodeUnauthorized] when the key is unknown, expired or revoked, or its
// tenant is disabled.
func (s *Store) Admit(ctx context.Context, plain string) (Admission, error) {
	return s.admit(ctx, plain, 1)
}

// Authenticate is [Store.Admit] without a charge, for what is no request of the API.
func (s *Store) Authenticate(ctx context.Context, plain string) (Key, error) {
	a, err := s.admit(ctx, plain, 0)
	return a.Key, err
}

func (s *Store) admit(ctx context.Context, plain string, amount int64) (Admission, error) {
	if !strings.HasPrefix(plain, keyPrefix) || len(plain) != len(keyPrefix)+base64.RawURLEncoding.EncodedLen(keyBytes) {
		return Admission{}, errUnauthorized
	}
	hash := sha256.Sum256([]byte(plain))
	return s.admitWhere(ctx, `hash = @hash`, pgx.NamedArgs{"hash": hash[:], "amount": amount})
}

// AdmitKey is [Store.Admit] for a request that proves in another way that it may use the key of that id.
func (s *Store) AdmitKey(ctx context.Context, id int64) (Admission, error) {
	return s.admitWhere(ctx, `k.id = @id`, pgx.NamedArgs{"id": id, "amount": 1})
}

func (s *Store) admitWhere(ctx context.Context, condition string, args pgx.NamedArgs) (a Admission, err error) {
	err = s.Read(ctx, Statement{SQL: fmt.Sprintf(admit, condition), Args: args, Read: One(&a, scanAdmission)})
	if errors.Is(err, pgx.ErrNoRows) {
		return Admission{}, errUnauthorized
	}
	return a, Wrap(err, "authenticate")
}

func scanAdmission(row pgx.CollectableRow) (a Admission, err error) {
	into := []any{&a.ID, &a.Tenant, &a.Name, &a.Prefix, &a.Scope, &a.CreatedAt, &a.LastUsedAt, &a.ExpiresAt, &a.RevokedAt}
	for _, l := range a.Limits.All() {
		into = append(into, l.Value)
	}
	var requests, tokens foundRate
	for _, f := range []*foundRate{&requests, &tokens} {
		into = append(into, &f.Allowed, &f.Used, &f.Wait, &f.Reset)
	}
	err = row.Scan(append(into, nil)...)
	a.Requests, a.Tokens = requests.rate(quota.Requests, a.Limits.RequestsPerMinute), tokens.rate(quota.Tokens, a.Limits.TokensPerMinute)
	return a, err
}
