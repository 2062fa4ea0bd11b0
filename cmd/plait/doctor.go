package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plait/installation"
)

func newDoctor(a *app) *cobra.Command {
	var asJSON, call bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check every part, and say what to do about what fails",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			d := &installation.Doctor{Config: l, Call: call}
			findings := d.Examine(c.Context())
			if err := report(c.OutOrStdout(), findings, asJSON); err != nil {
				return err
			}
			for _, f := range findings {
				if !f.OK {
					return &exitError{status: exitFailed}
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	c.Flags().BoolVar(&call, "translator", false, "make one real call to the translator, which may cost")
	return c
}

func report(w io.Writer, findings []installation.Finding, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(findings)
	}
	for _, f := range findings {
		mark := "ok  "
		if !f.OK {
			mark = "FAIL"
		}
		if _, err := fmt.Fprintf(w, "%s  %-10s  %s\n", mark, f.Part, f.Found); err != nil {
			return err
		}
		if f.Remedy != "" {
			fmt.Fprintf(w, "                  → %s\n", f.Remedy)
		}
	}
	return nil
}
