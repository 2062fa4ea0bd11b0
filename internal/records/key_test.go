package records_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func TestKeys(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	plain, key, err := f.CreateKey(ctx, records.NewKey{Tenant: tenant, Name: "laptop"})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(plain, key.Prefix))
	require.Equal(t, []string{"0"}, f.Rows(`SELECT count(*) FROM api_key WHERE api_key::text LIKE '%' || $1 || '%'`, plain))

	for range 2 {
		got, err := f.Authenticate(ctx, plain)
		require.NoError(t, err)
		require.Equal(t, []any{key.ID, tenant, "laptop"}, []any{got.ID, got.Tenant, got.Name})
	}
	for _, wrong := range []string{"", "plait_", plain + "x", plain[:len(plain)-1] + "!", strings.ToUpper(plain), "plait_" + strings.Repeat("A", 43)} {
		_, err := f.Authenticate(ctx, wrong)
		recordstest.RequireCode(t, core.CodeUnauthorized, err)
	}
	list, err := f.ListKeys(ctx, tenant)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.NotNil(t, list[0].LastUsedAt)

	for range 2 {
		require.NoError(t, f.RevokeKey(ctx, key.ID))
	}
	_, err = f.Authenticate(ctx, plain)
	recordstest.RequireCode(t, core.CodeUnauthorized, err)
	revoked, err := f.Key(ctx, key.ID)
	require.NoError(t, err)
	require.Equal(t, key.Prefix, revoked.Prefix)
	require.NotNil(t, revoked.RevokedAt)
	recordstest.RequireCode(t, core.CodeNotFound, f.RevokeKey(ctx, 999))
	_, err = f.Key(ctx, 999)
	recordstest.RequireCode(t, core.CodeNotFound, err)
	list, err = f.ListKeys(ctx, "")
	require.NoError(t, err)
	require.NotNil(t, list[0].RevokedAt)
}

func TestKeysAreNamedClearly(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	for _, name := range []string{"", strings.Repeat("名", 200)} {
		_, key, err := f.CreateKey(ctx, records.NewKey{Tenant: strings.Repeat("a-b_c.D9", 8), Name: name})
		require.NoError(t, err)
		require.Equal(t, name, key.Name)
	}
	for _, c := range []struct{ tenant, name, says string }{
		{"", "x", "the tenant is missing"},
		{"a tenant", "x", `"a tenant"`},
		{"t\x00", "x", `"t\x00"`},
		{"é", "x", `"é"`},
		{strings.Repeat("a", 65), "x", "64"},
		{"a\n", "x", `"a\n"`},
		{tenant, strings.Repeat("名", 201), "200"},
		{tenant, "desk\x1b[2J", "control"},
		{tenant, "\xff", "text"},
	} {
		_, _, err := f.CreateKey(ctx, records.NewKey{Tenant: c.tenant, Name: c.name})
		recordstest.RequireCode(t, core.CodeInvalidInput, err)
		require.Contains(t, core.PublicMessage(err), c.says)
		require.Less(t, len(core.PublicMessage(err)), 200)
	}
	list, err := f.ListKeys(ctx, "")
	require.NoError(t, err)
	require.Len(t, list, 2)
}

func TestScopesIncludeEachOther(t *testing.T) {
	t.Parallel()
	for i, s := range records.Scopes() {
		for j, other := range records.Scopes() {
			require.Equal(t, i >= j, s.Includes(other), "%s, %s", s, other)
		}
	}
	require.False(t, records.Scope("").Includes(records.ScopeRead))
}

func TestKeysExpireAndRotate(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	plain, key, err := f.CreateKey(ctx, records.NewKey{Tenant: tenant, Name: "desk", Scope: records.ScopeRead, Lifetime: time.Hour})
	require.NoError(t, err)
	require.WithinDuration(t, key.CreatedAt.Add(time.Hour), *key.ExpiresAt, time.Minute)

	next, rotated, err := f.RotateKey(ctx, key.ID, 30*time.Minute)
	require.NoError(t, err)
	require.Equal(t, []any{tenant, "desk", records.ScopeRead}, []any{rotated.Tenant, rotated.Name, rotated.Scope})
	require.Nil(t, rotated.ExpiresAt)
	for _, works := range []string{plain, next} {
		_, err := f.Authenticate(ctx, works)
		require.NoError(t, err, "both work during the overlap")
	}
	old, err := f.Key(ctx, key.ID)
	require.NoError(t, err)
	require.WithinDuration(t, key.CreatedAt.Add(30*time.Minute), *old.ExpiresAt, time.Minute)

	last, _, err := f.RotateKey(ctx, rotated.ID, 0)
	require.NoError(t, err)
	_, err = f.Authenticate(ctx, next)
	recordstest.RequireCode(t, core.CodeUnauthorized, err)
	_, err = f.Authenticate(ctx, last)
	require.NoError(t, err)
	_, _, err = f.RotateKey(ctx, rotated.ID, time.Hour)
	recordstest.RequireCode(t, core.CodeConflict, err)
	_, _, err = f.RotateKey(ctx, 999, time.Hour)
	recordstest.RequireCode(t, core.CodeNotFound, err)
	for _, wrong := range []records.NewKey{{Tenant: tenant, Scope: "root"}, {Tenant: tenant, Lifetime: -1}} {
		_, _, err = f.CreateKey(ctx, wrong)
		recordstest.RequireCode(t, core.CodeInvalidInput, err)
	}
}
