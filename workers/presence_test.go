package workers_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/workers"
)

func TestAProcessTellsOfItselfAndHearsOfADrain(t *testing.T) {
	t.Parallel()
	store, _ := recordstest.Open(t)
	leases := lease.New(lease.Config{Capacity: 3})
	page, err := (&enginetest.Engine{}).Decode(t.Context(), enginetest.Page("一"))
	require.NoError(t, err)
	value, _, err := page.Detect(t.Context(), comic.Options{From: "ja", To: "en"})
	require.NoError(t, err)
	leases.Put(lease.Entry{Value: value})
	self, free := busySteps(t, leases)
	presence := workers.NewPresence(store, records.Host{
		Instance: "1", Name: "studio", Roles: []string{"gpu"}, Queue: "plait-host:studio:1", Device: "cpu:0", Version: "v1", DeviceSlots: 2,
	}, self, time.Millisecond, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- presence.Run(ctx) }()
	told := func(what string, holds func(records.Host) bool) (host records.Host) {
		t.Helper()
		require.Eventually(t, func() bool {
			hosts, err := store.Hosts(t.Context())
			if err == nil && len(hosts) == 1 {
				host = hosts[0]
			}
			return holds(host)
		}, patience, pollEvery, what)
		return host
	}
	reaches := func(want records.HostState) records.Host {
		t.Helper()
		return told(string(want), func(h records.Host) bool { return h.State == want })
	}
	told("a step waits", func(h records.Host) bool { return h.Waiting == 1 })
	free()
	told("none waits", func(h records.Host) bool { return h.Waiting == 0 })
	host := reaches(records.HostReady)
	require.Equal(t, []int{1, 3}, []int{host.Contexts, host.ContextCapacity})
	require.Equal(t, leases.Stats().Bytes, host.ContextBytes)

	_, err = store.DrainHost(t.Context(), "studio")
	require.NoError(t, err)
	await(t, presence.Drain(), "the drain")
	reaches(records.HostDraining)
	presence.Drained()
	reaches(records.HostDrained)
	stop()
	require.NoError(t, await(t, ended, "the last report"))
	require.Equal(t, records.HostStopped, reaches(records.HostStopped).State)
}

// busySteps are those of a process whose device has a page, while another waits for it, until it is free.
func busySteps(t *testing.T, leases *lease.Cache) (self *activities.Host, free func()) {
	t.Helper()
	held, release := make(chan struct{}, 2), make(chan struct{})
	self = activities.New(activities.Deps{Leases: leases})
	steps := comicsteps.New(comicsteps.Deps{Host: self, Engine: comicsteps.EngineOf(&enginetest.Engine{
		Before: func(context.Context, core.Stage, []byte) error {
			held <- struct{}{}
			<-release
			return nil
		},
	})})
	free = sync.OnceFunc(func() { close(release) })
	var pages sync.WaitGroup
	t.Cleanup(pages.Wait)
	t.Cleanup(free)
	for range 2 {
		pages.Go(func() {
			_, _, _ = steps.Device().Detect(t.Context(), comic.StageDetect, enginetest.Page("一"), comic.Options{}) // nobody reads it
		})
	}
	await(t, held, "a page on the device")
	return self, free
}
