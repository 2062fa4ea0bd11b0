package records

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

const (
	keyPrefix = "plait_"
	// keyBytes is the random part of a key. 256 random bits cannot be guessed, so a plain SHA-256 is enough and no password hash is
	// needed.
	keyBytes = 32
	// shownChars is how many characters of a key are stored in clear, to recognize it by.
	shownChars = len(keyPrefix) + 6
)

// Scope says what a key allows. Each scope includes those before it.
type Scope string

// The scopes.
const (
	// ScopeRead allows to list tasks and to fetch results.
	ScopeRead Scope = "read"
	// ScopeWrite allows to create, change and delete tasks.
	ScopeWrite Scope = "write"
	// ScopeAdmin allows what concerns all tenants, such as the Temporal UI.
	ScopeAdmin Scope = "admin"
)

// Scopes are all scopes, from the least to the most that a key may allow.
func Scopes() []Scope { return []Scope{ScopeRead, ScopeWrite, ScopeAdmin} }

// Includes reports whether a key of scope s allows what needs the other.
func (s Scope) Includes(other Scope) bool {
	return slices.Index(Scopes(), s) >= slices.Index(Scopes(), other)
}

// Key is the record of an API key. It does not contain the key itself.
type Key struct {
	ID     int64  `json:"id"`
	Tenant string `json:"tenant"`
	Name   string `json:"name"`
	// Prefix is the first shownChars characters of the key.
	Prefix     string     `json:"prefix"`
	Scope      Scope      `json:"scope"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	// ExpiresAt is when the key expires; nil: never.
	ExpiresAt *time.Time `json:"expires_at"`
	RevokedAt *time.Time `json:"revoked_at"`
}

const keyColumns = `id, tenant, name, prefix, scope, created_at, last_used_at, expires_at, revoked_at`

// NewKey describes a key to create.
type NewKey struct {
	// Tenant is 1 to 64 of the ASCII letters, digits, "_", "-" and ".".
	Tenant string
	// Name says what the key is for, in at most 200 characters. It may be empty.
	Name string
	// Scope is ScopeWrite when empty.
	Scope Scope
	// Lifetime is the time until the key expires; 0: it does not.
	Lifetime time.Duration
}

// Check fails with [core.CodeInvalidInput] for values that no key has.
func (n NewKey) Check() error {
	if err := checkName("tenant", n.Tenant); err != nil {
		return err
	}
	if n.Scope != "" && !slices.Contains(Scopes(), n.Scope) {
		return core.Errorf(core.CodeInvalidInput, "scope %q is not read, write or admin", n.Scope)
	}
	if n.Lifetime < 0 {
		return core.NewError(core.CodeInvalidInput, "the lifetime of the key is negative")
	}
	return checkKeyName(n.Name)
}

// CreateKey creates a key, and its tenant if that is new. Only this call returns the plain key; the database has its SHA-256. It fails as [NewKey.Check].
func (s *Store) CreateKey(ctx context.Context, n NewKey) (plain string, k Key, err error) {
	if err := n.Check(); err != nil {
		return "", Key{}, err
	}
	plain, hash, err := randomKey()
	if err != nil {
		return "", Key{}, err
	}
	_, err = s.changeAsActor(ctx, Statement{SQL: `
		WITH new AS (INSERT INTO tenant (name) VALUES (@tenant) ON CONFLICT DO NOTHING)
		INSERT INTO api_key (tenant, name, prefix, hash, scope, expires_at)
		VALUES (@tenant, @name, @prefix, @hash, @scope, now() + nullif(@seconds::double precision, 0) * interval '1 second') RETURNING ` + keyColumns,
		Args: pgx.NamedArgs{
			"tenant": n.Tenant, "name": n.Name, "prefix": plain[:shownChars], "hash": hash, "scope": cmp.Or(n.Scope, ScopeWrite),
			"seconds": n.Lifetime.Seconds(),
		}, Read: One(&k, pgx.RowToStructByPos[Key])})
	return plain, k, Wrap(err, "create a key")
}

// RotateKey creates a key with the tenant, name and scope of another, which expires after the overlap, or earlier when it would anyway.
// The new key does not expire. It fails with [core.CodeNotFound], and with [core.CodeConflict] for a key that is revoked or has expired.
func (s *Store) RotateKey(ctx context.Context, id int64, overlap time.Duration) (plain string, k Key, err error) {
	plain, hash, err := randomKey()
	if err != nil {
		return "", Key{}, err
	}
	_, err = s.changeAsActor(ctx, Statement{SQL: `
		WITH old AS (
			UPDATE api_key SET expires_at = least(expires_at, now() + make_interval(secs => @seconds))
			WHERE id = @id AND revoked_at IS NULL AND coalesce(expires_at, 'infinity') > now() RETURNING tenant, name, scope
		)
		INSERT INTO api_key (tenant, name, scope, prefix, hash) SELECT tenant, name, scope, @prefix, @hash FROM old RETURNING ` + keyColumns,
		Args: pgx.NamedArgs{"id": id, "seconds": max(overlap, 0).Seconds(), "prefix": plain[:shownChars], "hash": hash},
		Read: One(&k, pgx.RowToStructByPos[Key])})
	if errors.Is(err, pgx.ErrNoRows) {
		if _, err := s.Key(ctx, id); err != nil {
			return "", Key{}, err
		}
		return "", Key{}, core.Errorf(core.CodeConflict, "key %d is revoked or has expired", id)
	}
	return plain, k, Wrap(err, "rotate a key")
}

// randomKey is a new key and its SHA-256.
func randomKey() (plain string, hash []byte, err error) {
	random := make([]byte, keyBytes)
	if _, err := rand.Read(random); err != nil {
		return "", nil, Wrap(err, "create a key")
	}
	plain = keyPrefix + base64.RawURLEncoding.EncodeToString(random)
	sum := sha256.Sum256([]byte(plain))
	return plain, sum[:], nil
}

// maxKeyNameChars equals the check of the table api_key.
const maxKeyNameChars = 200

func checkKeyName(name string) error {
	switch {
	case !utf8.ValidString(name):
		return core.NewError(core.CodeInvalidInput, "the name of the key is not valid text")
	case strings.ContainsFunc(name, unicode.IsControl):
		return core.NewError(core.CodeInvalidInput, "the name of the key contains a control character")
	case utf8.RuneCountInString(name) > maxKeyNameChars:
		return core.Errorf(core.CodeInvalidInput, "the name of the key has more than %d characters", maxKeyNameChars)
	}
	return nil
}

// InvalidKeys returns those of the keys that are expired, revoked or gone, or whose tenant is disabled.
func (s *Store) InvalidKeys(ctx context.Context, ids []int64) ([]int64, error) {
	rows, err := s.pool.Query(ctx, `SELECT id FROM unnest($1::bigint[]) AS asked(id) WHERE NOT EXISTS (
		SELECT FROM api_key k JOIN tenant t ON t.name = k.tenant
		WHERE k.id = asked.id AND t.disabled_at IS NULL AND k.revoked_at IS NULL AND coalesce(k.expires_at, 'infinity') > now())`, ids)
	if err != nil {
		return nil, Wrap(err, "check keys")
	}
	invalid, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	return invalid, Wrap(err, "check keys")
}

// ListKeys lists the keys of a tenant, revoked ones included. An empty tenant lists the keys of all.
func (s *Store) ListKeys(ctx context.Context, tenant string) ([]Key, error) {
	rows, err := s.pool.Query(ctx, `SELECT `+keyColumns+` FROM api_key WHERE $1 = '' OR tenant = $1 ORDER BY id`, tenant)
	if err != nil {
		return nil, Wrap(err, "list keys")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Key])
	return list, Wrap(err, "list keys")
}

// Key reads a key, also a revoked one. It fails with [core.CodeNotFound].
func (s *Store) Key(ctx context.Context, id int64) (Key, error) {
	rows, err := s.pool.Query(ctx, `SELECT `+keyColumns+` FROM api_key WHERE id = $1`, id)
	if err != nil {
		return Key{}, Wrap(err, "read a key")
	}
	k, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Key])
	if errors.Is(err, pgx.ErrNoRows) {
		return Key{}, notFound("key", strconv.FormatInt(id, 10))
	}
	return k, Wrap(err, "read a key")
}

// RevokeKey refuses a key from now on; revoking it again changes nothing. It fails with [core.CodeNotFound].
func (s *Store) RevokeKey(ctx context.Context, id int64) error {
	revoked, err := s.changeAsActor(ctx, Statement{
		SQL: `UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = @id`, Args: pgx.NamedArgs{"id": id},
	})
	if err == nil && revoked[0] == 0 {
		return notFound("key", strconv.FormatInt(id, 10))
	}
	return Wrap(err, "revoke a key")
}
