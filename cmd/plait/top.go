package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/client/top"
	"plait/installation"
	"plait/internal/config"
	"plait/internal/stack"
)

// leastEvery is the shortest time between two looks.
const leastEvery = 200 * time.Millisecond

func newTop(a *app) *cobra.Command {
	var server string
	var once, asJSON bool
	var every time.Duration
	c := &cobra.Command{
		Use:   "top",
		Short: "Show in the terminal what the installation does: work, queues, hosts and tenants",
		Long: `Show in the terminal what the installation does, again and again: the tasks of each kind, the queues of Temporal, the worker
processes, and the tenants with work. Rates count the last minute, those of queues the last half minute. The key needs the scope admin.

Without a terminal, and with --once, one look is printed.`,
		Example: "  plait top --server https://plait.example",
	}
	c.RunE = a.configured(func(c *cobra.Command, l *config.Loaded, _ []string) error {
		if every < leastEvery {
			return usageError(c, fmt.Errorf("--every is %s; the least is %s", every, leastEvery))
		}
		return withRunning(c, l, server, func(ctx context.Context, api *client.Client) error {
			return showTop(ctx, c, api, every, once, asJSON)
		})
	})
	addServer(c, &server)
	c.Flags().DurationVar(&every, "every", 2*time.Second, "time between two looks")
	c.Flags().BoolVar(&once, "once", false, "print one look and end")
	c.Flags().BoolVar(&asJSON, "json", false, "print one look as a JSON object and end")
	return c
}

func showTop(ctx context.Context, c *cobra.Command, api *client.Client, every time.Duration, once, asJSON bool) error {
	out := c.OutOrStdout()
	file, isFile := out.(*os.File)
	if !once && !asJSON && isFile && term.IsTerminal(int(file.Fd())) {
		return top.Show(ctx, every, api.Overview)
	}
	o, err := api.Overview(ctx)
	if err != nil {
		return err
	}
	return answer(c, asJSON, o, "%s\n", strings.Join(top.Frame(o), "\n"))
}

// withRunning calls work with a client of an API that runs: the one at the address, or that of the data folder.
func withRunning(c *cobra.Command, l *config.Loaded, server string, work func(context.Context, *client.Client) error) error {
	if server != "" {
		return newSession(c, l, server, progress.New(c.OutOrStdout(), false, kinds.Progress())).use("", work)
	}
	running, release, err := installation.JoinLocal(c.Context(), l.DataDir)
	if errors.Is(err, stack.ErrNotRunning) {
		return fmt.Errorf(`nothing runs in the data folder %s: "plait up" starts it, and --server names another API`, l.DataDir)
	}
	if err != nil {
		return err
	}
	defer release()
	api, err := client.New(running.API, running.Key)
	if err != nil {
		return err
	}
	return work(c.Context(), api)
}
