package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func TestSessionsActForTheirKey(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	_, key, err := f.CreateKey(ctx, records.NewKey{Tenant: tenant, Name: "laptop", Scope: records.ScopeRead})
	require.NoError(t, err)
	begin := func(lifetime time.Duration) string {
		secret, err := f.OpenSession(ctx, key.ID, lifetime)
		require.NoError(t, err)
		require.Equal(t, []string{"0"}, f.Rows(`SELECT count(*) FROM session WHERE session::text LIKE '%' || $1 || '%'`, secret))
		return secret
	}
	first, second, over := begin(time.Hour), begin(time.Hour), begin(0)
	for _, secret := range []string{first, second} {
		got, err := f.AdmitSession(ctx, secret)
		require.NoError(t, err)
		require.Equal(t, []any{key.ID, tenant, records.ScopeRead}, []any{got.ID, got.Tenant, got.Scope})
	}
	_, err = f.AdmitSession(ctx, over)
	recordstest.RequireCode(t, core.CodeUnauthorized, err)

	for range 2 {
		require.NoError(t, f.EndSession(ctx, first))
	}
	_, err = f.AdmitSession(ctx, first)
	recordstest.RequireCode(t, core.CodeUnauthorized, err)
	third := begin(time.Hour)
	require.Equal(t, []string{"2"}, f.Rows(`SELECT count(*) FROM session`), "a session that has expired is deleted")

	require.NoError(t, f.RevokeKey(ctx, key.ID))
	for _, secret := range []string{second, third} {
		_, err = f.AdmitSession(ctx, secret)
		recordstest.RequireCode(t, core.CodeUnauthorized, err)
	}
}

func TestALinkSignsInOnce(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	_, key, err := f.CreateKey(ctx, records.NewKey{Tenant: tenant, Name: "laptop"})
	require.NoError(t, err)
	secret, err := f.NewSignInLink(ctx, key.ID, time.Hour)
	require.NoError(t, err)
	over, err := f.NewSignInLink(ctx, key.ID, 0)
	require.NoError(t, err)
	id, err := f.UseSignInLink(ctx, secret)
	require.NoError(t, err)
	require.Equal(t, key.ID, id)
	for _, refused := range []string{secret, over, "", "another"} {
		_, err = f.UseSignInLink(ctx, refused)
		recordstest.RequireCode(t, core.CodeUnauthorized, err)
	}
}
