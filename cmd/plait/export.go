package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"
)

func newExport(a *app) *cobra.Command {
	var out, format, server, key string
	c := &cobra.Command{
		Use:   "export TASK",
		Short: "Write the texts of a task as a script that a person can edit",
		Long: `Write the texts of a task, with the translations made so far, as a script: one entry a page and region. Edited, it
goes back in with "plait translate ... --script FILE".`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if format != "json" && format != "csv" {
				return usageError(c, errors.New("--format is json or csv"))
			}
			l, err := a.load()
			if err != nil {
				return err
			}
			t := &translation{
				flags: &translateFlags{server: server, key: key}, config: l, stderr: c.ErrOrStderr(), display: newPlainDisplay(c.ErrOrStderr()),
			}
			api, _, stop, err := t.connect(c.Context())
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, stop(false)) }()
			if out == "" {
				return api.Script(c.Context(), args[0], format, c.OutOrStdout())
			}
			return writeFile(out, func(w io.Writer) error { return api.Script(c.Context(), args[0], format, w) })
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	c.Flags().StringVar(&format, "format", "json", "json or csv")
	c.Flags().StringVar(&server, "server", "", "use the API at this address instead of the embedded stack")
	c.Flags().StringVar(&key, "key", "", "API key for --server (default: the variable PLAIT_API_KEY)")
	return c
}
