package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plait/api/schema"
	"plait/installation"
	"plait/internal/config"
)

func newDoctor(a *app) *cobra.Command {
	var asJSON, call bool
	c := &cobra.Command{
		Use:   "doctor [PART...]",
		Short: "Check every part of the installation, and print how to mend what fails",
		Long: `Check the assets, the device, the database, Temporal, the blobs and the translator, and print how to mend what fails. Where a stack
runs in the data folder, its database, Temporal and translator are checked. The names of parts limit what is checked.

Exit status: 0 every part works, 1 a part fails, 2 wrong usage, 130 interrupted.`,
		Example: `  plait doctor
  plait doctor database temporal --json`,
		Args: cobra.ArbitraryArgs,
		RunE: a.configured(func(c *cobra.Command, l *config.Loaded, parts []string) error {
			doctor := &installation.Doctor{Config: l, Kinds: kinds, Call: call}
			for _, part := range parts {
				if all := doctor.Parts(); !slices.Contains(all, part) {
					return usageError(c, fmt.Errorf("%q is none of the parts %s", part, strings.Join(all, ", ")))
				}
			}
			findings := doctor.Examine(c.Context(), parts...)
			if err := report(c.OutOrStdout(), findings, asJSON); err != nil {
				return err
			}
			if slices.ContainsFunc(findings, func(f schema.Finding) bool { return !f.OK }) {
				return &exitError{status: exitFailed}
			}
			return nil
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	c.Flags().BoolVar(&call, "translator", false, "call the translator once, which may cost money")
	return c
}

func report(w io.Writer, findings []schema.Finding, asJSON bool) error {
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
