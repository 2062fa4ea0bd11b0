package workers_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/workers"
	"plait/workflows"
)

// Chapters have contexts on several hosts, and steps on their devices: once they are canceled, the devices are free and every one of
// their contexts is gone. Those of another chapter stay, and its pages come to their end with them.
func TestCancelFreesAllHosts(t *testing.T) {
	const hosts, busy, kept = 4, 2, 3
	r := newRig(t)
	answer := make(chan struct{})
	r.model.Before = func(ctx context.Context, _ translate.Request) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-answer:
			return nil
		}
	}
	holding := newHoldingDevices(4 * hosts)
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}, slots: 2 * hosts})
	var gpus []*host
	for range hosts {
		gpus = append(gpus, r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}, engine: holding.engine()}))
	}
	contexts := func() (n int) {
		for _, h := range gpus {
			n += h.leases().Stats().Leases
		}
		return n
	}
	stays := r.task(comic.ModeSplit, chapterPages(kept)...)
	r.start(stays)
	require.Eventually(t, func() bool { return contexts() == kept }, patience, pollEvery)

	var canceled []chapter
	for range hosts {
		canceled = append(canceled, r.task(comic.ModeSplit, hello(0), hello(1), enginetest.Page(heldLine), enginetest.Page(heldLine)))
		r.start(canceled[len(canceled)-1])
	}
	for range busy { // the others may have their steps behind these
		await(t, holding.held, "a step that keeps a device")
	}
	require.Greater(t, contexts(), kept)
	began := time.Now()
	for _, in := range canceled {
		require.NoError(t, workflows.Cancel(t.Context(), r.client, in.TaskID))
	}
	for range busy {
		t.Logf("a device was free %v after the cancels", await(t, holding.freed, "a free device").Sub(began).Round(time.Millisecond))
	}
	for _, in := range canceled {
		_, err := r.wait(in)
		require.True(t, temporal.IsCanceledError(err), "%v", err)
	}
	t.Logf("canceled in %v", time.Since(began).Round(time.Millisecond))
	require.Equal(t, kept, contexts(), "those of the other chapter")

	close(answer)
	result, err := r.wait(stays)
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: kept, SuccessCount: kept}, result, "no page falls back")
	require.Zero(t, contexts())
}

// holdingDevices keep the steps of pages with heldLine until they are canceled.
type holdingDevices struct {
	held  chan struct{}
	freed chan time.Time
}

func newHoldingDevices(most int) *holdingDevices {
	return &holdingDevices{held: make(chan struct{}, most), freed: make(chan time.Time, most)}
}

func (d *holdingDevices) engine() *enginetest.Engine {
	return &enginetest.Engine{Before: func(ctx context.Context, _ core.Stage, image []byte) error {
		if !strings.Contains(string(image), heldLine) {
			return nil
		}
		d.held <- struct{}{}
		<-ctx.Done()
		d.freed <- time.Now()
		return ctx.Err()
	}}
}

// heldLine is of a page that a device keeps until its step is canceled.
const heldLine = "held"
