package workers_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"plait/internal/comic"
)

// A slow host is not a dead one: whoever sends a page back to it waits as much longer as steps have waited there before.
func TestARenderIsWaitedForAsLongAsItsHostIsSlow(t *testing.T) {
	const waited = 40 * time.Second
	r := newRig(t)
	var err error
	r.client.Close()
	r.client, err = client.Dial(client.Options{
		HostPort: r.address, Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
		ConnectionOptions: client.ConnectionOptions{DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(rendersHaveWaited(waited))}},
	})
	require.NoError(t, err)
	r.host(hostOptions{})
	first, second := r.task(comic.ModeSplit, hello(0)), r.task(comic.ModeSplit, hello(1))
	require.Equal(t, 1, r.run(first).SuccessCount)
	require.Equal(t, 1, r.run(second).SuccessCount)
	before, after := r.renderWithin(first), r.renderWithin(second)
	require.Less(t, before, waited, "nothing was measured yet")
	require.Greater(t, after, before+waited)
}

// rendersHaveWaited has the server say that each render was asked for so much earlier.
func rendersHaveWaited(d time.Duration) grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
	) error {
		err := invoke(ctx, method, request, reply, conn, options...)
		task, polled := reply.(*workflowservice.PollActivityTaskQueueResponse)
		if err == nil && polled && task.GetActivityType().GetName() == comic.StepRender {
			task.ScheduledTime = timestamppb.New(task.GetScheduledTime().AsTime().Add(-d))
		}
		return err
	}
}

// renderWithin is how long the task of one page waited at most for a host to begin with its render.
func (r *rig) renderWithin(in chapter) (limit time.Duration) {
	r.t.Helper()
	events := r.client.GetWorkflowHistory(r.t.Context(), in.TaskID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(r.t, err)
		if asked := event.GetActivityTaskScheduledEventAttributes(); asked.GetActivityType().GetName() == comic.StepRender {
			limit = asked.GetScheduleToStartTimeout().AsDuration()
		}
	}
	return limit
}
