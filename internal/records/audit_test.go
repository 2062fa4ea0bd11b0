package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// Every change of a tenant, a tier or a key is in the audit log, with who made it, and nothing that opens a door.
func TestAuditLog(t *testing.T) {
	f := open(t)
	ctx := records.WithActor(t.Context(), records.Actor{Name: "key 1 of tenant ops", Address: "192.0.2.1"})
	_, err := f.SetTier(ctx, records.NewTier("gold"))
	require.NoError(t, err)
	_, err = f.SetTier(ctx, records.NewTier("gold"))
	require.NoError(t, err, "what changes nothing is not logged")
	gold := "gold"
	_, err = f.SetTenant(ctx, "press", records.TenantChange{Tier: &gold})
	require.NoError(t, err)
	plain, k, err := f.CreateKey(t.Context(), records.NewKey{Tenant: "press", Lifetime: time.Hour})
	require.NoError(t, err)
	_, err = f.Authenticate(t.Context(), plain)
	require.NoError(t, err, "using a key is no change of it")
	require.NoError(t, f.RevokeKey(ctx, k.ID))
	require.NoError(t, f.RevokeKey(ctx, k.ID))
	f.SQL(`UPDATE tenant SET tier = 'standard' WHERE name = 'press'`)
	require.NoError(t, f.DeleteTier(ctx, "gold"))

	log, err := f.AuditLog(t.Context(), 0, 7)
	require.NoError(t, err)
	var got [][]string
	for _, e := range log {
		got = append(got, []string{e.Action, e.Object, e.Actor})
		require.NotContains(t, string(e.Changes), "hash")
	}
	const key, role = "key 1 of tenant ops", "database role "
	require.Equal(t, []string{"tier.delete", "gold", key}, got[0])
	require.Equal(t, []string{"tenant.change", "press"}, got[1][:2])
	require.Contains(t, got[1][2], role, "a change by SQL is in the log too")
	require.Equal(t, []string{"api_key.change", "press/1", key}, got[2])
	require.Equal(t, []string{"api_key.create", "press/1"}, got[3][:2])
	require.Equal(t, []string{"tenant.create", "press", key}, got[4])
	require.Equal(t, []string{"tier.create", "gold", key}, got[5])
	require.Equal(t, "192.0.2.1", *log[5].Address)
	require.Nil(t, log[3].Address)
	require.Contains(t, string(log[2].Changes), "revoked_at")
	require.JSONEq(t, `{"tier": "standard"}`, string(log[1].Changes))

	older, err := f.AuditLog(t.Context(), log[4].ID, 1)
	require.NoError(t, err)
	require.Equal(t, log[5:6], older)
	_, err = f.AuditLog(t.Context(), 0, records.MaxAuditEntries+1)
	recordstest.RequireCode(t, core.CodeInvalidInput, err)
}
