package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func TestHosts(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	first := records.Host{
		Instance: "1", Name: "a", Roles: []string{"gpu"}, Queue: "gpu-host:a:1", Device: "cuda:0", Version: "v1",
		DeviceSlots: 1, State: records.HostReady, Contexts: 2, ContextCapacity: 10, ContextBytes: 1 << 20, Waiting: 3,
	}
	second := records.Host{Instance: "2", Name: "b", Roles: []string{"control", "translate"}, Version: "v2", State: records.HostReady}
	save := func(h records.Host) bool {
		t.Helper()
		drain, err := f.SaveHost(ctx, h)
		require.NoError(t, err)
		return drain
	}
	list := func() []records.Host {
		t.Helper()
		hosts, err := f.Hosts(ctx)
		require.NoError(t, err)
		for i := range hosts {
			require.WithinDuration(t, time.Now(), hosts[i].StartedAt, time.Minute)
			hosts[i].StartedAt, hosts[i].SeenAt, hosts[i].DrainAskedAt = time.Time{}, time.Time{}, nil
		}
		return hosts
	}
	require.False(t, save(second))
	require.False(t, save(first))
	require.Equal(t, []records.Host{first, second}, list())

	_, err := f.DrainHost(ctx, "c")
	recordstest.RequireCode(t, core.CodeNotFound, err)
	for range 2 {
		asked, err := f.DrainHost(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, 1, asked)
	}
	first.State, first.Contexts, first.ContextBytes, first.Waiting = records.HostDraining, 1, 7, 0
	require.True(t, save(first))
	require.False(t, save(second), "the other host was not asked")
	require.Equal(t, []records.Host{first, second}, list())

	f.SQL(`UPDATE host SET seen_at = seen_at - interval '21 seconds'`)
	late := second
	second.State = records.HostStopped
	save(second)
	save(late) // a canceled report that the database receives after the last one
	first.State = records.HostLost
	require.Equal(t, []records.Host{first, second}, list())
	_, err = f.DrainHost(ctx, "a")
	recordstest.RequireCode(t, core.CodeNotFound, err)

	f.SQL(`UPDATE host SET seen_at = seen_at - interval '1 day' WHERE name = 'a'`)
	require.NoError(t, f.ForgetHosts(ctx))
	require.Equal(t, []records.Host{second}, list())
}

func TestALostHostIsGoneAfterAnHourAndAStoppedOneAtOnce(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, test := range []struct {
		state records.HostState
		seen  time.Duration
		gone  bool
	}{
		{records.HostReady, 0, false}, {records.HostDrained, 2 * time.Hour, false}, {records.HostStopped, 0, true},
		{records.HostLost, 30 * time.Minute, false}, {records.HostLost, 61 * time.Minute, true},
	} {
		require.Equal(t, test.gone, records.Host{State: test.state, SeenAt: now.Add(-test.seen)}.Gone(now), test)
	}
}
