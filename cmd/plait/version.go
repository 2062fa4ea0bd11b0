package main

import (
	"github.com/spf13/cobra"

	"plait/installation"
)

// version is set by the linker: -X main.version=v1.2.3.
var version = "development"

func readVersion() installation.Build { return installation.ReadBuild(version) }

func newVersion() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(c *cobra.Command, _ []string) error {
			v := readVersion()
			return answer(c, asJSON, v, "plait %s (%s, %s)\n", v.Version, v.Go, v.Platform)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object, also with the revision")
	return c
}
