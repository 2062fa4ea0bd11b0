package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUpFailsOverWhatItWasAskedToUse(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	up := in.plait("up", "--http-address", taken.Addr().String())
	require.Equal(t, exitFailed, up.status, up.stdout)
	require.Contains(t, up.stderr, "http.address (flag --http-address): listen tcp "+taken.Addr().String()+": bind: address already in use")
	require.NotContains(t, up.stdout, "Ready")

	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	distant := in.command("up", "--blob-url", "s3://pages?region=eu&endpoint=http://"+closed.Addr().String())
	distant.Env = append(distant.Env, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test")
	up = in.finish(distant)
	require.Equal(t, exitFailed, up.status, up.stdout)
	require.Contains(t, up.stderr, "blob.url: ")
	require.NotContains(t, up.stdout, "Ready")
}
