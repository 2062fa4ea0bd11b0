package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/core"
)

func newWebhooks(a *app) *cobra.Command {
	return group(&cobra.Command{
		Use:   "webhooks",
		Short: "Manage the URLs that are told of the ends of tasks",
		Long: `Manage the URLs that are told of the ends of tasks.

Each message is signed by Standard Webhooks and tried for 72 hours. An endpoint that nothing reaches in that time is paused.`,
	}, newWebhooksList(a), newWebhooksAdd(a), newWebhooksRemove(a), newWebhooksResume(a), newWebhooksDeliveries(a), newWebhooksReplay(a),
		newWebhooksSecret(a))
}

// onEndpoints makes c a command that gets endpoints of the tenant, and prints them.
func onEndpoints(a *app, c *cobra.Command, get func(context.Context, *client.Client, []string) ([]schema.Endpoint, error)) *cobra.Command {
	return onAPI(a, c, printed(c, table[schema.Endpoint]{"ID\tCREATED\tPAUSED\tURL", func(e schema.Endpoint) string {
		paused := "-"
		if e.PausedAt != nil {
			paused = day(e.PausedAt) + ": " + e.PauseReason
		}
		return fmt.Sprintf("%s\t%s\t%s\t%s", e.ID, day(&e.CreatedAt), paused, core.Printable(e.URL))
	}}, get))
}

// onDeliveries makes c a command that gets messages to the tenant, and prints them.
func onDeliveries(a *app, c *cobra.Command, get func(context.Context, *client.Client, []string) ([]schema.Delivery, error)) *cobra.Command {
	return onAPI(a, c, printed(c, table[schema.Delivery]{"ID\tTASK\tSTATUS\tATTEMPTS\tCREATED\tURL\tLAST ERROR", func(d schema.Delivery) string {
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s\t%s", d.ID, d.TaskID, d.Status, d.Attempts, d.CreatedAt.Local().Format(time.DateTime),
			core.Printable(d.URL), core.Printable(d.LastError))
	}}, get))
}

func newWebhooksList(a *app) *cobra.Command {
	return onEndpoints(a, &cobra.Command{Use: "list", Short: "List the endpoints of the tenant"},
		func(ctx context.Context, api *client.Client, _ []string) ([]schema.Endpoint, error) {
			return api.Endpoints(ctx)
		})
}

func newWebhooksAdd(a *app) *cobra.Command {
	return onEndpoints(a, &cobra.Command{
		Use: "add URL", Short: "Have a URL told of the end of every task", Example: "  plait webhooks add https://studio.example/plait",
		Args: oneArgument("URL"),
	}, func(ctx context.Context, api *client.Client, args []string) ([]schema.Endpoint, error) {
		e, err := api.AddEndpoint(ctx, args[0])
		return []schema.Endpoint{e}, err
	})
}

func newWebhooksRemove(a *app) *cobra.Command {
	c := &cobra.Command{Use: "remove ID", Short: "Remove an endpoint; messages that have not arrived are given up", Args: oneArgument("ID")}
	return onAPI(a, c, func(ctx context.Context, api *client.Client, args []string) error {
		if err := api.DeleteEndpoint(ctx, args[0]); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.OutOrStdout(), "endpoint %s: removed\n", args[0])
		return err
	})
}

func newWebhooksResume(a *app) *cobra.Command {
	return onEndpoints(a, &cobra.Command{
		Use: "resume ID", Short: "End the pause of an endpoint, and send what waited for it", Args: oneArgument("ID"),
	}, func(ctx context.Context, api *client.Client, args []string) ([]schema.Endpoint, error) {
		e, err := api.ResumeEndpoint(ctx, args[0])
		return []schema.Endpoint{e}, err
	})
}

// maxDeliveries is the largest number that the API lists at once.
const maxDeliveries = 200

func newWebhooksDeliveries(a *app) *cobra.Command {
	var filter client.DeliveryFilter
	limit := 20
	c := &cobra.Command{
		Use: "deliveries", Short: "List the messages to the tenant, the newest first", Example: "  plait webhooks deliveries --status failed",
	}
	c.Flags().StringVar(&filter.Task, "task", "", "only messages about this task")
	c.Flags().StringVar(&filter.Endpoint, "endpoint", "", "only messages to this endpoint")
	c.Flags().StringVar(&filter.Status, "status", "", "only messages of this status: pending, delivered, failed or paused")
	c.Flags().VarP(upTo(&limit, maxDeliveries), "limit", "n", "number of messages at most, up to 200")
	return onDeliveries(a, c, func(ctx context.Context, api *client.Client, _ []string) ([]schema.Delivery, error) {
		return api.Deliveries(ctx, filter, limit)
	})
}

func newWebhooksReplay(a *app) *cobra.Command {
	return onDeliveries(a, &cobra.Command{
		Use: "replay ID", Short: "Send a message once more that has arrived or was given up", Args: oneArgument("ID"),
	}, func(ctx context.Context, api *client.Client, args []string) ([]schema.Delivery, error) {
		d, err := api.Replay(ctx, args[0])
		return []schema.Delivery{d}, err
	})
}

func newWebhooksSecret(a *app) *cobra.Command {
	var rotate bool
	c := &cobra.Command{Use: "secret", Short: "Print the secret that signs the messages to the tenant"}
	c.Flags().BoolVar(&rotate, "rotate", false, "replace the secret first; the one before signs as well for a day")
	return onAPI(a, c, func(ctx context.Context, api *client.Client, _ []string) error {
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
	})
}
