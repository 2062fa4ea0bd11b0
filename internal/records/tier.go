package records

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plait/internal/core"
	"plait/internal/quota"
)

// DefaultTier is the tier of a tenant that is given none. The migrations create it without limits.
const DefaultTier = "standard"

// MaxWeight is the largest weight of a tier; the smallest is 1.
const MaxWeight = 1000

// The priorities of tiers: a lower number goes first.
const (
	FirstTierPriority   = 1
	DefaultTierPriority = 5
	LastTierPriority    = 10
)

// Tier is what the tenants of a tier may use, and their share of the workers.
type Tier struct {
	Name string `json:"name"`
	// Priority is from FirstTierPriority to LastTierPriority. All work of the priorities 1 and 2 starts before work of 3 and 4, and so on.
	// Within such a pair a tenant of the second priority has a quarter of the turns.
	Priority int `json:"priority"`
	// Weight is the share of a tenant among those of the same priority, from 1 to MaxWeight.
	Weight int `json:"weight"`
	quota.Limits
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// NewTier is a tier with the default priority and weight, and without limits.
func NewTier(name string) Tier { return Tier{Name: name, Priority: DefaultTierPriority, Weight: 1} }

const limitColumns = `requests_per_minute, tokens_per_minute, running_tasks, waiting_tasks, stored_bytes, upload_bytes`

const tierColumns = `tier.name, tier.priority, tier.weight, ` + limitColumns + `, tier.created_at, tier.updated_at`

// Check fails with [core.CodeInvalidInput] for values that no tier has, and names the field.
func (t Tier) Check() error {
	if err := checkName("tier", t.Name); err != nil {
		return err
	}
	if t.Priority < FirstTierPriority || t.Priority > LastTierPriority {
		return core.Errorf(core.CodeInvalidInput, "priority is %d; it must be from %d (served first) to %d", t.Priority, FirstTierPriority, LastTierPriority)
	}
	if t.Weight < 1 || t.Weight > MaxWeight {
		return core.Errorf(core.CodeInvalidInput, "weight is %d; it must be from 1 to %d", t.Weight, MaxWeight)
	}
	return t.Limits.Check()
}

// SetTier creates a tier or replaces its values. Running requests keep those that they have read. It fails as [Tier.Check].
func (s *Store) SetTier(ctx context.Context, t Tier) (Tier, error) {
	if err := t.Check(); err != nil {
		return Tier{}, err
	}
	args := pgx.NamedArgs{"name": t.Name, "priority": t.Priority, "weight": t.Weight}
	for _, l := range t.All() {
		args[l.Name] = *l.Value
	}
	var set Tier
	_, err := s.changeAsActor(ctx, Statement{Args: args, Read: One(&set, scanTier), SQL: `
		INSERT INTO tier (name, priority, weight, ` + limitColumns + `)
		VALUES (@name, @priority, @weight, @requests_per_minute, @tokens_per_minute, @running_tasks, @waiting_tasks, @stored_bytes, @upload_bytes)
		ON CONFLICT (name) DO UPDATE SET (priority, weight, ` + limitColumns + `, updated_at) =
			(@priority, @weight, @requests_per_minute, @tokens_per_minute, @running_tasks, @waiting_tasks, @stored_bytes, @upload_bytes, now())
		RETURNING ` + tierColumns})
	return set, Wrap(err, "set a tier")
}

// Tier reads a tier. It fails with [core.CodeNotFound].
func (s *Store) Tier(ctx context.Context, name string) (t Tier, err error) {
	sql := `SELECT ` + tierColumns + ` FROM tier WHERE name = @name`
	err = s.Read(ctx, Statement{SQL: sql, Args: pgx.NamedArgs{"name": name}, Read: One(&t, scanTier)})
	if errors.Is(err, pgx.ErrNoRows) {
		return Tier{}, notFound("tier", name)
	}
	return t, Wrap(err, "read a tier")
}

func scanTier(row pgx.CollectableRow) (t Tier, err error) {
	return t, row.Scan(t.fields()...)
}

// fields are the destinations of tierColumns.
func (t *Tier) fields() []any {
	list := []any{&t.Name, &t.Priority, &t.Weight}
	for _, l := range t.All() {
		list = append(list, l.Value)
	}
	return append(list, &t.CreatedAt, &t.UpdatedAt)
}

// ListTiers lists all tiers, those that are served first at the front.
func (s *Store) ListTiers(ctx context.Context) (list []Tier, err error) {
	err = s.Read(ctx, Statement{SQL: `SELECT ` + tierColumns + ` FROM tier ORDER BY priority, name`, Read: All(&list, scanTier)})
	return list, Wrap(err, "list tiers")
}

// DeleteTier deletes a tier that no tenant has. It fails with [core.CodeNotFound], and with [core.CodeConflict] for a tier of a tenant and
// for DefaultTier.
func (s *Store) DeleteTier(ctx context.Context, name string) error {
	if name == DefaultTier {
		return core.Errorf(core.CodeConflict, "the tier %s is that of new tenants, and stays", name)
	}
	deleted, err := s.changeAsActor(ctx, Statement{SQL: `DELETE FROM tier WHERE name = @name`, Args: pgx.NamedArgs{"name": name}})
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == pgerrcode.ForeignKeyViolation {
		return core.Errorf(core.CodeConflict, "the tier %s has tenants: move them to another tier first", name)
	}
	if err == nil && deleted[0] == 0 {
		return notFound("tier", name)
	}
	return Wrap(err, "delete a tier")
}

// maxNameChars equals the checks of the tables tier and tenant.
const maxNameChars = 64

// IsName reports whether a tenant or tier can have the name.
func IsName(name string) bool { return checkName("name", name) == nil }

// checkName checks the name of a tenant or tier.
func checkName(what, name string) error {
	switch {
	case name == "":
		return core.Errorf(core.CodeInvalidInput, "the %s is missing", what)
	case len(name) > maxNameChars:
		return core.Errorf(core.CodeInvalidInput, "the %s has more than %d characters", what, maxNameChars)
	case !isID(name):
		return core.Errorf(core.CodeInvalidInput, `the %s %q may contain only letters, digits, "_", "-" and "."`, what, strings.ToValidUTF8(name, "�"))
	}
	return nil
}
