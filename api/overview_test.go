package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func TestTheOverviewIsOfAllTenants(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, operator := r.caller("acme"), r.callerOf("operator", records.ScopeAdmin)
	limit := int64(60)
	tier := records.NewTier("gold")
	tier.RequestsPerMinute = &limit
	_, err := r.records.SetTier(t.Context(), tier)
	require.NoError(t, err)
	_, err = r.records.SetTenant(t.Context(), "acme", records.TenantChange{Tier: &tier.Name})
	require.NoError(t, err)
	c.queuedID()
	c.queuedID()
	done := c.endedTask()
	recordstest.Exec(t, r.url, `UPDATE task SET created_at = now() - interval '90 seconds' WHERE status = 'queued'`)
	_, err = r.records.SaveHost(t.Context(), records.Host{
		Instance: "i1", Name: "gpu-1", Roles: []string{"gpu"}, Version: "v1", Device: "cuda:0", DeviceSlots: 2, State: records.HostReady,
		Contexts: 3, ContextCapacity: 10, Waiting: 1,
	})
	require.NoError(t, err)

	var o schema.Overview
	operator.get(admin + "/overview").is(http.StatusOK).into(&o)
	require.Len(t, o.Work, 1)
	require.InDelta(t, 90, o.Work[0].OldestQueued, 30)
	o.Work[0].OldestQueued = 0
	require.Equal(t, schema.Work{Kind: "comic", Queued: 2, FailedPerMinute: int64(done.TotalCount)}, o.Work[0])
	require.Equal(t, []schema.BusyTenant{{
		Name: "acme", Tier: "gold", WaitingTasks: 2, ItemsPerMinute: 1, RequestsPerMinute: o.Tenants[0].RequestsPerMinute,
	}}, o.Tenants)
	require.GreaterOrEqual(t, o.Tenants[0].RequestsPerMinute, int64(3))
	require.Len(t, o.Hosts, 1)
	require.Equal(t, schema.Host{
		Name: "gpu-1", Instance: "i1", State: "ready", Roles: []string{"gpu"}, Version: "v1", Device: "cuda:0", Slots: 2, Waiting: 1, Contexts: 3,
		ContextCapacity: 10, SeenAt: o.Hosts[0].SeenAt,
	}, o.Hosts[0])
	require.Len(t, o.Queues, 1)
	require.NotNil(t, o.Queues[0].Waiting, "Temporal reports it")
	require.NotNil(t, o.Queues[0].Pollers)

	c.get(admin+"/overview").refused(http.StatusForbidden, core.CodeForbidden, "scope")
}
