package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/config"
)

func newPause(a *app) *cobra.Command {
	return newChange(a, &cobra.Command{
		Use:   "pause TASK",
		Short: "Have a task begin no further page and no model call",
		Long: `Have a task begin no further page and no model call until "plait resume". What it has begun ends. A pause outlives workers and
servers.`,
	}, (*client.Client).Pause)
}

func newResume(a *app) *cobra.Command {
	return newChange(a, &cobra.Command{Use: "resume TASK", Short: "Have a paused task go on"}, (*client.Client).Resume)
}

// newChange makes c a command that changes the course of a task.
func newChange(a *app, c *cobra.Command, change func(*client.Client, context.Context, string) (schema.Task, error)) *cobra.Command {
	var server serverFlags
	c.Args = oneTask
	c.RunE = a.configured(func(c *cobra.Command, l *config.Loaded, args []string) error {
		a := &access{serverFlags: server, config: l, display: newPlainDisplay(c.ErrOrStderr()), stderr: c.ErrOrStderr()}
		return a.use(c.Context(), "Nothing was changed.", func(ctx context.Context, api *client.Client) error {
			task, err := change(api, ctx, args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "task %s: %s, %d of %s done\n", task.ID, task.Status, task.Progress.Done, count(task.TotalCount, "page"))
			return nil
		})
	})
	server.add(c)
	return c
}
