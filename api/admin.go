package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

// maxAdminBody is in bytes. The largest body is a key with a name of 200 characters, all of them escaped.
const maxAdminBody = 16 << 10

// routeAdmin adds the resources about all tenants. They need a key of the scope admin.
func (s *Server) routeAdmin(group *echo.Group, quick echo.MiddlewareFunc) {
	const tier, tenant, key = adminPath + "/tiers/:name", adminPath + "/tenants/:name", adminPath + "/tenants/:name/keys/:key"
	m, body := s.keyed(quick, allowQuery()), s.keyed(s.transfer, allowQuery())
	bodyOnce := s.once(shortBody, body)
	get(group, adminPath+"/tiers", s.listTiers, m...)
	get(group, tier, s.getTier, m...)
	group.PUT(tier, s.putTier, body...)
	group.DELETE(tier, s.deleteTier, m...)
	get(group, adminPath+"/overview", s.getOverview, m...)
	get(group, adminPath+"/audit", s.listAudit, s.keyed(quick, allowQuery("before", "limit"))...)
	get(group, adminPath+"/tenants", s.listTenants, m...)
	get(group, tenant, s.getTenant, m...)
	group.PUT(tenant, s.putTenant, body...)
	get(group, tenant+"/keys", s.listKeys, m...)
	group.POST(tenant+"/keys", s.createKey, bodyOnce...)
	group.DELETE(key, s.revokeKey, m...)
	group.POST(key+"/rotate", s.rotateKey, bodyOnce...)
}

// pathName returns the name of a tenant or tier in the path. One that no tenant or tier can have is not found.
func pathName(c echo.Context) (string, error) {
	name := c.Param("name")
	if !records.IsName(name) {
		return "", core.Errorf(core.CodeNotFound, "there is no %q", clip(name))
	}
	return name, nil
}

// named answers with what read finds under the name in the path.
func named[T, V any](c echo.Context, read func(context.Context, string) (T, error), view func(T) V) error {
	name, err := pathName(c)
	if err != nil {
		return err
	}
	found, err := read(c.Request().Context(), name)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, view(found))
}

func viewAll[T, V any](list []T, view func(T) V) []V {
	views := make([]V, len(list))
	for i, element := range list {
		views[i] = view(element)
	}
	return views
}

