package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
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
		Long: `List the worker processes with their roles and load: the detect contexts in their memory, the renders that wait in their queue,
and the steps that wait for their device.

States:
  ready     takes steps
  draining  takes no new pages, and finishes those that it has
  drained   has nothing left, so that an operator can stop it
  stopped   has ended
  lost      has sent no report for ` + records.HostLostAfter.String() + `

Processes that have stopped, and those lost for more than an hour, are listed only with --all, for a day.`,
		RunE: a.configured(func(c *cobra.Command, l *config.Loaded, _ []string) error {
			hosts, err := installation.Hosts(c.Context(), l, all)
			if err != nil {
				return err
			}
			return table[installation.Host]{"HOST\tPROCESS\tSTATE\tROLES\tDEVICE\tCONTEXTS\tQUEUE\tWAITING\tVERSION\tSEEN", hostRow}.print(c.OutOrStdout(), asJSON, hosts)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a process")
	c.Flags().BoolVar(&all, "all", false, "list also processes that are gone")
	c.AddCommand(newHostsDrain(a))
	return c
}

func hostRow(h installation.Host) string {
	device, contexts, depth, waiting := "-", "-", "-", "-"
	if h.Device != "" {
		device = fmt.Sprintf("%s ×%d", h.Device, h.DeviceSlots)
		contexts = fmt.Sprintf("%d/%d (%d MiB)", h.Contexts, h.ContextCapacity, h.ContextBytes>>20)
		waiting = strconv.Itoa(h.Waiting)
	}
	if h.QueueDepth != nil {
		depth = strconv.FormatInt(*h.QueueDepth, 10)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s ago", h.Name, h.Instance, h.State, strings.Join(h.Roles, ","), device,
		contexts, depth, waiting, h.Version, time.Since(h.SeenAt).Round(time.Second))
}

func newHostsDrain(a *app) *cobra.Command {
	var wait bool
	c := &cobra.Command{
		Use:   "drain NAME",
		Short: "Let the processes of a host finish their work and take no more",
		Long: `Let the processes of a host finish their work and take no more. Pages that were detected on the host are rendered there first.

A drained process keeps running until it is stopped. A process that starts later under the same name is not drained.`,
		Example: "  plait hosts drain gpu-1 --wait",
		Args:    oneArgument("NAME"),
	}
	c.Flags().BoolVar(&wait, "wait", false, "wait until the host is drained")
	return onRecords(a, c, func(ctx context.Context, s *records.Store, args []string) error {
		asked, err := s.DrainHost(ctx, args[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s asked to drain\n", args[0], progress.Count(asked, "process"))
		if !wait {
			return nil
		}
		return installation.WaitForDrain(ctx, c.OutOrStdout(), s, args[0])
	})
}
