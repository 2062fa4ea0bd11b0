package records

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
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

// Key is the record of an API key. It does not contain the key itself.
type Key struct {
	ID     int64  `json:"id"`
	Tenant string `json:"tenant"`
	Name   string `json:"name"`
	// Prefix is the first shownChars characters of the key.
	Prefix     string     `json:"prefix"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
}

const keyColumns = `id, tenant, name, prefix, created_at, last_used_at, revoked_at`

// CheckKey fails with [core.CodeInvalidInput] for a tenant or name that no key has. A tenant is 1 to 64 of the ASCII letters, digits,
// "_", "-" and "."; a name, which may be empty, says what the key is for in at most 200 characters.
func CheckKey(tenant, name string) error {
	if err := checkTenant(tenant); err != nil {
		return err
	}
	return checkKeyName(name)
}

// CreateKey makes a key for a tenant. The plain key is returned here only; the database keeps its SHA-256. It fails as [CheckKey].
func (s *Store) CreateKey(ctx context.Context, tenant, name string) (plain string, k Key, err error) {
	if err := CheckKey(tenant, name); err != nil {
		return "", Key{}, err
	}
	random := make([]byte, keyBytes)
	if _, err := rand.Read(random); err != nil {
		return "", Key{}, Wrap(err, "make a key")
	}
	plain = keyPrefix + base64.RawURLEncoding.EncodeToString(random)
	hash := sha256.Sum256([]byte(plain))
	rows, err := s.pool.Query(ctx, `INSERT INTO api_key (tenant, name, prefix, hash) VALUES ($1, $2, $3, $4) RETURNING `+keyColumns,
		tenant, name, plain[:shownChars], hash[:])
	if err != nil {
		return "", Key{}, Wrap(err, "make a key")
	}
	k, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Key])
	if err != nil {
		return "", Key{}, Wrap(err, "make a key")
	}
	return plain, k, nil
}

// These equal the checks of the table api_key.
const (
	maxTenantChars  = 64
	maxKeyNameChars = 200
)

func checkTenant(tenant string) error {
	switch {
	case tenant == "":
		return core.NewError(core.CodeInvalidInput, "the tenant is missing")
	case len(tenant) > maxTenantChars:
		return core.Errorf(core.CodeInvalidInput, "the tenant has more than %d characters", maxTenantChars)
	case !isID(tenant):
		return core.Errorf(core.CodeInvalidInput, `the tenant %q may contain only letters, digits, "_", "-" and "."`, tenant)
	}
	return nil
}

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

// Authenticate finds a key and records its use, at most once a minute. It fails with [core.CodeUnauthorized] when the key is unknown
// or revoked.
func (s *Store) Authenticate(ctx context.Context, plain string) (Key, error) {
	unauthorized := core.NewError(core.CodeUnauthorized, "the API key is missing, wrong or revoked")
	if !strings.HasPrefix(plain, keyPrefix) || len(plain) != len(keyPrefix)+base64.RawURLEncoding.EncodedLen(keyBytes) {
		return Key{}, unauthorized
	}
	hash := sha256.Sum256([]byte(plain))
	rows, err := s.pool.Query(ctx, `
		WITH found AS (
			SELECT `+keyColumns+` FROM api_key WHERE hash = $1 AND revoked_at IS NULL
		), used AS (
			UPDATE api_key SET last_used_at = now() FROM found
			WHERE api_key.id = found.id AND coalesce(found.last_used_at, '-infinity') < now() - interval '1 minute'
		)
		SELECT * FROM found`, hash[:])
	if err != nil {
		return Key{}, Wrap(err, "authenticate")
	}
	k, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Key])
	if errors.Is(err, pgx.ErrNoRows) {
		return Key{}, unauthorized
	}
	return k, Wrap(err, "authenticate")
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
	tag, err := s.pool.Exec(ctx, `UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1`, id)
	if err != nil {
		return Wrap(err, "revoke a key")
	}
	if tag.RowsAffected() == 0 {
		return notFound("key", strconv.FormatInt(id, 10))
	}
	return nil
}
