package workers_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/translate"
)

func TestPagesThatWaitForAModelLeaveTheDeviceToOthers(t *testing.T) {
	r := newRig(t)
	answer := make(chan struct{})
	answered := sync.OnceFunc(func() { close(answer) })
	r.model.Before = func(_ context.Context, request translate.Request) error {
		if request.To == "de" {
			<-answer
		}
		return nil
	}
	h := r.host(hostOptions{slots: 8})
	t.Cleanup(answered)
	var waiting []chapter
	for range 4 {
		in := r.task(comic.ModeUnified, hello(0))
		in.Options.To = "de"
		waiting = append(waiting, in)
		r.start(in)
	}
	require.Eventually(t, func() bool { return len(r.model.Pages()) >= 2 }, patience, pollEvery, "as many as the queue has slots")
	for _, mode := range []core.Mode{comic.ModeSplit, comic.ModeUnified} {
		require.Equal(t, 1, r.run(r.task(mode, hello(7))).SuccessCount)
	}
	answered()
	for _, in := range waiting {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, 1, result.SuccessCount)
	}
	require.Equal(t, 1, h.engine.MostAtOnce())
}

// Each page that waits is held in memory, so a host takes no more of them than it keeps detect contexts.
func TestPagesThatWaitForAModelAreBounded(t *testing.T) {
	r := newRig(t)
	const most = 2 + 1 // those of the queue, and one a context
	r.model.Before = func(context.Context, translate.Request) error {
		return until(t.Context(), func() bool { return len(r.model.Pages()) >= most })
	}
	r.host(hostOptions{slots: 8, leases: lease.Config{Capacity: 1}})
	var tasks []chapter
	for range 8 {
		in := r.task(comic.ModeUnified, hello(0))
		tasks = append(tasks, in)
		r.start(in)
	}
	for _, in := range tasks {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, 1, result.SuccessCount)
	}
	require.Equal(t, most, r.model.MostAtOnce())
}
