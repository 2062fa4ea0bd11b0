package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/config"
	"plait/internal/records"
)

func newMigrate(a *app) *cobra.Command {
	var statusOnly bool
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Update the database schema and Temporal's search attributes",
		Long: `Update the database schema and the search attributes of Temporal to this version, and list the migrations.

The command can run at any time, and several times at once. The embedded stack does the same when it starts.`,
		RunE: a.configured(func(c *cobra.Command, l *config.Loaded, _ []string) error {
			if err := installation.Locate(c.Context(), l); err != nil {
				return err
			}
			if !statusOnly {
				if err := installation.Migrate(c.Context(), l, installation.NewLogger(c.ErrOrStderr(), l.Log)); err != nil {
					return err
				}
			}
			migrations, err := records.MigrationStatus(c.Context(), l.Database.URL)
			if err != nil {
				return err
			}
			return table[records.Migration]{"VERSION\tNAME\tSTATE", func(m records.Migration) string {
				state := "pending"
				if m.Applied {
					state = "applied " + m.AppliedAt.Format(time.DateTime)
				}
				return fmt.Sprintf("%d\t%s\t%s", m.Version, m.Name, state)
			}}.print(c.OutOrStdout(), false, migrations)
		}),
	}
	c.Flags().BoolVar(&statusOnly, "status", false, "only list the migrations")
	return c
}
