package main

import (
	"strings"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/workers"
)

func newWorker(a *app) *cobra.Command {
	var roles []string
	c := &cobra.Command{
		Use:   "worker",
		Short: "Run a worker: workflows, the device's steps, translation",
		Long: `Run a worker of one or more roles until it is stopped; a stop lets running steps end.

  control    runs the workflows, and repairs what a crash left behind
  gpu        owns the device: reads, erases and letters pages
  translate  calls the translator, away from any device`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			parsed, err := workers.ParseRoles(roles, kinds.Roles())
			if err != nil {
				return usageError(c, err)
			}
			l, err := a.load()
			if err != nil {
				return err
			}
			if err := installation.Locate(c.Context(), l); err != nil {
				return err
			}
			return installation.RunWorker(c.Context(), l, kinds, readVersion().Version, parsed, installation.NewLogger(c.ErrOrStderr(), l.Log))
		},
	}
	c.Flags().StringSliceVar(&roles, "role", strings.Split(workers.JoinRoles(kinds.Roles(), ","), ","), "roles of this worker")
	return c
}
