package workers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/benchtest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/workers"
)

// timedEngine takes so much time for a page, and no core: as on recorded pages, detect takes three times as long as render.
func timedEngine(page time.Duration) *enginetest.Engine {
	return &enginetest.Engine{Before: func(ctx context.Context, stage core.Stage, _ []byte) error {
		if stage == comic.StageDetect {
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
	var tasks []chapter
	for range chapters {
		tasks = append(tasks, r.task(comic.ModeSplit, chapterPages(pages)...))
	}
	began := time.Now()
	for _, in := range tasks {
		r.start(in)
	}
	for _, in := range tasks {
		var result core.TaskResult
		require.NoError(r.t, r.client.GetWorkflow(r.t.Context(), in.TaskID, "").Get(r.t.Context(), &result))
		require.Equal(r.t, pages, result.SuccessCount)
		require.Zero(r.t, result.Modes[comic.ModeFallback])
	}
	return time.Since(began)
}

func figure(b *testing.B, values map[string]any) {
	b.Helper()
	benchtest.Write(b, []string{"stand-in pages of two texts"}, values)
}

// A load is what the pages of a chapter take of its model and of its devices; the rest of a page costs nothing.
type load struct {
	pages, hosts int
	// model is what a page takes of the one slot, device what it takes of its host: three quarters to be detected, the
	// rest to be rendered.
	model, device time.Duration
}

// bound is all of the model's time, or all of the device time over the hosts, and the fill: for how long what bounds the chapter waits
// for the first page. That is its detect where the model bounds, and nothing where the devices do: they begin at once.
func (l load) bound() time.Duration {
	return max(l.device*3/4+time.Duration(l.pages)*l.model, l.share())
}

// least is what no order of the steps can go below: the last page is rendered after the model has ended.
func (l load) least() time.Duration {
	return max(l.device+time.Duration(l.pages)*l.model, l.share())
}

// share is what each host has to do.
func (l load) share() time.Duration {
	return time.Duration(l.pages) * l.device / time.Duration(l.hosts)
}

// BenchmarkFlowBound measures a chapter of 40 pages against what bounds it, without and with the last page's render. It prints one
// JSON line a case. What Temporal and Postgres take between two steps is in the ratios, and of no more weight than with real
// pages: their stages take longer than those here, by the devices and by the models that are usual.
//
//	go test ./workers -run '^$' -bench FlowBound -benchtime 1x
func BenchmarkFlowBound(b *testing.B) {
	// share is the device time of a page over the hosts: the same for any number of them, so that what a page takes
	// beyond its stages weighs the same too.
	const share = 750 * time.Millisecond
	regimes := []struct {
		name  string
		model time.Duration
	}{{"model-bound", share * 3 / 2}, {"balanced", share}, {"GPU-bound", share / 8}}
	embedded := startStack(b)
	for _, hosts := range []int{1, 2, 4} {
		for _, regime := range regimes {
			b.Run(fmt.Sprintf("%s on %d hosts", regime.name, hosts), func(b *testing.B) {
				l := load{pages: 40, hosts: hosts, model: regime.model, device: share * time.Duration(hosts)}
				r := flow(b, embedded.DatabaseURL(), embedded.TemporalAddress(), hosts, 1, l.device, l.model)
				took := r.timeOf(1, l.pages)
				figure(b, map[string]any{
					"case": "chapter against its bound", "regime": regime.name, "hosts": hosts, "pages": l.pages, "seconds": took.Seconds(),
					"bound_seconds": l.bound().Seconds(), "ratio": took.Seconds() / l.bound().Seconds(),
					"least_seconds": l.least().Seconds(), "of_least": took.Seconds() / l.least().Seconds(),
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
