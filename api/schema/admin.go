package schema

import (
	"encoding/json"
	"time"

	"plait/internal/quota"
)

// Tier is what the tenants of a tier may use, and their share of the workers.
type Tier struct {
	Name string `json:"name"`
	// Priority is from 1 (served first) to 10.
	Priority int `json:"priority"`
	// Weight is the share of a tenant among those of the same priority, from 1 to 1000.
	Weight int `json:"weight"`
	quota.Limits
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// PutTier replaces a tier. What it omits takes its default: priority 5, weight 1, and no limit.
type PutTier struct {
	Priority int `json:"priority"`
	Weight   int `json:"weight"`
	quota.Limits
}

// TierList lists all tiers, those that are served first at the front.
type TierList struct {
	Tiers []Tier `json:"tiers"`
}

// Tenant is an owner of keys and tasks.
type Tenant struct {
	Name      string    `json:"name"`
	Tier      string    `json:"tier"`
	CreatedAt time.Time `json:"created_at"`
	// DisabledAt is when the tenant was disabled; absent while its keys work.
	DisabledAt *time.Time  `json:"disabled_at,omitempty"`
	Usage      TenantUsage `json:"usage"`
}

// TenantUsage is what a tenant uses now. Requests and tokens are counted where its tier limits them.
type TenantUsage struct {
	RequestsPerMinute int64 `json:"requests_per_minute"`
	TokensPerMinute   int64 `json:"tokens_per_minute"`
	RunningTasks      int64 `json:"running_tasks"`
	WaitingTasks      int64 `json:"waiting_tasks"`
	StoredBytes       int64 `json:"stored_bytes"`
}

// PutTenant sets a tenant. What it omits takes its default: the tier standard, and not disabled.
type PutTenant struct {
	Tier     string `json:"tier"`
	Disabled bool   `json:"disabled"`
}

// TenantList lists all tenants by name.
type TenantList struct {
	Tenants []Tenant `json:"tenants"`
}

// Key is an API key without its secret.
type Key struct {
	ID     int64  `json:"id"`
	Tenant string `json:"tenant"`
	Name   string `json:"name"`
	// Prefix is the beginning of the secret.
	Prefix     string     `json:"prefix"`
	Scope      string     `json:"scope"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty"`
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`
}

// KeyList lists the keys of a tenant, revoked ones included.
type KeyList struct {
	Keys []Key `json:"keys"`
}

// CreateKey asks for a key. Every field may be absent.
type CreateKey struct {
	Name string `json:"name"`
	// Scope is read, write (the default) or admin.
	Scope string `json:"scope"`
	// ExpiresIn is the lifetime of the key in seconds; 0: it does not expire.
	ExpiresIn int64 `json:"expires_in"`
}

// RotateKey asks for a key in place of another, which works until the overlap ends.
type RotateKey struct {
	// Overlap is in seconds; a day by default.
	Overlap int64 `json:"overlap"`
}

// NewKey is a key that was created. Only this answer has the secret.
type NewKey struct {
	Key
	Secret string `json:"secret"`
}

// AuditLog lists changes of tenants, tiers and keys, the newest first.
type AuditLog struct {
	Entries []AuditEntry `json:"entries"`
}

// AuditEntry is a change of a tenant, a tier or a key.
type AuditEntry struct {
	// ID grows with each entry.
	ID int64     `json:"id"`
	At time.Time `json:"at"`
	// Actor is who made the change, and Address its network address, if it has one.
	Actor   string  `json:"actor"`
	Address *string `json:"address,omitempty"`
	// Action is tenant, tier or api_key, and create, change or delete, such as tier.change.
	Action string `json:"action"`
	// Object is the name of a tenant or tier, or the tenant and the number of a key, such as acme/7.
	Object string `json:"object"`
	// Changes are the new values of the columns that changed, or, of a deleted object, its last values.
	Changes json.RawMessage `json:"changes"`
}
