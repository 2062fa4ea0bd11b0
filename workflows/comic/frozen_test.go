package comic_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	comicflow "plait/workflows/comic"
)

// frozenFor is for how long after a cancel a frozen worker's step ends by its heartbeat.
const frozenFor = 20 * time.Second

// frozen stands for a worker that has stopped to beat: its translations do not hear of a cancel, and end with the heartbeat's
// time-out. The test environment ends every step with a cancel at once.
type frozen struct {
	interceptor.InterceptorBase
}

func (f *frozen) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	return &frozenInbound{interceptor.WorkflowInboundInterceptorBase{Next: next}}
}

type frozenInbound struct {
	interceptor.WorkflowInboundInterceptorBase
}

func (i *frozenInbound) Init(outbound interceptor.WorkflowOutboundInterceptor) error {
	return i.Next.Init(&frozenOutbound{interceptor.WorkflowOutboundInterceptorBase{Next: outbound}})
}

type frozenOutbound struct {
	interceptor.WorkflowOutboundInterceptorBase
}

func (o *frozenOutbound) ExecuteActivity(ctx workflow.Context, step string, args ...any) workflow.Future {
	if step != comic.StepTranslate {
		return o.Next.ExecuteActivity(ctx, step, args...)
	}
	ended, end := workflow.NewFuture(ctx)
	workflow.Go(ctx, func(ctx workflow.Context) {
		ctx.Done().Receive(ctx, nil)
		ctx, cancel := workflow.NewDisconnectedContext(ctx)
		defer cancel()
		if err := workflow.Sleep(ctx, frozenFor); err != nil {
			end.SetError(err)
			return
		}
		end.SetError(temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_HEARTBEAT, nil))
	})
	return ended
}

// A worker stands still when its chapter is canceled, for longer than its heartbeat may be missing: the chapter ends as canceled,
// also when every page of it has begun.
func TestACancelHoldsWhereAStepEndsByItsHeartbeat(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	s.env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{&frozen{}}})
	began := s.env.Now()
	s.env.RegisterDelayedCallback(s.env.CancelWorkflow, time.Minute)
	err := s.run(comicflow.Task, chapterOf(1))
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Equal(t, time.Minute+frozenFor, s.env.Now().Sub(began), "it waited for the end of the step")
	require.Equal(t, []any{core.FinishTaskInput{TaskID: taskID, Canceled: true}}, s.inputs(core.StepFinishTask))
	require.Empty(t, s.inputs(core.StepRecordFailure), "the end of the task settles the page")
	require.Len(t, s.inputs(core.StepReleaseLease), 1)
	require.Equal(t, []string{"running", "canceled"}, s.statuses())
}
