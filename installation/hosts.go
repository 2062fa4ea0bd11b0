package installation

import (
	"context"
	"fmt"
	"io"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"plait/internal/core"
	"plait/internal/records"
)

// drainPoll is the pause between two looks at hosts that drain.
const drainPoll = time.Second

// WaitForDrain returns when no process of the host has anything left. It fails with CodeHostLost when one was lost before.
func WaitForDrain(ctx context.Context, out io.Writer, s *records.Store, name string) error {
	for d := newHostDrain(name); ; {
		hosts, err := s.Hosts(ctx)
		if err != nil {
			return err
		}
		busy, err := d.busy(hosts)
		if err != nil {
			return err
		}
		if busy == 0 {
			_, err := fmt.Fprintf(out, "%s: drained\n", name)
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(drainPoll):
		}
	}
}

// hostDrain is the drain of a host.
type hostDrain struct {
	name string
	// had are the processes that had something left at an earlier look.
	had map[string]bool
}

func newHostDrain(name string) *hostDrain { return &hostDrain{name: name, had: map[string]bool{}} }

// busy is how many processes have something left.
func (d *hostDrain) busy(hosts []records.Host) (busy int, err error) {
	for _, h := range hosts {
		if h.Name != d.name || h.DrainAskedAt == nil {
			continue
		}
		switch h.State {
		case records.HostReady, records.HostDraining:
			d.had[h.Instance] = true
			busy++
		case records.HostDrained, records.HostStopped:
			delete(d.had, h.Instance)
		case records.HostLost:
			if d.had[h.Instance] {
				return 0, core.Errorf(core.CodeHostLost,
					"process %s of %s was lost before it had drained; its pages are done again elsewhere", h.Instance, d.name)
			}
		}
	}
	return busy, nil
}

// QueueDepth is the backlog of a host queue as Temporal estimates it. A server too old to say so is no error.
func QueueDepth(ctx context.Context, c client.Client, namespace string, h records.Host) *int64 {
	if h.Queue == "" || h.State == records.HostStopped {
		return nil
	}
	answer, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: namespace, TaskQueue: &taskqueue.TaskQueue{Name: h.Queue}, TaskQueueType: enums.TASK_QUEUE_TYPE_ACTIVITY,
		ReportStats: true,
	})
	if err != nil || answer.GetStats() == nil {
		return nil
	}
	depth := answer.GetStats().GetApproximateBacklogCount()
	return &depth
}
