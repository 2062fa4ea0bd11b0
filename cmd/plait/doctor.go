package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"plait/internal/config"
)

// finding is what doctor says of one part.
type finding struct {
	Part string `json:"part"`
	OK   bool   `json:"ok"`
	// Found is what is there, or what is wrong.
	Found string `json:"found"`
	// Remedy says what to do about it.
	Remedy string `json:"remedy,omitempty"`
}

// checkTimeout bounds one check; the slowest, loading models, takes a second or two.
const checkTimeout = 60 * time.Second

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
			d := &doctor{config: l, call: call}
			findings := d.examine(c.Context())
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

// doctor checks the parts of one configuration.
type doctor struct {
	config *config.Loaded
	call   bool
}

func (d *doctor) examine(ctx context.Context) []finding {
	database, temporal := d.database, d.temporal
	// Where a part is embedded and nothing runs now, what can be checked is whether it could run.
	if err := locate(ctx, d.config); errors.Is(err, errNothingRuns) {
		if d.config.Database.URL == "" {
			database = d.embeddedDatabase
		}
		if d.config.Temporal.Address == "" {
			temporal = d.embeddedTemporal
		}
	}
	var findings []finding
	for _, check := range []struct {
		part string
		f    func(context.Context) (found, remedy string, err error)
	}{
		{"assets", d.assets},
		{"device", d.device},
		{"database", database},
		{"temporal", temporal},
		{"blobs", d.blobs},
		{"translator", d.translator},
	} {
		findings = append(findings, examine(ctx, check.part, check.f))
	}
	return findings
}

func examine(ctx context.Context, part string, check func(context.Context) (found, remedy string, err error)) finding {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	found, remedy, err := check(ctx)
	if err != nil {
		return finding{Part: part, Found: explain(err), Remedy: remedy}
	}
	return finding{Part: part, OK: true, Found: found}
}

func report(w io.Writer, findings []finding, asJSON bool) error {
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

// hostName is for identities in logs and the Temporal UI.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}
