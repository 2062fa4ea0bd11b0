package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	"plait/internal/config"
	"plait/internal/records"
)

func newHosts(a *app) *cobra.Command {
	var asJSON, all bool
	c := &cobra.Command{
		Use:   "hosts",
		Short: "List the worker processes, or drain a host",
		Long: `List the worker processes: what they are for, what they do, the detect contexts that they keep, how many renders wait
in their own queue, and how many steps that they have taken wait for their device.

States: ready, draining (takes no more, ends what it has), drained (has nothing left; stop it when you like), stopped, and
lost (told nothing of itself for ` + records.HostLostAfter.String() + `). With --all also processes that have stopped, or were lost before
the last hour, in the last day.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withHosts(c.Context(), a, func(l *config.Loaded, s *records.Store) error {
				return listHosts(c.Context(), c.OutOrStdout(), l, s, all, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a process")
	c.Flags().BoolVar(&all, "all", false, "also list processes that are gone")
	c.AddCommand(newHostsDrain(a))
	return c
}

// withHosts runs f with the records and the address of Temporal.
func withHosts(ctx context.Context, a *app, f func(*config.Loaded, *records.Store) error) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	if err := installation.Locate(ctx, l); err != nil {
		return err
	}
	store, err := installation.OpenRecords(ctx, l)
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
				fmt.Fprintf(c.OutOrStdout(), "%s: %s asked to drain\n", args[0], progress.Count(asked, "process"))
				if !wait {
					return nil
				}
				return installation.WaitForDrain(c.Context(), c.OutOrStdout(), s, args[0])
			})
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "wait until nothing is left on the host")
	return c
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

// gone tells a process that has stopped, or was lost a while ago: one lost just now is news.
func gone(h records.Host) bool {
	return h.State == records.HostStopped || h.State == records.HostLost && time.Since(h.SeenAt) > time.Hour
}

func listHosts(ctx context.Context, out io.Writer, l *config.Loaded, s *records.Store, all, asJSON bool) error {
	hosts, err := s.Hosts(ctx)
	if err != nil {
		return err
	}
	if !all {
		hosts = slices.DeleteFunc(hosts, gone)
	}
	temporal, err := installation.DialTemporal(ctx, l, "plait-hosts@"+installation.HostName(), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer temporal.Close()
	lines := make([]hostLine, len(hosts))
	for i, h := range hosts {
		lines[i] = hostLine{
			Name: h.Name, Instance: h.Instance, State: h.State, Roles: h.Roles, Device: h.Device, DeviceSlots: h.DeviceSlots,
			Contexts: h.Contexts, ContextCapacity: h.ContextCapacity, ContextBytes: h.ContextBytes,
			QueueDepth: installation.QueueDepth(ctx, temporal, l.Temporal.Namespace, h), Waiting: h.Waiting, Version: h.Version, StartedAt: h.StartedAt, SeenAt: h.SeenAt,
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
