package api_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

const admin = "/v1/admin"

func (c caller) send(method, path, body string) answer {
	c.t.Helper()
	return c.do(method, path, strings.NewReader(body), "Content-Type: application/json")
}

func TestAdministratorsManageTiersTenantsAndKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.callerOf("ops", records.ScopeAdmin)
	var tier schema.Tier
	c.send(http.MethodPut, admin+"/tiers/gold", `{"priority": 1, "weight": 10, "running_tasks": 5, "upload_bytes": null}`).is(http.StatusOK).into(&tier)
	require.Equal(t, []any{"gold", 1, 10, limit(5)}, []any{tier.Name, tier.Priority, tier.Weight, tier.RunningTasks})
	c.send(http.MethodPut, admin+"/tiers/gold", `{"requests_per_minute": 100}`).is(http.StatusOK).into(&tier)
	c.get(admin + "/tiers/gold").is(http.StatusOK).into(&tier)
	var tiers schema.TierList
	c.get(admin + "/tiers").is(http.StatusOK).into(&tiers)
	require.Len(t, tiers.Tiers, 2)
	require.Nil(t, tiers.Tiers[0].RunningTasks, "what a request omits is not limited")

	var made, next schema.NewKey
	c.send(http.MethodPost, admin+"/tenants/press.co/keys", `{"name": "desk", "scope": "read", "expires_in": 3600}`).is(http.StatusCreated).into(&made)
	press := caller{r, "press.co", made.Secret}
	press.get(tasksRoute).is(http.StatusOK)
	var tenant schema.Tenant
	c.send(http.MethodPut, admin+"/tenants/press.co", `{"tier": "gold"}`).is(http.StatusOK).into(&tenant)
	press.get(tasksRoute).is(http.StatusOK)
	c.get(admin + "/tenants/press.co").is(http.StatusOK).into(&tenant)
	require.Equal(t, []any{"gold", int64(1)}, []any{tenant.Tier, tenant.Usage.RequestsPerMinute})
	c.send(http.MethodDelete, admin+"/tiers/gold", "").refused(http.StatusConflict, core.CodeConflict, "has tenants")
	c.send(http.MethodPut, admin+"/tenants/press.co", `{"disabled": true}`).is(http.StatusOK)
	press.get(tasksRoute).is(http.StatusUnauthorized)
	c.send(http.MethodPut, admin+"/tenants/press.co", `{}`).is(http.StatusOK)
	c.send(http.MethodDelete, admin+"/tiers/gold", "").is(http.StatusNoContent)
	var tenants schema.TenantList
	c.get(admin + "/tenants").is(http.StatusOK).into(&tenants)
	require.Len(t, tenants.Tenants, 2)

	var audit schema.AuditLog
	c.get(admin + "/audit?limit=1").is(http.StatusOK).into(&audit)
	require.Equal(t, []string{"tier.delete", "gold"}, []string{audit.Entries[0].Action, audit.Entries[0].Object})
	require.Regexp(t, `^key \d+ of tenant ops$`, audit.Entries[0].Actor)
	require.Equal(t, "127.0.0.1", *audit.Entries[0].Address)
	c.get(admin+"/audit?before=0").refused(http.StatusBadRequest, core.CodeInvalidInput, "before")

	key := admin + "/tenants/press.co/keys/" + strconv.FormatInt(made.ID, 10)
	c.send(http.MethodPost, key+"/rotate", `{"overlap": 0}`).is(http.StatusCreated).into(&next)
	press.get(tasksRoute).is(http.StatusUnauthorized)
	press.key = next.Secret
	press.get(tasksRoute).is(http.StatusOK)
	c.send(http.MethodPost, key+"/rotate", `{}`).refused(http.StatusConflict, core.CodeConflict, "expired")
	c.do(http.MethodDelete, admin+"/tenants/press.co/keys/"+strconv.FormatInt(next.ID, 10), nil).is(http.StatusNoContent)
	press.get(tasksRoute).is(http.StatusUnauthorized)
	var keys schema.KeyList
	c.get(admin + "/tenants/press.co/keys").is(http.StatusOK).into(&keys)
	require.Len(t, keys.Keys, 2)
	require.NotContains(t, string(c.get(admin+"/tenants/press.co/keys").body), made.Secret)
}

func TestAdministrationIsRefusedByName(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, press := r.callerOf("ops", records.ScopeAdmin), r.caller("press")
	tier, tenant, keys := admin+"/tiers/gold", admin+"/tenants/press", admin+"/tenants/press/keys"
	for _, refused := range []struct {
		method, path, body string
		status             int
		code               core.Code
		says               string
	}{
		{http.MethodPut, tier, `{"priority": 0}`, 400, core.CodeInvalidInput, "priority is 0"},
		{http.MethodPut, tier, `{"weight": -1}`, 400, core.CodeInvalidInput, "weight is -1"},
		{http.MethodPut, tier, `{"tokens_per_minute": -5}`, 400, core.CodeInvalidInput, "tokens_per_minute is -5"},
		{http.MethodPut, tier, `{"running_tasks": 1.5}`, 400, core.CodeInvalidInput, "running_tasks"},
		{http.MethodPut, tier, `{"limits": 5}`, 400, core.CodeInvalidInput, `"limits" is not known`},
		{http.MethodPut, tier, `[]`, 400, core.CodeInvalidInput, "not a JSON object"},
		{http.MethodPut, admin + "/tiers/a%20tier", `{}`, 404, core.CodeNotFound, "a"},
		{http.MethodGet, admin + "/tiers/none", "", 404, core.CodeNotFound, "no tier none"},
		{http.MethodDelete, admin + "/tiers/standard", "", 409, core.CodeConflict, "standard"},
		{http.MethodPut, tenant, `{"tier": "none"}`, 400, core.CodeInvalidInput, "tier none does not exist"},
		{http.MethodPut, tenant, `{"name": "x"}`, 400, core.CodeInvalidInput, `"name" is not known`},
		{http.MethodGet, admin + "/tenants/none", "", 404, core.CodeNotFound, "no tenant none"},
		{http.MethodGet, admin + "/tenants/none/keys", "", 404, core.CodeNotFound, "no tenant none"},
		{http.MethodGet, admin + "/tenants?limit=1", "", 400, core.CodeInvalidInput, "limit"},
		{http.MethodPost, keys, `{"scope": "root"}`, 400, core.CodeInvalidInput, "root"},
		{http.MethodPost, keys, `{"expires_in": -1}`, 400, core.CodeInvalidInput, "expires_in is -1"},
		{http.MethodPost, keys, `{"name": "\u0007"}`, 400, core.CodeInvalidInput, "control character"},
		{http.MethodPost, keys + "/1/rotate", `{"overlap": -1}`, 400, core.CodeInvalidInput, "overlap is -1"},
		{http.MethodPost, keys + "/1/rotate", `{}`, 404, core.CodeNotFound, "no key 1"}, // that of ops
		{http.MethodDelete, keys + "/x", "", 404, core.CodeNotFound, "no key"},
	} {
		a := c.send(refused.method, refused.path, refused.body)
		a.refused(refused.status, refused.code, refused.says)
		press.send(refused.method, refused.path, refused.body).refused(http.StatusForbidden, core.CodeForbidden, "needs admin")
	}
	c.do(http.MethodPut, tier, strings.NewReader(`{}`)).refused(http.StatusUnsupportedMediaType, core.CodeInvalidInput, "application/json")
}
