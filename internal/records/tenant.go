package records

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plait/internal/core"
	"plait/internal/quota"
)

// Tenant is an owner of keys and tasks.
type Tenant struct {
	Name string `json:"name"`
	// Tier is the name of the tier that sets its limits.
	Tier      string    `json:"tier"`
	CreatedAt time.Time `json:"created_at"`
	// DisabledAt is when an operator disabled the tenant; nil: it is not. The keys of a disabled tenant are refused; its tasks continue.
	DisabledAt *time.Time `json:"disabled_at,omitempty"`
	Usage      Usage      `json:"usage"`
}

// Usage is what a tenant uses of the limits of its tier.
type Usage struct {
	// RequestsPerMinute and TokensPerMinute are 0 where the tier does not limit them: only limits are counted.
	RequestsPerMinute int64 `json:"requests_per_minute"`
	TokensPerMinute   int64 `json:"tokens_per_minute"`
	RunningTasks      int64 `json:"running_tasks"`
	WaitingTasks      int64 `json:"waiting_tasks"`
	// StoredBytes is the size of the files that the tenant has sent and that are kept.
	StoredBytes int64 `json:"stored_bytes"`
}

const selectTenant = `
SELECT t.name, t.tier, t.created_at, t.disabled_at, coalesce(requests.total, 0), coalesce(tokens.total, 0),
	(SELECT count(*) FROM task WHERE tenant = t.name AND status IN ('running', 'paused')),
	(SELECT count(*) FROM task WHERE tenant = t.name AND status = 'queued'),
	(SELECT coalesce(sum(size), 0)::bigint FROM stored_file WHERE tenant = t.name)
FROM tenant t JOIN tier ON tier.name = t.tier
CROSS JOIN LATERAL charge_rate(t.name, 'requests', 0, requests_per_minute) requests
CROSS JOIN LATERAL charge_rate(t.name, 'tokens', 0, tokens_per_minute) tokens`

func scanTenant(row pgx.CollectableRow) (t Tenant, err error) {
	return t, row.Scan(&t.Name, &t.Tier, &t.CreatedAt, &t.DisabledAt,
		&t.Usage.RequestsPerMinute, &t.Usage.TokensPerMinute, &t.Usage.RunningTasks, &t.Usage.WaitingTasks, &t.Usage.StoredBytes)
}

// Tenant reads a tenant. It fails with [core.CodeNotFound].
func (s *Store) Tenant(ctx context.Context, name string) (t Tenant, err error) {
	err = s.Read(ctx, Statement{SQL: selectTenant + ` WHERE t.name = @name`, Args: pgx.NamedArgs{"name": name}, Read: One(&t, scanTenant)})
	if errors.Is(err, pgx.ErrNoRows) {
		return Tenant{}, notFound("tenant", name)
	}
	return t, Wrap(err, "read a tenant")
}

// ListTenants lists all tenants by name.
func (s *Store) ListTenants(ctx context.Context) (list []Tenant, err error) {
	err = s.Read(ctx, Statement{SQL: selectTenant + ` ORDER BY t.name`, Read: All(&list, scanTenant)})
	return list, Wrap(err, "list tenants")
}

// TenantChange is what [Store.SetTenant] sets. A nil field stays as it is.
type TenantChange struct {
	Tier     *string
	Disabled *bool
}

// SetTenant creates a tenant or changes it. It fails with [core.CodeInvalidInput] for a name that no tenant has, and for a tier that does
// not exist.
func (s *Store) SetTenant(ctx context.Context, name string, change TenantChange) (Tenant, error) {
	if err := checkName("tenant", name); err != nil {
		return Tenant{}, err
	}
	if change.Tier != nil {
		if err := checkName("tier", *change.Tier); err != nil {
			return Tenant{}, err
		}
	}
	_, err := s.changeAsActor(ctx, Statement{SQL: `
		INSERT INTO tenant (name, tier, disabled_at)
		VALUES (@name, coalesce(@tier, '` + DefaultTier + `'), CASE WHEN @disabled::boolean THEN now() END)
		ON CONFLICT (name) DO UPDATE SET tier = coalesce(@tier, tenant.tier), disabled_at = CASE
			WHEN @disabled::boolean IS NULL THEN tenant.disabled_at
			WHEN @disabled::boolean THEN coalesce(tenant.disabled_at, now()) END`,
		Args: pgx.NamedArgs{"name": name, "tier": change.Tier, "disabled": change.Disabled}})
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == pgerrcode.ForeignKeyViolation {
		return Tenant{}, core.Errorf(core.CodeInvalidInput, "tier %s does not exist", *change.Tier)
	}
	if err != nil {
		return Tenant{}, Wrap(err, "set a tenant")
	}
	return s.Tenant(ctx, name)
}

// Rates are the rates of a tenant; one without a limit is nil.
type Rates struct{ Requests, Tokens *quota.Rate }

// foundRate is the answer of charge_rate, whose columns are NULL without a limit.
type foundRate struct {
	Allowed     *bool
	Used        *int64
	Wait, Reset *float64
}

func (f foundRate) rate(unit quota.Unit, limit *int64) *quota.Rate {
	if limit == nil || f.Allowed == nil {
		return nil
	}
	duration := func(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
	return &quota.Rate{Unit: unit, Limit: *limit, Used: *f.Used, Allowed: *f.Allowed, Wait: duration(*f.Wait), Reset: duration(*f.Reset)}
}
