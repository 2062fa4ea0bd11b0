package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
)

// drainTheHost lists the one worker of `plait up`, and drains it.
func (in *installation) drainTheHost() {
	in.t.Helper()
	listed := func() (line hostLine) {
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

// A process that was lost has not drained, whatever is left of it.
func TestADrainIsOverWhenNothingIsLeftOrItsHostIsLost(t *testing.T) {
	t.Parallel()
	asked := time.Now()
	process := func(instance string, state records.HostState) records.Host {
		return records.Host{Name: "a", Instance: instance, State: state, DrainAskedAt: &asked}
	}
	other := records.Host{Name: "b", Instance: "3", State: records.HostReady, DrainAskedAt: &asked}
	startedLater := records.Host{Name: "a", Instance: "4", State: records.HostReady}
	lostBefore := process("5", records.HostLost)
	looks := []struct {
		hosts []records.Host
		busy  int
		code  core.Code
	}{
		{[]records.Host{process("1", records.HostReady), process("2", records.HostDraining)}, 2, ""},
		{[]records.Host{process("1", records.HostDrained), process("2", records.HostDraining)}, 1, ""},
		{[]records.Host{process("1", records.HostLost), process("2", records.HostDraining)}, 1, ""}, // it had nothing left
		{[]records.Host{process("1", records.HostLost), process("2", records.HostLost)}, 0, core.CodeHostLost},
		{[]records.Host{process("1", records.HostLost), process("2", records.HostStopped)}, 0, ""},
	}
	d := newHostDrain("a")
	for _, look := range looks {
		busy, err := d.busy(append(look.hosts, other, startedLater, lostBefore))
		require.Equal(t, look.busy, busy)
		require.Equal(t, look.code, core.CodeOf(err))
	}
}
