package records_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records/recordstest"
)

func TestKeys(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	plain, key, err := f.CreateKey(ctx, tenant, "laptop")
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
		_, key, err := f.CreateKey(ctx, strings.Repeat("a-b_c.D9", 8), name)
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
		_, _, err := f.CreateKey(ctx, c.tenant, c.name)
		recordstest.RequireCode(t, core.CodeInvalidInput, err)
		require.Contains(t, core.PublicMessage(err), c.says)
		require.Less(t, len(core.PublicMessage(err)), 200)
	}
	list, err := f.ListKeys(ctx, "")
	require.NoError(t, err)
	require.Len(t, list, 2)
}
