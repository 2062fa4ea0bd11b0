package workers_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/translate"
)

const (
	// turnsQueue is how many tasks of a tenant are in the queue, and turnsAsked how many another has done one after the other meanwhile.
	turnsQueue, turnsAsked = 300, 7
	// turnsModel and turnsDevice are what a page takes of the one translate slot and of the device.
	turnsModel, turnsDevice = 250 * time.Millisecond, 100 * time.Millisecond
)

// BenchmarkTurns measures how long a task of one page takes from its start to its end, alone and behind 300 tasks of another tenant.
//
//	go test ./workers -run '^$' -bench Turns -benchtime 1x
func BenchmarkTurns(b *testing.B) {
	r := newRig(b)
	r.model.Before = func(ctx context.Context, _ translate.Request) error { return take(ctx, turnsModel) }
	r.host(hostOptions{engine: timedEngine(turnsDevice)})
	for i, queue := range []int{0, turnsQueue} {
		for n := range queue {
			in := r.taskOf(tenant, core.FirstPriority, hello(n))
			r.start(in)
			b.Cleanup(func() {
				_ = r.client.TerminateWorkflow(context.WithoutCancel(b.Context()), in.TaskID, "", "the benchmark is over")
			})
		}
		asked := r.model.Calls()
		began := time.Now()
		var took []time.Duration
		for n := range turnsAsked {
			in := r.taskOf("another", core.LastPriority, hello(turnsQueue+i*turnsAsked+n))
			sent := time.Now()
			r.start(in)
			_, err := r.wait(in)
			require.NoError(b, err)
			took = append(took, time.Since(sent))
		}
		elapsed, asked := time.Since(began), r.model.Calls()-asked
		slices.Sort(took)
		require.True(b, queue == 0 || r.model.Calls() < queue, "the queue is not empty yet")
		figure(b, map[string]any{
			"case": "a tenant's task beside the queue of another", "queue_of_the_other": queue, "tasks": turnsAsked,
			"model_ms": turnsModel.Milliseconds(), "device_ms": turnsDevice.Milliseconds(),
			"median_ms": took[len(took)/2].Milliseconds(), "max_ms": took[len(took)-1].Milliseconds(),
			"translate_slot_busy": float64(asked) * turnsModel.Seconds() / elapsed.Seconds(),
		})
	}
}
