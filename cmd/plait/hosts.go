package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/records"
)

// drainPoll is the pause between two looks at hosts that drain.
const drainPoll = time.Second

func newHosts(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "hosts",
		Short: "List the worker processes, or drain a host",
		Long: `List the worker processes: what they are for, what they do, the detect contexts that they keep, how many renders wait
in their own queue, and how many steps that they have taken wait for their device.

States: ready, draining (takes no more, ends what it has), drained (has nothing left; stop it when you like), stopped, and
lost (told nothing of itself for ` + records.HostLostAfter.String() + `). Processes that are gone are listed for a day.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withHosts(c.Context(), a, func(l *config.Loaded, s *records.Store) error {
				return listHosts(c.Context(), c.OutOrStdout(), l, s, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a process")
	c.AddCommand(newHostsDrain(a))
	return c
}

// withHosts runs f with the records and the address of Temporal.
func withHosts(ctx context.Context, a *app, f func(*config.Loaded, *records.Store) error) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	if err := locate(ctx, l); err != nil {
		return err
	}
	store, err := openRecords(ctx, l)
	if err != nil {
		return err
	}
	defer store.Close()
	return f(l, store)
}

func newHostsDrain(a *app) *cobra.Command {
	var wait bool
	c := &cobra.Command{
		Use:   "drain NAME",
		Short: "Have the processes of a host end what they have, and take no more",
		Long: `Have the processes of a host end what they have, and take no more: pages that were detected there are rendered there.
They stay until they are stopped. A process that starts afterwards under the same name is not drained.`,
		Args: oneArgument("NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			return withRecords(c.Context(), a, func(s *records.Store) error {
				asked, err := s.DrainHost(c.Context(), args[0])
				if err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %s asked to drain\n", args[0], count(asked, "process"))
				if !wait {
					return nil
				}
				return waitForDrain(c.Context(), c.OutOrStdout(), s, args[0])
			})
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "wait until nothing is left on the host")
	return c
}

// waitForDrain returns when no process of the host has anything left. It fails with CodeHostLost when one was lost before.
func waitForDrain(ctx context.Context, out io.Writer, s *records.Store, name string) error {
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

// hostLine is a process as --json shows it.
type hostLine struct {
	Name            string            `json:"name"`
	Instance        string            `json:"instance"`
	State           records.HostState `json:"state"`
	Roles           []string          `json:"roles"`
	Device          string            `json:"device,omitempty"`
	DeviceSlots     int               `json:"device_slots,omitempty"`
	Contexts        int               `json:"contexts"`
	ContextCapacity int               `json:"context_capacity"`
	ContextBytes    int64             `json:"context_bytes"`
	// QueueDepth is the number of renders that wait in the process's own queue; null where Temporal does not say.
	QueueDepth *int64 `json:"queue_depth"`
	// Waiting are the steps that the process has taken from its queues, and that wait for its device.
	Waiting   int       `json:"waiting"`
	Version   string    `json:"version"`
	StartedAt time.Time `json:"started_at"`
	SeenAt    time.Time `json:"seen_at"`
}

func listHosts(ctx context.Context, out io.Writer, l *config.Loaded, s *records.Store, asJSON bool) error {
	hosts, err := s.Hosts(ctx)
	if err != nil {
		return err
	}
	temporal, err := dialTemporal(ctx, l, "plait-hosts@"+hostName(), nil, silent())
	if err != nil {
		return err
	}
	defer temporal.Close()
	lines := make([]hostLine, len(hosts))
	for i, h := range hosts {
		lines[i] = hostLine{
			Name: h.Name, Instance: h.Instance, State: h.State, Roles: h.Roles, Device: h.Device, DeviceSlots: h.DeviceSlots,
			Contexts: h.Contexts, ContextCapacity: h.ContextCapacity, ContextBytes: h.ContextBytes,
			QueueDepth: queueDepth(ctx, temporal, l.Temporal.Namespace, h), Waiting: h.Waiting, Version: h.Version, StartedAt: h.StartedAt, SeenAt: h.SeenAt,
		}
	}
	if !asJSON {
		return printHosts(out, lines)
	}
	encoder := json.NewEncoder(out)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// queueDepth is the backlog of a host queue as Temporal estimates it. A server too old to say so is no error.
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

func printHosts(out io.Writer, lines []hostLine) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "HOST\tPROCESS\tSTATE\tROLES\tDEVICE\tCONTEXTS\tQUEUE\tWAITING\tVERSION\tSEEN")
	for _, h := range lines {
		device, contexts, depth, waiting := "-", "-", "-", "-"
		if h.Device != "" {
			device = fmt.Sprintf("%s ×%d", h.Device, h.DeviceSlots)
			contexts = fmt.Sprintf("%d/%d (%d MiB)", h.Contexts, h.ContextCapacity, h.ContextBytes>>20)
			waiting = strconv.Itoa(h.Waiting)
		}
		if h.QueueDepth != nil {
			depth = strconv.FormatInt(*h.QueueDepth, 10)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s ago\n", h.Name, h.Instance, h.State, strings.Join(h.Roles, ","), device,
			contexts, depth, waiting, h.Version, time.Since(h.SeenAt).Round(time.Second))
	}
	return t.Flush()
}
