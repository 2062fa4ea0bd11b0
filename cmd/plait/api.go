package main

import (
	"github.com/spf13/cobra"

	"plait/installation"
)

func newAPI(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "api",
		Short: "Serve the API until it is stopped",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			if err := installation.Locate(c.Context(), l); err != nil {
				return err
			}
			return installation.ServeAPI(c.Context(), l, kinds, readVersion().Version, logger(c.ErrOrStderr(), l.Log))
		},
	}
}
