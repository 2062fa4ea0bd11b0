package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/records"
	"plait/workflows"
)

func newMigrate(a *app) *cobra.Command {
	var statusOnly bool
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database schema and Temporal's search attributes up to date",
		Long: `Bring the database schema and Temporal's search attributes up to date.

Safe to run at any time and by several at once. The embedded stack does it by itself.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			if err := installation.Locate(c.Context(), l); err != nil {
				return err
			}
			ctx, log := c.Context(), logger(c.ErrOrStderr(), l.Log)
			if !statusOnly {
				if err := records.Migrate(ctx, l.Database.URL); err != nil {
					return err
				}
				temporal, err := installation.DialTemporal(ctx, l, "plait-migrate", nil, log)
				if err != nil {
					return err
				}
				defer temporal.Close()
				if err := workflows.RegisterSearchAttributes(ctx, temporal, l.Temporal.Namespace); err != nil {
					return err
				}
			}
			migrations, err := records.MigrationStatus(ctx, l.Database.URL)
			if err != nil {
				return err
			}
			t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, m := range migrations {
				state := "pending"
				if m.Applied {
					state = "applied " + m.AppliedAt.Format("2006-01-02 15:04:05")
				}
				fmt.Fprintf(t, "%d\t%s\t%s\n", m.Version, m.Name, state)
			}
			return t.Flush()
		},
	}
	c.Flags().BoolVar(&statusOnly, "status", false, "only show what is applied")
	return c
}
