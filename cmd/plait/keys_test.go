package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"plait/api/client"
	"plait/internal/core"
	"plait/internal/records"
)

// revokeAKey makes a key, revokes it, and finds that the API at that address refuses it.
func (in *sandbox) revokeAKey(address string) {
	in.t.Helper()
	made := in.plait("keys", "create", "--tenant", "guests", "--name", "for a day")
	require.Zero(in.t, made.status, made.stderr)
	plain := strings.TrimSpace(made.stdout)
	listed := func() (k records.Key) {
		f := in.plait("keys", "list", "--tenant", "guests", "--json")
		require.Zero(in.t, f.status, f.stderr)
		require.NoError(in.t, json.Unmarshal([]byte(f.stdout), &k), f.stdout)
		return k
	}
	key := listed()
	require.Nil(in.t, key.RevokedAt)
	api, err := client.New(address, plain)
	require.NoError(in.t, err)
	_, err = api.Resolve(in.t.Context(), "none")
	require.NotEqual(in.t, core.CodeUnauthorized, core.CodeOf(err), "it works")

	number := strconv.FormatInt(key.ID, 10)
	for range 2 {
		f := in.plait("keys", "revoke", number)
		require.Zero(in.t, f.status, f.stderr)
		require.Equal(in.t, "key "+number+" ("+plain[:12]+`…) "for a day" of tenant guests revoked`+"\n", f.stdout)
	}
	require.NotNil(in.t, listed().RevokedAt)
	made = in.plait("keys", "create", "--tenant", "guests", "--scope", "read", "--expires", "1h")
	require.Zero(in.t, made.status, made.stderr)
	require.Contains(in.t, made.stderr, "of tenant guests with scope read")
	second := strconv.FormatInt(key.ID+1, 10)
	rotated := in.plait("keys", "rotate", second, "--overlap", "0s")
	require.Zero(in.t, rotated.status, rotated.stderr)
	for plain, code := range map[string]core.Code{made.stdout: core.CodeUnauthorized, rotated.stdout: core.CodeForbidden} {
		api, err := client.New(address, strings.TrimSpace(plain))
		require.NoError(in.t, err)
		_, err = api.Cancel(in.t.Context(), "none")
		require.Equal(in.t, code, core.CodeOf(err))
	}
	again := in.plait("keys", "rotate", second)
	require.Equal(in.t, exitFailed, again.status)
	require.Contains(in.t, again.stderr, "is revoked or has expired")
	unknown := in.plait("keys", "revoke", "999")
	require.Equal(in.t, exitFailed, unknown.status)
	require.Contains(in.t, unknown.stderr, "999")
}
