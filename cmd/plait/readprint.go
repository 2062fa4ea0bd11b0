package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plait/internal/pipeline"
)

// readRecord is a page as `plait read --json` prints it.
type readRecord struct {
	Page     string             `json:"page"`
	Width    int                `json:"width"`
	Height   int                `json:"height"`
	FromLang string             `json:"from_lang"`
	Elapsed  pipeline.ElapsedMS `json:"elapsed_ms"`
	Regions  []pipeline.Region  `json:"regions"`
}

// readFailure is a page that could not be read.
type readFailure struct {
	Page  string    `json:"page"`
	Error readError `json:"error"`
}

type readError struct {
	Code    pipeline.Code `json:"code"`
	Message string        `json:"message"`
}

// readPrinter prints what was read of pages, and counts those that failed.
type readPrinter struct {
	failures
	out    io.Writer
	asJSON bool
}

func newReadPrinter(c *cobra.Command, asJSON bool) *readPrinter {
	return &readPrinter{failures: failures{errs: c.ErrOrStderr()}, out: c.OutOrStdout(), asJSON: asJSON}
}

// print prints one page: its failure, which people see beside the results, or what was found.
func (p *readPrinter) print(r pageReading) error {
	switch {
	case r.err != nil:
		if err := p.add(r.page, r.err); err != nil || !p.asJSON {
			return err
		}
		return p.encode(readFailure{Page: r.page, Error: readError{Code: pipeline.CodeOf(r.err), Message: explain(r.err)}})
	case p.asJSON:
		record := readRecord{
			Page: r.page, Width: r.found.Width, Height: r.found.Height, FromLang: r.found.FromLang,
			Elapsed: r.found.Elapsed, Regions: r.found.Regions,
		}
		if record.Regions == nil {
			record.Regions = []pipeline.Region{}
		}
		return p.encode(record)
	default:
		_, err := io.WriteString(p.out, describe(r))
		return err
	}
}

func (p *readPrinter) encode(line any) error {
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}

// describe is a page as a person reads it.
func describe(r pageReading) string {
	var b strings.Builder
	facts := []string{fmt.Sprintf("%d × %d", r.found.Width, r.found.Height)}
	if len(r.found.Regions) > 0 {
		facts = append(facts, r.found.FromLang, count(len(r.found.Regions), "region"))
	} else {
		facts = append(facts, "no text")
	}
	facts = append(facts, fmt.Sprintf("%.1f s", float64(r.found.Elapsed["total"])/1000))
	fmt.Fprintf(&b, "%s: %s\n", r.page, strings.Join(facts, ", "))
	for _, region := range r.found.Regions {
		text := region.Text
		if strings.TrimSpace(text) == "" {
			text = "(not read)"
		}
		fmt.Fprintf(&b, "%4d  %-9s %s  %s\n", region.Index+1, region.Kind, region.Direction, text)
	}
	return b.String()
}
