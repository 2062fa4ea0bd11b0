package main

import (
	"encoding/json"

	"github.com/stretchr/testify/require"

	"plait/internal/records"
)

// limitATenant moves a tenant between tiers, and disables it.
func (in *sandbox) limitATenant() {
	in.t.Helper()
	does := func(args ...string) string {
		in.t.Helper()
		f := in.plait(args...)
		require.Zero(in.t, f.status, f.stderr)
		return f.stdout
	}
	require.Equal(in.t, "tier gold: priority 1, weight 1, limits: requests_per_minute=600 running_tasks=20\n",
		does("tiers", "set", "gold", "--priority", "1", "--requests-per-minute", "600", "--running-tasks", "20"))
	require.Equal(in.t, "tier gold: priority 1, weight 5, limits: running_tasks=20\n",
		does("tiers", "set", "gold", "--weight", "5", "--requests-per-minute", "none"), "what is not given stays")
	require.Contains(in.t, does("tiers", "list"), "standard")
	require.Contains(in.t, does("tenants", "set", "guests", "--tier", "gold", "--disabled"), "gold")
	require.Contains(in.t, does("tenants", "list"), "guests")
	var guests records.Tenant
	require.NoError(in.t, json.Unmarshal([]byte(does("tenants", "set", "guests", "--disabled=false", "--json")), &guests))
	require.Equal(in.t, "gold", guests.Tier)
	require.Nil(in.t, guests.DisabledAt)
	require.Regexp(in.t, `tenant\.change +guests +.+ at .+, plait tenants set +\{"disabled_at": null\}`, does("audit", "--limit", "1"))
	kept := in.plait("tiers", "delete", "gold")
	require.Equal(in.t, exitFailed, kept.status)
	require.Contains(in.t, kept.stderr, "has tenants")
	does("tenants", "set", "guests", "--tier", "standard")
	does("tiers", "delete", "gold")
	unknown := in.plait("tenants", "set", "guests", "--tier", "gold")
	require.Equal(in.t, exitFailed, unknown.status)
	require.Contains(in.t, unknown.stderr, "tier gold does not exist")
}
