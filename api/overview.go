package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"

	"plait/api/schema"
	"plait/internal/records"
)

// queuesWithin bounds how long Temporal is waited for: an operator who looks while it is down sees the rest.
const queuesWithin = 2 * time.Second

// getOverview answers what the installation does now.
func (s *Server) getOverview(c echo.Context) error {
	ctx := c.Request().Context()
	o, err := s.Records.Overview(ctx)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.Overview{
		At: o.At.UTC(), Queues: s.describeQueues(ctx), Work: viewAll(o.Work, viewWork), Hosts: viewAll(o.Hosts, viewHost),
		Tenants: viewAll(o.Tenants, func(t records.BusyTenant) schema.BusyTenant {
			return schema.BusyTenant{
				Name: t.Name, Tier: t.Tier, RunningTasks: t.Running, WaitingTasks: t.Waiting, ItemsPerMinute: t.Items,
				RequestsPerMinute: t.Requests, TokensPerMinute: t.Tokens,
			}
		}),
	})
}

func viewWork(w records.Work) schema.Work {
	return schema.Work{
		Kind: w.Kind, Queued: w.Queued, Running: w.Running, Paused: w.Paused, OldestQueued: int64(w.OldestQueued.Seconds()),
		ItemsPerMinute: w.Succeeded, FailedPerMinute: w.Failed,
	}
}

func viewHost(h records.Host) schema.Host {
	return schema.Host{
		Name: h.Name, Instance: h.Instance, State: string(h.State), Roles: h.Roles, Version: h.Version, Device: h.Device, Slots: h.DeviceSlots,
		Waiting: h.Waiting, Contexts: h.Contexts, ContextCapacity: h.ContextCapacity, SeenAt: h.SeenAt.UTC(),
	}
}

// describeQueues asks Temporal about each queue, all at once.
func (s *Server) describeQueues(ctx context.Context) []schema.Queue {
	ctx, cancel := context.WithTimeout(ctx, queuesWithin)
	defer cancel()
	queues := make([]schema.Queue, len(s.Queues))
	var asking sync.WaitGroup
	for i, name := range s.Queues {
		asking.Go(func() { queues[i] = s.describeQueue(ctx, name) })
	}
	asking.Wait()
	return queues
}

func (s *Server) describeQueue(ctx context.Context, name string) schema.Queue {
	q := schema.Queue{Name: name}
	answer, err := s.Temporal.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: s.Namespace, TaskQueue: &taskqueue.TaskQueue{Name: name}, TaskQueueType: enums.TASK_QUEUE_TYPE_ACTIVITY, ReportStats: true,
	})
	if err != nil {
		s.Log.Debug("a queue cannot be described", "queue", name, "error", err)
		return q
	}
	pollers := len(answer.GetPollers())
	q.Pollers = &pollers
	if stats := answer.GetStats(); stats != nil {
		waiting, oldest := stats.GetApproximateBacklogCount(), int64(stats.GetApproximateBacklogAge().AsDuration().Seconds())
		added, taken := 60*float64(stats.GetTasksAddRate()), 60*float64(stats.GetTasksDispatchRate())
		q.Waiting, q.OldestWaiting, q.AddedPerMinute, q.TakenPerMinute = &waiting, &oldest, &added, &taken
	}
	return q
}
