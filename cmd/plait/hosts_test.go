package main

import (
	"encoding/json"

	"github.com/stretchr/testify/require"

	"plait/installation"
	"plait/internal/records"
)

// drainTheHost lists the one worker of `plait up`, and drains it.
func (in *sandbox) drainTheHost() {
	in.t.Helper()
	listed := func() (line installation.Host) {
		f := in.plait("hosts", "--json")
		require.Zero(in.t, f.status, f.stderr)
		require.NoError(in.t, json.Unmarshal([]byte(f.stdout), &line), f.stdout)
		return line
	}
	ready := listed()
	require.Equal(in.t, records.HostReady, ready.State)
	require.Equal(in.t, []string{"control", "gpu", "translate"}, ready.Roles)
	require.Equal(in.t, "cpu:0", ready.Device)
	require.Equal(in.t, 10, ready.ContextCapacity)
	require.NotNil(in.t, ready.QueueDepth)
	require.Contains(in.t, in.plait("hosts").stdout, ready.Instance)

	unknown := in.plait("hosts", "drain", "no-such-host")
	require.Equal(in.t, exitFailed, unknown.status)
	require.Contains(in.t, unknown.stderr, "no-such-host")
	drained := in.plait("hosts", "drain", ready.Name, "--wait")
	require.Zero(in.t, drained.status, drained.stderr)
	require.Contains(in.t, drained.stdout, "1 process asked to drain")
	require.Equal(in.t, records.HostDrained, listed().State)
}
