package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plait/api/client"
	comicclient "plait/api/comic/client"
	"plait/internal/files"
)

func newExport(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "export TASK",
		Short: "Write the texts of a task as a script that a person can edit",
		Long: `Write the texts of a task, with the translations made so far, as a script: one entry a page and region. "plait translate ...
--script FILE" and "plait edit TASK --script FILE" take it.`,
		Example: "  plait export 01a1ff10 -o script.csv",
	}
	t := &taskCommand{command: c, resume: "Nothing was written."}
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(t.out)), ".")
		switch format = cmp.Or(format, ending, "json"); {
		case format != "json" && format != "csv":
			return usageError(c, fmt.Errorf("%q is no format of scripts; json and csv are", format))
		case ending != "" && ending != format:
			return usageError(c, fmt.Errorf("-o %s has another format than --format %s", t.out, format))
		}
		return nil
	}
	t.run = func(ctx context.Context, _ *session, api *client.Client, id string) error {
		comics := comicclient.Client{Client: api}
		if t.out == "" {
			return comics.Script(ctx, id, format, c.OutOrStdout())
		}
		return files.Write(t.out, func(w io.Writer) error { return comics.Script(ctx, id, format, w) })
	}
	c.Flags().StringVarP(&t.out, "out", "o", "", "file to write, .json or .csv (default: standard output)")
	c.Flags().Var(choice(&format, "json", "csv"), "format", "json or csv (default: the ending of -o, or json)")
	return t.new(a)
}
