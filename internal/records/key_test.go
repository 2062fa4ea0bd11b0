package records_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
)

func TestKeys(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	plain, key, err := f.CreateKey(ctx, tenant, "laptop")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(plain, key.Prefix))
	require.Equal(t, []string{"0"}, f.rows(`SELECT count(*) FROM api_key WHERE api_key::text LIKE '%' || $1 || '%'`, plain))

	for range 2 {
		got, err := f.Authenticate(ctx, plain)
		require.NoError(t, err)
		require.Equal(t, []any{key.ID, tenant, "laptop"}, []any{got.ID, got.Tenant, got.Name})
	}
	for _, wrong := range []string{"", "plait_", plain + "x", plain[:len(plain)-1] + "!", strings.ToUpper(plain), "plait_" + strings.Repeat("A", 43)} {
		_, err := f.Authenticate(ctx, wrong)
		requireCode(t, pipeline.CodeUnauthorized, err)
	}
	list, err := f.ListKeys(ctx, tenant)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.NotNil(t, list[0].LastUsedAt)

	for range 2 {
		require.NoError(t, f.RevokeKey(ctx, key.ID))
	}
	_, err = f.Authenticate(ctx, plain)
	requireCode(t, pipeline.CodeUnauthorized, err)
	requireCode(t, pipeline.CodeNotFound, f.RevokeKey(ctx, 999))
	_, _, err = f.CreateKey(ctx, "a tenant", "x")
	requireCode(t, pipeline.CodeInvalidInput, err)
	list, err = f.ListKeys(ctx, "")
	require.NoError(t, err)
	require.NotNil(t, list[0].RevokedAt)
}
