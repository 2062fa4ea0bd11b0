package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

func newConfig(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Print every setting, its value, and where the value came from",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			if !asJSON {
				return l.Print(c.OutOrStdout())
			}
			e := json.NewEncoder(c.OutOrStdout())
			e.SetIndent("", "  ")
			return e.Encode(l.Rows())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, with each setting's flag and environment variable")
	return c
}
