package api_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/workflow"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/translate"
	"plait/internal/translate/script"
	"plait/internal/translate/translatetest"
	"plait/workers"
	comicworkers "plait/workers/comic"
	"plait/workflows"
)

// world is a server whose tasks a worker takes up. The queues have fixed names, so there is one in a package; its tests
// are tenants of it.
type world struct {
	*rig
	engine *pageEngine
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{rig: newRig(t), engine: newPageEngine()}
	instance := workers.NewInstance()
	host := activities.New(activities.Deps{
		Blobs: w.blobs, Records: w.records, Leases: lease.New(lease.Config{}), Name: "host",
		Queue: workflows.HostQueue("host", instance), DeviceSlots: []int{16},
	})
	steps := comicsteps.New(comicsteps.Deps{
		Host: host, Engine: comicsteps.EngineOf(w.engine), Translators: w.translator, TranslateSlots: 4,
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- workers.Run(ctx, workers.Config{
			Client: w.temporal, Roles: []workers.Role{workers.RoleControl, workers.RoleGPU, workers.RoleTranslate}, Host: host, Instance: instance,
			Kinds: []workers.Kind{comicworkers.Kind(steps)}, StopTimeout: 10 * time.Second, OnReady: func() { close(ready) },
		})
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
	select {
	case <-ready:
	case err := <-done:
		require.NoError(t, err)
	}
	return w
}

// patientSteps gives the steps of workflows as long as a test waits. On a busy machine a step would else count as lost and be taken again,
// which a paused task does after its resume alone.
type patientSteps struct{ interceptor.InterceptorBase }

// InterceptWorkflow implements interceptor.WorkerInterceptor.
func (patientSteps) InterceptWorkflow(
	_ workflow.Context, next interceptor.WorkflowInboundInterceptor,
) interceptor.WorkflowInboundInterceptor {
	return &patientInbound{interceptor.WorkflowInboundInterceptorBase{Next: next}}
}

type patientInbound struct {
	interceptor.WorkflowInboundInterceptorBase
}

// Init implements interceptor.WorkflowInboundInterceptor.
func (i *patientInbound) Init(next interceptor.WorkflowOutboundInterceptor) error {
	return i.Next.Init(&patientOutbound{interceptor.WorkflowOutboundInterceptorBase{Next: next}})
}

type patientOutbound struct {
	interceptor.WorkflowOutboundInterceptorBase
}

// ExecuteActivity implements interceptor.WorkflowOutboundInterceptor.
func (o *patientOutbound) ExecuteActivity(ctx workflow.Context, name string, args ...any) workflow.Future {
	options := workflow.GetActivityOptions(ctx)
	for _, limit := range []*time.Duration{&options.HeartbeatTimeout, &options.ScheduleToStartTimeout} {
		if *limit > 0 {
			*limit = patience
		}
	}
	return o.Next.ExecuteActivity(workflow.WithActivityOptions(ctx, options), name, args...)
}

// translator takes the script of a task; any other task gets its texts in brackets.
func (w *world) translator(ctx context.Context, o comic.Options) (translate.Translator, error) {
	if o.Translator != core.TranslatorScript {
		return &translatetest.Model{}, nil
	}
	b, err := w.blobs.Read(ctx, o.Script, script.MaxBytes)
	if err != nil {
		return nil, err
	}
	f, err := script.Parse(b)
	if err != nil {
		return nil, err
	}
	return translate.FromScript(f, o.Strict, slog.New(slog.DiscardHandler)), nil
}

// until polls a task until it is as wanted, and checks at each look that its numbers agree.
func (c caller) until(path string, wanted func(chapter) bool) (task chapter) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		task = c.get(path).is(200).task()
		p, d := task.Progress, task.Details
		require.LessOrEqual(c.t, d.Translated, d.Detected)
		require.LessOrEqual(c.t, p.Done, p.Total)
		require.LessOrEqual(c.t, d.Detected, p.Total)
		require.Equal(c.t, p.Total, task.TotalCount)
		require.Len(c.t, task.Pages, p.Total)
		if task.Status.Ended() {
			require.Equal(c.t, task.TotalCount, task.SuccessCount+task.FailedCount)
			require.Equal(c.t, task.TotalCount, p.Done)
		}
		return wanted(task)
	}, patience, 20*time.Millisecond, "it was last %+v", &task)
	return task
}

func (c caller) untilEnded(path string) chapter {
	c.t.Helper()
	return c.until(path, func(t chapter) bool { return t.Status.Ended() })
}
