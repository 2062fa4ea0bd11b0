package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"plait/internal/config"
)

func newConfig(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Print every setting with its value and its source",
		RunE: a.configured(func(c *cobra.Command, l *config.Loaded, _ []string) error {
			if !asJSON {
				return l.Print(c.OutOrStdout())
			}
			e := json.NewEncoder(c.OutOrStdout())
			e.SetIndent("", "  ")
			return e.Encode(l.Rows())
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list, also with flags and environment variables")
	return c
}
