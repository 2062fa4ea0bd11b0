package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/internal/files"
)

func newExport(a *app) *cobra.Command {
	var out, format string
	var server serverFlags
	c := &cobra.Command{
		Use:   "export TASK",
		Short: "Write the texts of a task as a script that a person can edit",
		Long: `Write the texts of a task, with the translations made so far, as a script: one entry a page and region. Edited, it
goes back in with "plait translate ... --script FILE".`,
		Args: oneTask,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "json" && format != "csv" {
				return usageError(c, errors.New("--format is json or csv"))
			}
			l, err := a.load()
			if err != nil {
				return err
			}
			a := &access{serverFlags: server, config: l, display: newPlainDisplay(c.ErrOrStderr()), stderr: c.ErrOrStderr()}
			return a.use(c.Context(), "Nothing was written.", func(ctx context.Context, api *client.Client) error {
				if out == "" {
					return api.Script(ctx, args[0], format, c.OutOrStdout())
				}
				return files.Write(out, func(w io.Writer) error { return api.Script(ctx, args[0], format, w) })
			})
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	c.Flags().StringVar(&format, "format", "json", "json or csv")
	server.add(c)
	return c
}
