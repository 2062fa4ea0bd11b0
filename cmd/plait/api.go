package main

import (
	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/config"
)

func newAPI(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "api",
		Short: "Serve the API until it is stopped",
		RunE: a.configured(func(c *cobra.Command, l *config.Loaded, _ []string) error {
			if err := installation.Locate(c.Context(), l); err != nil {
				return err
			}
			return installation.ServeAPI(c.Context(), l, kinds, readVersion().Version, installation.NewLogger(c.ErrOrStderr(), l.Log))
		}),
	}
}
