package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/config"
)

func newUp(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "up",
		Short: "Run the whole installation on this machine until Ctrl-C",
		Long: `Run the whole installation on this machine until Ctrl-C: Postgres, Temporal with its UI, a worker, the API.

Data lives in data_dir (./.plait). With database.url, temporal.address or blob.url set, that part is used instead of
the embedded one. Ctrl-C lets running steps end and stops everything; a second Ctrl-C ends at once. Either way nothing
is lost: the next "plait up" goes on where this one stopped.`,
		Example: "  plait up --data-dir /srv/plait",
		RunE: a.configured(func(c *cobra.Command, l *config.Loaded, _ []string) error {
			log := installation.NewLogger(c.ErrOrStderr(), l.Log)
			out := c.OutOrStdout()
			in, err := installation.StartLocal(c.Context(), l, kinds, readVersion().Version, log, func(part, state string) { fmt.Fprintf(out, "%-9s %s\n", part, state) })
			if err != nil {
				return err
			}
			return runUp(c.Context(), out, in)
		}),
	}
}

func runUp(ctx context.Context, out io.Writer, in *installation.Local) error {
	page, err := in.SignInURL(ctx)
	if err != nil {
		return errors.Join(err, in.Stop())
	}
	fmt.Fprintf(out, `
Page         %s
             This link opens the page and signs in once; %s takes the API key.
API          %s
API key      in %s/api-key
`, page, in.Address, in.Address, in.DataDir())
	if address, signIn := in.TemporalUI(); address != "" {
		fmt.Fprintf(out, "Temporal UI  %s\n             This link signs in once; %s takes the API key.\n", signIn, address)
	}
	fmt.Fprintf(out, "Metrics      %s/metrics\n\nReady. Ctrl-C stops.\n", in.Address)
	select {
	case <-ctx.Done():
		fmt.Fprintln(out, "\nstopping: running steps end first")
	case err = <-in.Failed:
	}
	if err := errors.Join(err, in.Stop()); err != nil {
		return err
	}
	fmt.Fprintln(out, "stopped")
	return nil
}
