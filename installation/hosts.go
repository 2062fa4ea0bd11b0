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

	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/records"
)

// drainPoll is the interval between two checks of draining hosts.
const drainPoll = time.Second

// WaitForDrain returns when no process of the host has work left. It fails with CodeHostLost when a process was lost before that.
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
	// had contains the processes that had work left at an earlier check.
	had map[string]bool
}

func newHostDrain(name string) *hostDrain { return &hostDrain{name: name, had: map[string]bool{}} }

// busy returns the number of processes with work left.
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
					"process %s of %s was lost before it was drained; other hosts repeat its pages", h.Instance, d.name)
			}
		}
	}
	return busy, nil
}

// Host is a worker process and its queue.
type Host struct {
	records.Host
	// QueueDepth is the number of renders that wait in the process's own queue; nil when Temporal does not report it.
	QueueDepth *int64 `json:"queue_depth"`
}

// Hosts lists the worker processes of the installation; with all, it includes those that are [records.Host.Gone].
func Hosts(ctx context.Context, l *config.Loaded, all bool) ([]Host, error) {
	if err := Locate(ctx, l); err != nil {
		return nil, err
	}
	store, err := OpenRecords(ctx, l)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	known, err := store.Hosts(ctx)
	if err != nil {
		return nil, err
	}
	temporal, err := DialTemporal(ctx, l, "plait-hosts@"+HostName(), nil, silent())
	if err != nil {
		return nil, err
	}
	defer temporal.Close()
	var hosts []Host
	for _, h := range known {
		if all || !h.Gone(time.Now()) {
			hosts = append(hosts, Host{Host: h, QueueDepth: queueDepth(ctx, temporal, l.Temporal.Namespace, h)})
		}
	}
	return hosts, nil
}

// queueDepth returns Temporal's estimate of a host queue's backlog. It returns nil for a server too old to report it.
func queueDepth(ctx context.Context, c client.Client, namespace string, h records.Host) *int64 {
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
