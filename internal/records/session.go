package records

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

var errLinkUsed = core.NewError(core.CodeUnauthorized, "this link was used already, or has expired")

// newSecret returns a secret of at least 128 random bits, and the digest under which it is stored.
func newSecret() (secret string, digest []byte) {
	secret = rand.Text()
	return secret, digestOf(secret)
}

func digestOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// OpenSession begins a session of a browser on behalf of a key, and returns its secret. The session ends after lifetime, and never later
// than its key.
func (s *Store) OpenSession(ctx context.Context, keyID int64, lifetime time.Duration) (secret string, err error) {
	secret, digest := newSecret()
	err = s.Transact(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM session WHERE expires_at <= now()`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO session (digest, key_id, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))`,
			digest, keyID, lifetime.Seconds())
		return err
	})
	return secret, Wrap(err, "open a session")
}

// EndSession ends the session with that secret. Ending a session that does not exist changes nothing.
func (s *Store) EndSession(ctx context.Context, secret string) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM session WHERE digest = $1`, digestOf(secret))
	return Wrap(err, "end a session")
}

// AdmitSession is [Store.Admit] for a request that has the secret of a session in place of a key.
func (s *Store) AdmitSession(ctx context.Context, secret string) (Admission, error) {
	return s.admitWhere(ctx, `k.id = (SELECT key_id FROM session WHERE digest = @digest AND expires_at > now())`,
		pgx.NamedArgs{"digest": digestOf(secret), "amount": 1})
}

// NewSignInLink returns the secret of a link that signs a browser in once, on behalf of a key, within lifetime.
func (s *Store) NewSignInLink(ctx context.Context, keyID int64, lifetime time.Duration) (secret string, err error) {
	secret, digest := newSecret()
	err = s.Transact(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM sign_in_link WHERE expires_at <= now()`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO sign_in_link (digest, key_id, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))`,
			digest, keyID, lifetime.Seconds())
		return err
	})
	return secret, Wrap(err, "make a link that signs in")
}

// UseSignInLink uses a link up, and returns the number of its key. It fails with [core.CodeUnauthorized] for a link that was used, has
// expired, or never existed.
func (s *Store) UseSignInLink(ctx context.Context, secret string) (keyID int64, err error) {
	err = s.pool.QueryRow(ctx, `DELETE FROM sign_in_link WHERE digest = $1 AND expires_at > now() RETURNING key_id`, digestOf(secret)).Scan(&keyID)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, errLinkUsed
	}
	return keyID, Wrap(err, "use a link that signs in")
}
