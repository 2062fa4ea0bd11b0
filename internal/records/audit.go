package records

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// Actor is who changes tenants, tiers and keys.
type Actor struct {
	// Name is a person, a key or a process, such as "key 7 of tenant acme".
	Name string
	// Address is the network address of a client; it may be empty.
	Address string
}

type actorKey struct{}

// WithActor returns a context whose changes of tenants, tiers and keys the audit log ascribes to the actor. Without one, it names the role
// of the database session.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// changeAsActor runs statements in one transaction and one round trip, on behalf of the actor of the context. It returns the number of rows
// that each of them changed.
func (s *Store) changeAsActor(ctx context.Context, statements ...Statement) ([]int64, error) {
	a, _ := ctx.Value(actorKey{}).(Actor)
	actor := Statement{
		SQL:  `SELECT set_config('plait.actor', @name, true), set_config('plait.address', @address, true)`,
		Args: pgx.NamedArgs{"name": a.Name, "address": a.Address},
	}
	first := append([]Statement{actor}, takeEffect(ctx)...)
	changed, err := s.inTransaction(ctx, append(first, statements...)...)
	if err != nil {
		return nil, err
	}
	return changed[len(first):], nil
}

// AuditEntry is a change of a tenant, a tier or a key.
type AuditEntry struct {
	// ID grows with each entry.
	ID int64     `json:"id"`
	At time.Time `json:"at"`
	// Actor is who made the change, and Address its network address, if it has one.
	Actor   string  `json:"actor"`
	Address *string `json:"address,omitempty"`
	// Action is the kind of the object and create, change or delete, such as tier.change.
	Action string `json:"action"`
	// Object is the name of a tenant or tier, or the tenant and the number of a key, such as acme/7.
	Object string `json:"object"`
	// Changes are the new values of the columns that changed, or, of a deleted object, its last values.
	Changes json.RawMessage `json:"changes"`
}

// MaxAuditEntries is the largest number of entries that [Store.AuditLog] returns at once.
const MaxAuditEntries = 200

// AuditLog lists the newest entries with ids below before; 0 means the newest of all. It fails with [core.CodeInvalidInput] for a limit that
// is not from 1 to MaxAuditEntries.
func (s *Store) AuditLog(ctx context.Context, before int64, limit int) (list []AuditEntry, err error) {
	if limit < 1 || limit > MaxAuditEntries {
		return nil, core.Errorf(core.CodeInvalidInput, "limit is %d; it must be from 1 to %d", limit, MaxAuditEntries)
	}
	err = s.Read(ctx, Statement{
		SQL: `SELECT id, at, actor, address, action, object, changes FROM audit_log
			WHERE @before::bigint = 0 OR id < @before ORDER BY id DESC LIMIT @limit`,
		Args: pgx.NamedArgs{"before": before, "limit": limit}, Read: All(&list, pgx.RowToStructByPos[AuditEntry]),
	})
	return list, Wrap(err, "read the audit log")
}
