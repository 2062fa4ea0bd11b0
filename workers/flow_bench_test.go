package workers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/enginetest"
	"plait/internal/pipeline"
	"plait/internal/translate"
	"plait/workers"
	"plait/workflows"
)

// timedEngine takes so much time for a page, and no core: as on recorded pages, detect takes three times as long as render.
func timedEngine(page time.Duration) *enginetest.Engine {
	return &enginetest.Engine{Before: func(ctx context.Context, stage pipeline.Stage, _ []byte) error {
		if stage == pipeline.StageDetect {
			return take(ctx, page*3/4)
		}
		return take(ctx, page/4)
	}}
}

func take(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// flow is a rig with so many GPU hosts, and one process for all else. Device and model are what a page takes of each.
func flow(b *testing.B, url, address string, hosts, slots int, device, model time.Duration) *rig {
	b.Helper()
	r := newRigAt(b, url, address)
	r.model.Before = func(ctx context.Context, _ translate.Request) error { return take(ctx, model) }
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}, slots: slots})
	for range hosts {
		r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}, engine: timedEngine(device), slots: slots})
	}
	return r
}

// timeOf is how long these chapters take side by side; their pages all succeed, and none falls back.
func (r *rig) timeOf(chapters, pages int) time.Duration {
	r.t.Helper()
	var tasks []workflows.ChapterInput
	for range chapters {
		tasks = append(tasks, r.task(pipeline.ModeSplit, chapterPages(pages)...))
	}
	began := time.Now()
	for _, in := range tasks {
		r.start(in)
	}
	for _, in := range tasks {
		var result pipeline.ChapterResult
		require.NoError(r.t, r.client.GetWorkflow(r.t.Context(), in.TaskID, "").Get(r.t.Context(), &result))
		require.Equal(r.t, pages, result.SuccessCount)
		require.Zero(r.t, result.FallbackCount)
	}
	return time.Since(began)
}

func figure(b *testing.B, values map[string]any) {
	b.Helper()
	require.NoError(b, json.NewEncoder(os.Stderr).Encode(values))
}

// BenchmarkFlowBound measures a chapter of 40 pages against what bounds it: all of its model's time, or all of its device time
// over the hosts, and the first page's way. It prints one JSON line a case.
//
//	go test ./workers -run '^$' -bench FlowBound -benchtime 1x
func BenchmarkFlowBound(b *testing.B) {
	const (
		pages = 40
		// share is the device time of a page over the hosts: the same for any number of them, so that what a page takes
		// beyond its stages weighs the same too.
		share = 400 * time.Millisecond
	)
	embedded := startStack(b)
	for _, hosts := range []int{1, 2, 4} {
		for regime, model := range map[string]time.Duration{"model-bound": 2 * share, "balanced": share, "GPU-bound": share / 8} {
			b.Run(fmt.Sprintf("%s on %d hosts", regime, hosts), func(b *testing.B) {
				device := share * time.Duration(hosts)
				r := flow(b, embedded.DatabaseURL(), embedded.TemporalAddress(), hosts, 1, device, model)
				took := r.timeOf(1, pages)
				bound := pages*max(model, share) + device + model
				figure(b, map[string]any{
					"case": "chapter against its bound", "regime": regime, "hosts": hosts, "pages": pages,
					"seconds": took.Seconds(), "least_seconds": bound.Seconds(), "ratio": took.Seconds() / bound.Seconds(),
				})
			})
		}
	}
}

// BenchmarkFlowHosts measures how many pages a second more hosts make of as many more chapters. It prints one JSON line a case.
//
//	go test ./workers -run '^$' -bench FlowHosts -benchtime 1x
func BenchmarkFlowHosts(b *testing.B) {
	const (
		pages  = 24
		device = 800 * time.Millisecond
	)
	embedded := startStack(b)
	alone := 0.0
	for _, hosts := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("%d hosts", hosts), func(b *testing.B) {
			r := flow(b, embedded.DatabaseURL(), embedded.TemporalAddress(), hosts, hosts, device, device/8)
			rate := float64(hosts*pages) / r.timeOf(hosts, pages).Seconds()
			if hosts == 1 {
				alone = rate
			}
			figure(b, map[string]any{
				"case": "throughput by hosts", "hosts": hosts, "pages_per_second": rate, "of_linear": rate / alone / float64(hosts),
			})
		})
	}
}
