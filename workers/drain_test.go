package workers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/workers"
)

// twoPagesInTranslation is a chapter whose pages are both detected, by a host of the GPU alone, while the model does not
// answer before the channel is closed.
func twoPagesInTranslation(t *testing.T, stop time.Duration) (r *rig, gpu *host, in chapter, answer chan struct{}) {
	t.Helper()
	r = newRig(t)
	answer = make(chan struct{})
	r.model.Before = func(ctx context.Context, _ translate.Request) error {
		select {
		case <-answer:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}})
	gpu = r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}, stop: stop})
	in = r.task(comic.ModeSplit, chapterPages(2)...)
	r.start(in)
	require.NoError(t, until(t.Context(), func() bool { return gpu.leases().Stats().Leases == 2 }))
	return r, gpu, in, answer
}

func TestADrainedHostRendersWhatItHasAndTakesNoMore(t *testing.T) {
	r, draining, in, answer := twoPagesInTranslation(t, 0)
	close(draining.drain)
	select {
	case <-draining.drained:
		require.FailNow(t, "it still has contexts")
	default:
	}
	close(answer)
	await(t, draining.drained, "the end of the drain")
	other := r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}})
	next := r.task(comic.ModeSplit, hello(5))
	r.start(next)
	for _, in := range []chapter{in, next} {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Zero(t, result.Modes[comic.ModeFallback])
	}
	require.Equal(t, []int{2, 2}, []int{draining.engine.Detects(), draining.engine.Renders()})
	require.Equal(t, []int{1, 1}, []int{other.engine.Detects(), other.engine.Renders()})
}

func TestAStoppedGPUHostUsesUpItsContexts(t *testing.T) {
	r, stopping, in, answer := twoPagesInTranslation(t, patience)
	stopped := make(chan error, 1)
	go func() { stopped <- stopping.stop() }()
	close(answer)
	require.NoError(t, await(t, stopped, "the end of the host"))
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 2, SuccessCount: 2}, result)
}

func TestAStoppedGPUHostDoesNotWaitForEver(t *testing.T) {
	r, stopping, in, answer := twoPagesInTranslation(t, time.Second)
	require.NoError(t, stopping.stop(), "although the model does not answer")
	close(answer)
	r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}})
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, 2, result.Modes[comic.ModeFallback])
	for i, page := range r.pages(in) {
		require.Equal(t, helloRendered(i), r.result(page))
	}
}
