package main

import (
	"encoding/json"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
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
	require.Equal(in.t, []string{"control", "gpu", "translate", "document", "video", "upscale"}, ready.Roles)
	require.Equal(in.t, "cpu:0", ready.Device)
	require.Equal(in.t, 10, ready.ContextCapacity)
	require.NotNil(in.t, ready.QueueDepth)
	require.Contains(in.t, in.plait("hosts").stdout, ready.Instance)
	in.hideTheGone(ready.Instance)
	in.lookAtTheTop(ready)

	unknown := in.plait("hosts", "drain", "no-such-host")
	require.Equal(in.t, exitFailed, unknown.status)
	require.Contains(in.t, unknown.stderr, "no-such-host")
	drained := in.plait("hosts", "drain", ready.Name, "--wait")
	require.Zero(in.t, drained.status, drained.stderr)
	require.Contains(in.t, drained.stdout, "1 process asked to drain")
	require.Equal(in.t, records.HostDrained, listed().State)
}

// lookAtTheTop prints what the installation does, for a person and for a program.
func (in *sandbox) lookAtTheTop(host installation.Host) {
	in.t.Helper()
	frame := in.plait("top")
	require.Zero(in.t, frame.status, frame.stderr)
	require.Regexp(in.t, `(?m)^`+host.Name+` +ready +control,gpu,translate,document,video,upscale +cpu:0 `, frame.stdout)
	require.Regexp(in.t, `(?m)^plait-comic-detect +0 +- +\d+\.\d +\d+\.\d +1$`, frame.stdout)
	var o schema.Overview
	require.NoError(in.t, json.Unmarshal([]byte(in.plait("top", "--json").stdout), &o))
	require.Len(in.t, o.Queues, len(kinds.SharedQueues()))
	for _, q := range o.Queues {
		require.NotNil(in.t, q.Pollers, q.Name)
		require.Positive(in.t, *q.Pollers, q.Name)
	}
	require.Equal(in.t, exitUsage, in.plait("top", "--every", "1ms").status)
}

// hideTheGone lists processes that are gone when asked to, and the one that runs in any case.
func (in *sandbox) hideTheGone(running string) {
	in.t.Helper()
	ctx, l := in.t.Context(), in.located()
	store, err := installation.OpenRecords(ctx, l)
	require.NoError(in.t, err)
	defer store.Close()
	for instance, state := range map[string]records.HostState{"has-stopped": records.HostStopped, "was-lost": records.HostReady} {
		_, err := store.SaveHost(ctx, records.Host{Instance: instance, Name: "elsewhere", Roles: []string{"control"}, Version: "v1", State: state})
		require.NoError(in.t, err)
	}
	_, err = in.database(l).Exec(ctx, `UPDATE host SET seen_at = seen_at - interval '2 hours' WHERE instance = 'was-lost'`)
	require.NoError(in.t, err)
	usual := in.plait("hosts")
	require.Zero(in.t, usual.status, usual.stderr)
	require.Contains(in.t, usual.stdout, running)
	require.NotContains(in.t, usual.stdout, "elsewhere")
	all := in.plait("hosts", "--all")
	require.Zero(in.t, all.status, all.stderr)
	require.Contains(in.t, all.stdout, running)
	require.Regexp(in.t, `elsewhere +has-stopped +stopped `, all.stdout)
	require.Regexp(in.t, `elsewhere +was-lost +lost `, all.stdout)
}
