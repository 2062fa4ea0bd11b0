package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/schema"
	"plait/internal/config"
	"plait/internal/core"
)

func newWebhooks(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "webhooks",
		Short: "Manage the URLs that are told of the ends of tasks",
		Long: `Manage the URLs that are told of the ends of tasks.

Each message is signed by Standard Webhooks and tried for 72 hours. An endpoint that nothing reaches in that time is paused.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newWebhooksList(a), newWebhooksAdd(a), newWebhooksRemove(a), newWebhooksResume(a), newWebhooksDeliveries(a),
		newWebhooksReplay(a), newWebhooksSecret(a))
	return c
}

// webhooksCommand is a command on the webhooks of the key's tenant.
type webhooksCommand struct {
	server string
	asJSON bool
	run    func(ctx context.Context, c *cobra.Command, api *client.Client, args []string) error
}

// new finishes a command.
func (w *webhooksCommand) new(a *app, c *cobra.Command) *cobra.Command {
	addServer(c, &w.server)
	c.RunE = a.configured(func(c *cobra.Command, l *config.Loaded, args []string) error {
		s := newSession(c, l, w.server, progress.NewLines(c.ErrOrStderr(), nil))
		return s.use("Nothing was changed.", func(ctx context.Context, api *client.Client) error { return w.run(ctx, c, api, args) })
	})
	return c
}

// list adds the flag --json.
func (w *webhooksCommand) list(a *app, c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&w.asJSON, "json", false, "print one JSON object a line, as in the API")
	return w.new(a, c)
}

func (w *webhooksCommand) printEndpoints(c *cobra.Command, list ...schema.Endpoint) error {
	return printList(c.OutOrStdout(), w.asJSON, list, "ID\tCREATED\tPAUSED\tURL", func(e schema.Endpoint) string {
		paused := "-"
		if e.PausedAt != nil {
			paused = day(e.PausedAt) + ": " + e.PauseReason
		}
		return fmt.Sprintf("%s\t%s\t%s\t%s", e.ID, day(&e.CreatedAt), paused, core.Printable(e.URL))
	})
}

func (w *webhooksCommand) printDeliveries(c *cobra.Command, list ...schema.Delivery) error {
	return printList(c.OutOrStdout(), w.asJSON, list, "ID\tTASK\tSTATUS\tATTEMPTS\tCREATED\tURL\tLAST ERROR", func(d schema.Delivery) string {
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s\t%s", d.ID, d.TaskID, d.Status, d.Attempts, d.CreatedAt.Local().Format(time.DateTime),
			core.Printable(d.URL), core.Printable(d.LastError))
	})
}

func newWebhooksList(a *app) *cobra.Command {
	w := &webhooksCommand{}
	w.run = func(ctx context.Context, c *cobra.Command, api *client.Client, _ []string) error {
		list, err := api.Endpoints(ctx)
		if err != nil {
			return err
		}
		return w.printEndpoints(c, list...)
	}
	return w.list(a, &cobra.Command{Use: "list", Short: "List the endpoints of the tenant", Args: cobra.NoArgs})
}

func newWebhooksAdd(a *app) *cobra.Command {
	w := &webhooksCommand{}
	w.run = func(ctx context.Context, c *cobra.Command, api *client.Client, args []string) error {
		e, err := api.AddEndpoint(ctx, args[0])
		if err != nil {
			return err
		}
		return w.printEndpoints(c, e)
	}
	return w.list(a, &cobra.Command{
		Use: "add URL", Short: "Have a URL told of the end of every task", Example: "  plait webhooks add https://studio.example/plait",
		Args: oneArgument("URL"),
	})
}

func newWebhooksRemove(a *app) *cobra.Command {
	w := &webhooksCommand{run: func(ctx context.Context, c *cobra.Command, api *client.Client, args []string) error {
		if err := api.DeleteEndpoint(ctx, args[0]); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.OutOrStdout(), "endpoint %s: removed\n", args[0])
		return err
	}}
	return w.new(a, &cobra.Command{
		Use: "remove ID", Short: "Remove an endpoint; messages that have not arrived are given up", Args: oneArgument("ID"),
	})
}

func newWebhooksResume(a *app) *cobra.Command {
	w := &webhooksCommand{}
	w.run = func(ctx context.Context, c *cobra.Command, api *client.Client, args []string) error {
		e, err := api.ResumeEndpoint(ctx, args[0])
		if err != nil {
			return err
		}
		return w.printEndpoints(c, e)
	}
	return w.list(a, &cobra.Command{
		Use: "resume ID", Short: "End the pause of an endpoint, and send what waited for it", Args: oneArgument("ID"),
	})
}

// maxDeliveries is the largest number that the API lists at once.
const maxDeliveries = 200

func newWebhooksDeliveries(a *app) *cobra.Command {
	var filter client.DeliveryFilter
	var limit int
	w := &webhooksCommand{}
	w.run = func(ctx context.Context, c *cobra.Command, api *client.Client, _ []string) error {
		if limit < 1 || limit > maxDeliveries {
			return usageError(c, fmt.Errorf("--limit %d is not from 1 to %d", limit, maxDeliveries))
		}
		list, err := api.Deliveries(ctx, filter, limit)
		if err != nil {
			return err
		}
		return w.printDeliveries(c, list...)
	}
	c := &cobra.Command{
		Use: "deliveries", Short: "List the messages to the tenant, the newest first", Example: "  plait webhooks deliveries --status failed",
		Args: cobra.NoArgs,
	}
	c.Flags().StringVar(&filter.Task, "task", "", "only messages about this task")
	c.Flags().StringVar(&filter.Endpoint, "endpoint", "", "only messages to this endpoint")
	c.Flags().StringVar(&filter.Status, "status", "", "only messages of this status: pending, delivered, failed or paused")
	c.Flags().IntVarP(&limit, "limit", "n", 20, "number of messages at most, up to 200")
	return w.list(a, c)
}

func newWebhooksReplay(a *app) *cobra.Command {
	w := &webhooksCommand{}
	w.run = func(ctx context.Context, c *cobra.Command, api *client.Client, args []string) error {
		d, err := api.Replay(ctx, args[0])
		if err != nil {
			return err
		}
		return w.printDeliveries(c, d)
	}
	return w.list(a, &cobra.Command{
		Use: "replay ID", Short: "Send a message once more that has arrived or was given up", Args: oneArgument("ID"),
	})
}

func newWebhooksSecret(a *app) *cobra.Command {
	var rotate bool
	w := &webhooksCommand{run: func(ctx context.Context, c *cobra.Command, api *client.Client, _ []string) error {
		read := api.WebhookSecret
		if rotate {
			read = api.RotateWebhookSecret
		}
		s, err := read(ctx)
		if err != nil {
			return err
		}
		if s.PreviousExpiresAt != nil {
			fmt.Fprintf(c.ErrOrStderr(), "the secret before signs as well until %s\n", s.PreviousExpiresAt.Local().Format(time.DateTime))
		}
		_, err = fmt.Fprintln(c.OutOrStdout(), s.Secret)
		return err
	}}
	c := &cobra.Command{Use: "secret", Short: "Print the secret that signs the messages to the tenant", Args: cobra.NoArgs}
	c.Flags().BoolVar(&rotate, "rotate", false, "replace the secret first; the one before signs as well for a day")
	return w.new(a, c)
}