func viewTier(t records.Tier) schema.Tier {
	return schema.Tier{
		Name: t.Name, Priority: t.Priority, Weight: t.Weight, Limits: t.Limits, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
}

func (s *Server) listTiers(c echo.Context) error {
	list, err := s.Records.ListTiers(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.TierList{Tiers: viewAll(list, viewTier)})
}

func (s *Server) getTier(c echo.Context) error { return named(c, s.Records.Tier, viewTier) }

// putTier replaces the whole tier: what the body omits takes its default.
func (s *Server) putTier(c echo.Context) error {
	return named(c, func(ctx context.Context, name string) (records.Tier, error) {
		t := records.NewTier(name)
		body := schema.PutTier{Priority: t.Priority, Weight: t.Weight}
		if err := decodeBody(c, maxAdminBody, &body); err != nil {
			return records.Tier{}, err
		}
		t.Priority, t.Weight, t.Limits = body.Priority, body.Weight, body.Limits
		return s.Records.SetTier(ctx, t)
	}, viewTier)
}

func (s *Server) deleteTier(c echo.Context) error {
	name, err := pathName(c)
	if err != nil {
		return err
	}
	if err := s.Records.DeleteTier(c.Request().Context(), name); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func viewTenant(t records.Tenant) schema.Tenant {
	return schema.Tenant{Name: t.Name, Tier: t.Tier, CreatedAt: t.CreatedAt, DisabledAt: t.DisabledAt, Usage: schema.TenantUsage(t.Usage)}
}

func (s *Server) listTenants(c echo.Context) error {
	list, err := s.Records.ListTenants(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.TenantList{Tenants: viewAll(list, viewTenant)})
}

func (s *Server) getTenant(c echo.Context) error { return named(c, s.Records.Tenant, viewTenant) }

// putTenant replaces the tier and the state of a tenant: what the body omits takes its default.
func (s *Server) putTenant(c echo.Context) error {
	return named(c, func(ctx context.Context, name string) (records.Tenant, error) {
		body := schema.PutTenant{Tier: records.DefaultTier}
		if err := decodeBody(c, maxAdminBody, &body); err != nil {
			return records.Tenant{}, err
		}
		return s.Records.SetTenant(ctx, name, records.TenantChange{Tier: &body.Tier, Disabled: &body.Disabled})
	}, viewTenant)
}

func viewKey(k records.Key) schema.Key {
	return schema.Key{
		ID: k.ID, Tenant: k.Tenant, Name: k.Name, Prefix: k.Prefix, Scope: string(k.Scope), CreatedAt: k.CreatedAt,
		LastUsedAt: k.LastUsedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt,
	}
}

func (s *Server) listKeys(c echo.Context) error {
	return named(c, func(ctx context.Context, name string) ([]records.Key, error) {
		if _, err := s.Records.Tenant(ctx, name); err != nil {
			return nil, err
		}
		return s.Records.ListKeys(ctx, name)
	}, func(list []records.Key) schema.KeyList { return schema.KeyList{Keys: viewAll(list, viewKey)} })
}

func (s *Server) createKey(c echo.Context) error {
	name, err := pathName(c)
	if err != nil {
		return err
	}
	var body schema.CreateKey
	if err := decodeBody(c, maxAdminBody, &body); err != nil {
		return err
	}
	lifetime, err := seconds("expires_in", body.ExpiresIn)
	if err != nil {
		return err
	}
	plain, k, err := s.Records.CreateKey(c.Request().Context(), records.NewKey{
		Tenant: name, Name: body.Name, Scope: records.Scope(body.Scope), Lifetime: lifetime,
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, schema.NewKey{Key: viewKey(k), Secret: plain})
}

// keyInPath returns the key in the path, if it belongs to the tenant there.
func (s *Server) keyInPath(c echo.Context) (records.Key, error) {
	name, err := pathName(c)
	if err != nil {
		return records.Key{}, err
	}
	id, err := strconv.ParseInt(c.Param("key"), 10, 64)
	if err != nil {
		return records.Key{}, core.Errorf(core.CodeNotFound, "there is no key %q", clip(c.Param("key")))
	}
	k, err := s.Records.Key(c.Request().Context(), id)
	if err == nil && k.Tenant != name {
		err = core.Errorf(core.CodeNotFound, "there is no key %d", id)
	}
	return k, err
}

func (s *Server) revokeKey(c echo.Context) error {
	k, err := s.keyInPath(c)
	if err != nil {
		return err
	}
	if err := s.Records.RevokeKey(c.Request().Context(), k.ID); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// defaultOverlap is how long a key works beside the one that replaces it.
const defaultOverlap = 24 * time.Hour

func (s *Server) rotateKey(c echo.Context) error {
	body := schema.RotateKey{Overlap: int64(defaultOverlap / time.Second)}
	if err := decodeBody(c, maxAdminBody, &body); err != nil {
		return err
	}
	overlap, err := seconds("overlap", body.Overlap)
	if err != nil {
		return err
	}
	old, err := s.keyInPath(c)
	if err != nil {
		return err
	}
	plain, k, err := s.Records.RotateKey(c.Request().Context(), old.ID, overlap)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, schema.NewKey{Key: viewKey(k), Secret: plain})
}

// maxSeconds is a hundred years.
const maxSeconds = 100 * 365 * 24 * 60 * 60

func seconds(field string, n int64) (time.Duration, error) {
	if n < 0 || n > maxSeconds {
		return 0, core.Errorf(core.CodeInvalidInput, "%s is %d; it must be from 0 to %d", field, n, maxSeconds)
	}
	return time.Duration(n) * time.Second, nil
}

// listAudit answers with the newest changes of tenants, tiers and keys, or those before an entry.
func (s *Server) listAudit(c echo.Context) error {
	limit, err := listLimit(c.QueryParam("limit"))
	if err != nil {
		return err
	}
	var before int64
	if text := c.QueryParam("before"); text != "" {
		if before, err = strconv.ParseInt(text, 10, 64); err != nil || before < 1 {
			return core.Errorf(core.CodeInvalidInput, "before is not the id of an entry")
		}
	}
	entries, err := s.Records.AuditLog(c.Request().Context(), before, limit)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.AuditLog{Entries: viewAll(entries, func(e records.AuditEntry) schema.AuditEntry { return schema.AuditEntry(e) })})
}
